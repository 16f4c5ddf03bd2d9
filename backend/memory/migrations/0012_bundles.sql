-- What colleagues without a common server taught, as their signed bundles brought it. It is evidence for shared knowledge, and is used in nobody's answers.

CREATE TABLE bundle (
  author  TEXT NOT NULL PRIMARY KEY,
  key     TEXT NOT NULL, -- Ed25519, in hexadecimal
  number  INTEGER NOT NULL, -- of the last one that was taken
  digest  TEXT NOT NULL,
  brought TEXT NOT NULL
) STRICT;

CREATE TABLE brought (
  id        TEXT NOT NULL PRIMARY KEY,
  author    TEXT NOT NULL,
  key       TEXT NOT NULL, -- what two ways to write the term have in common
  term      TEXT NOT NULL,
  means     TEXT NOT NULL,
  sort      TEXT NOT NULL,
  domain    TEXT NOT NULL,
  detection TEXT NOT NULL,
  quote     TEXT NOT NULL,
  said      TEXT NOT NULL
) STRICT;
CREATE INDEX brought_author ON brought (author);
CREATE INDEX brought_domain ON brought (domain, key);
