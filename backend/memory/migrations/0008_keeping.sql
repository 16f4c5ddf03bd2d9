-- Queries that a person keeps under a name, and how their window stands.

CREATE TABLE saved_query (
  id       TEXT NOT NULL PRIMARY KEY,
  actor    TEXT NOT NULL,
  name     TEXT NOT NULL,
  key      TEXT NOT NULL, -- the name as it is compared: whatever its case
  language TEXT NOT NULL, -- frame_ql sql
  text     TEXT NOT NULL,
  created  TEXT NOT NULL,
  changed  TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX saved_query_name ON saved_query (actor, key);

CREATE TABLE page_state (
  actor   TEXT NOT NULL,
  name    TEXT NOT NULL,
  value   TEXT NOT NULL, -- the page's own; nobody else reads it
  changed TEXT NOT NULL,
  PRIMARY KEY (actor, name)
) STRICT, WITHOUT ROWID;
