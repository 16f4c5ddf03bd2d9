-- What a person says of an answer, and where a person keeps a session.

ALTER TABLE session ADD COLUMN pinned   TEXT; -- since when it stands before the others; null: it does not
ALTER TABLE session ADD COLUMN archived TEXT; -- since when it is out of sight; null: it is not

CREATE TABLE feedback (
  request TEXT    NOT NULL PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE,
  actor   TEXT    NOT NULL,
  at      TEXT    NOT NULL,
  thumb   TEXT    NOT NULL, -- up down
  reason  TEXT    NOT NULL, -- one of the list; empty: none was given
  words   TEXT    NOT NULL,
  serious INTEGER NOT NULL, -- 1: the error would have cost much
  metrics TEXT    NOT NULL  -- JSON list: what the answer was about
) STRICT;

CREATE INDEX feedback_serious ON feedback (actor) WHERE serious = 1;
