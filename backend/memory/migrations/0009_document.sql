-- A session is a document: what it was asked with, its steps as they end, where it came from, who may read it, and whether it still holds.

ALTER TABLE request ADD COLUMN given    TEXT; -- JSON: what it was asked with beside its words; null: before this column
ALTER TABLE request ADD COLUMN made_by  TEXT; -- JSON: versions of what answered it; null: before this column
ALTER TABLE request ADD COLUMN archived TEXT; -- since when it is out of the conversation; null: it is not

-- Turns are counted, and versions told apart, without their answers being read: these stand before the columns above.
CREATE INDEX request_places ON request (session, turn, place, chosen, archived);

ALTER TABLE session ADD COLUMN origin_artifact TEXT NOT NULL DEFAULT ''; -- that it was forked from; empty: from a turn
ALTER TABLE session ADD COLUMN expires         TEXT;                     -- when it is forgotten if nobody uses it; null: nobody was told of that yet
ALTER TABLE session ADD COLUMN imported        TEXT;                     -- JSON: the file that it came with; null: it was made here

CREATE INDEX session_origin ON session (origin) WHERE origin <> '';

-- Sessions that were forgotten and that a session which is there descends from. Nothing else is left of them.
CREATE TABLE ancestor (
  session  TEXT    NOT NULL PRIMARY KEY,
  origin   TEXT    NOT NULL, -- empty: it began by itself
  turn     INTEGER NOT NULL, -- of the origin
  artifact TEXT    NOT NULL  -- of the origin; empty: it was forked from the turn
) STRICT;

-- What finished requests are found by; see search_index.go. The index keeps its own numbers: those of rows change when the file is vacuumed.
CREATE TABLE found (
  n       INTEGER NOT NULL PRIMARY KEY,
  request TEXT    NOT NULL UNIQUE REFERENCES request (id) ON DELETE CASCADE,
  session TEXT    NOT NULL,
  labels  TEXT    NOT NULL -- of the metrics of its frame
) STRICT;

CREATE INDEX found_session ON found (session);
CREATE VIRTUAL TABLE found_words USING fts5 (words, tokenize = 'ascii'); -- cut into words before: see search_words.go
INSERT INTO found_words (found_words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER found_gone AFTER DELETE ON found BEGIN DELETE FROM found_words WHERE rowid = OLD.n; END;

-- Steps of requests that are not finished; a finished request has them in its trace.
CREATE TABLE step (
  request  TEXT    NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  body     TEXT    NOT NULL, -- JSON
  PRIMARY KEY (request, position)
) STRICT, WITHOUT ROWID;

-- Read-only addresses of sessions. The token itself is nowhere.
CREATE TABLE share (
  id      TEXT    NOT NULL PRIMARY KEY,
  session TEXT    NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  token   TEXT    NOT NULL UNIQUE, -- its SHA-256
  turn    INTEGER NOT NULL,        -- the last one that it shows
  options TEXT    NOT NULL,        -- JSON: what it shows of them
  actor   TEXT    NOT NULL,
  created TEXT    NOT NULL,
  expires TEXT    NOT NULL,
  revoked TEXT,                    -- null: it is open until it expires
  opened  INTEGER NOT NULL DEFAULT 0,
  seen    TEXT                     -- when it was opened last; null: never
) STRICT;

CREATE INDEX share_session ON share (session);

-- What came of asking an answer again after its data or its definitions changed: the last time counts.
CREATE TABLE holding (
  request TEXT NOT NULL PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE,
  at      TEXT NOT NULL,
  stands  TEXT NOT NULL, -- holds moved cannot
  state   TEXT NOT NULL, -- of data and model that it was asked over
  body    TEXT NOT NULL  -- JSON: the change, and the new frame
) STRICT;
