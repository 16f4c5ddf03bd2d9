-- Of a correction whose words a language model read: which one, PROVIDER:MODEL. Empty: the rules read them, or the person wrote what they mean.
ALTER TABLE correction ADD COLUMN read_by TEXT NOT NULL DEFAULT '';
