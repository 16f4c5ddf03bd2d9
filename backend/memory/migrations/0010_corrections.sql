-- What a person taught: a term, and what it means to that person. A term has one meaning at a time.

CREATE TABLE correction (
  id        TEXT NOT NULL PRIMARY KEY,
  author    TEXT NOT NULL,
  key       TEXT NOT NULL, -- what two ways to write the term have in common
  term      TEXT NOT NULL,
  means     TEXT NOT NULL,
  sort      TEXT NOT NULL, -- factual gotcha
  domain    TEXT NOT NULL, -- the entity that it is about; empty: a period
  detection TEXT NOT NULL, -- correction definition
  quote     TEXT NOT NULL, -- the exact words
  session   TEXT NOT NULL, -- in which it was said; empty: in none
  request   TEXT NOT NULL,
  created   TEXT NOT NULL,
  changed   TEXT NOT NULL,
  UNIQUE (author, key)
) STRICT;
