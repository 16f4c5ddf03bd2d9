-- Which session a session was branched from, and behind which of its turns. The title is kept, for the session may be deleted.

ALTER TABLE session ADD COLUMN origin       TEXT    NOT NULL DEFAULT ''; -- empty: it began by itself
ALTER TABLE session ADD COLUMN origin_title TEXT    NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN origin_turn  INTEGER NOT NULL DEFAULT 0;
