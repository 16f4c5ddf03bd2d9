-- A turn that is asked again, or asked in another way, is another version of itself and no turn at the end. Versions share
-- the place of the first one; the one with the highest "chosen" stands there, and is what later questions go on from.

ALTER TABLE request ADD COLUMN place      INTEGER;                          -- the turn of the first version; null: its own
ALTER TABLE request ADD COLUMN chosen     INTEGER NOT NULL DEFAULT 0;       -- counts up with every choice of a version
ALTER TABLE request ADD COLUMN instead_of TEXT    NOT NULL DEFAULT '';      -- the version that it was made from
ALTER TABLE request ADD COLUMN worded     INTEGER NOT NULL DEFAULT 0;       -- 1: a query was given, and the question only says it
