-- How a person wants answers to look: one value of each kind.

CREATE TABLE preference (
  id      TEXT NOT NULL PRIMARY KEY,
  author  TEXT NOT NULL,
  kind    TEXT NOT NULL, -- grain scale decimals chart length
  value   TEXT NOT NULL,
  quote   TEXT NOT NULL, -- the exact words; empty: it was chosen
  created TEXT NOT NULL,
  changed TEXT NOT NULL,
  UNIQUE (author, kind)
) STRICT;
