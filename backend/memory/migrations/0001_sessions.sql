-- Times are RFC 3339 in UTC. Order comes from turn and rowid, never from a clock.

CREATE TABLE session (
  id      TEXT NOT NULL PRIMARY KEY,
  title   TEXT NOT NULL,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  deleted TEXT                             -- can be restored until it is forgotten
) STRICT;

CREATE TABLE request (
  id        TEXT    NOT NULL PRIMARY KEY,
  session   TEXT    NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  turn      INTEGER NOT NULL,              -- 1, 2, 3, ... in its session
  question  TEXT    NOT NULL,
  actor     TEXT    NOT NULL,
  asked     TEXT    NOT NULL,
  overrides TEXT    NOT NULL,              -- JSON object
  instance  TEXT    NOT NULL,              -- the open memory that runs it
  finished  TEXT,                          -- null: running, or its process is dead
  outcome   TEXT    NOT NULL DEFAULT '',
  status    TEXT    NOT NULL DEFAULT '',
  frame_ql  TEXT    NOT NULL DEFAULT '',
  answer    TEXT,                          -- JSON
  fault     TEXT,                          -- JSON
  trace     TEXT    NOT NULL DEFAULT '[]', -- JSON
  UNIQUE (session, turn)
) STRICT;

CREATE INDEX request_unfinished ON request (instance) WHERE finished IS NULL;

CREATE TABLE artifact (
  id       TEXT    NOT NULL PRIMARY KEY,
  request  TEXT    NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind     TEXT    NOT NULL,
  title    TEXT    NOT NULL,
  body     TEXT    NOT NULL,               -- JSON
  created  TEXT    NOT NULL,
  UNIQUE (request, position)
) STRICT;
