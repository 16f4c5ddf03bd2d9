-- What a language model said of two pieces of shared knowledge: whether both can hold. It stands beside what the rules find, and goes when one of the two says something else, or is gone.

CREATE TABLE judgment (
  item        TEXT NOT NULL, -- the one that was compared with others
  other       TEXT NOT NULL,
  item_as     TEXT NOT NULL, -- its revision of then
  other_as    TEXT NOT NULL,
  model       TEXT NOT NULL, -- PROVIDER:MODEL
  at          TEXT NOT NULL,
  contradicts INTEGER NOT NULL,
  severity    TEXT NOT NULL, -- low medium high; empty: none
  suggestion  TEXT NOT NULL, -- keep_this keep_other merge both_valid; empty: none
  why         TEXT NOT NULL, -- the model's words
  PRIMARY KEY (item, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX judgment_other ON judgment (other);

-- When a model was asked about a piece last, where, and what came of it.
CREATE TABLE judging (
  item     TEXT NOT NULL PRIMARY KEY,
  item_as  TEXT NOT NULL,
  model    TEXT NOT NULL,
  actor    TEXT NOT NULL, -- who had it asked
  at       TEXT NOT NULL,
  compared INTEGER NOT NULL,
  left_out INTEGER NOT NULL,
  host     TEXT NOT NULL,
  local    INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,
  masked   INTEGER NOT NULL,
  failed   TEXT NOT NULL -- a sentence; empty: it did not
) STRICT, WITHOUT ROWID;
