-- What a correction took the place of, as JSON: it stands again when the correction is narrowed to its answer. Empty: nothing.
ALTER TABLE correction ADD COLUMN replaced TEXT NOT NULL DEFAULT '';
