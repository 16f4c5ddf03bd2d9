-- Knowledge that is more than one person's, or may become so: what it says, who stands behind it, and what was decided.

CREATE TABLE item (
  id            TEXT NOT NULL PRIMARY KEY,
  key           TEXT NOT NULL, -- what two ways to write the term have in common; empty: no definition
  term          TEXT NOT NULL,
  means         TEXT NOT NULL,
  title         TEXT NOT NULL,
  content       TEXT NOT NULL,
  category      TEXT NOT NULL, -- factual gotcha
  domain        TEXT NOT NULL,
  tags          TEXT NOT NULL, -- a list, as JSON
  entities      TEXT NOT NULL, -- a list, as JSON
  audience      TEXT NOT NULL,
  sensitivity   TEXT NOT NULL,
  contributor   TEXT NOT NULL,
  personal      INTEGER NOT NULL,
  supersedes    TEXT NOT NULL,
  valid_from    TEXT,
  valid_until   TEXT,
  status        TEXT NOT NULL, -- pending approved mandatory rejected revoked
  self_reviewed INTEGER NOT NULL,
  branch        TEXT NOT NULL,
  merged        TEXT,
  created       TEXT NOT NULL,
  changed       TEXT NOT NULL
) STRICT;
CREATE INDEX item_status ON item (status, key);
CREATE UNIQUE INDEX item_pending ON item (domain, key, means) WHERE status = 'pending' AND key <> '' AND NOT personal;

CREATE TABLE evidence (
  item       TEXT NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  actor      TEXT NOT NULL,
  detection  TEXT NOT NULL, -- correction definition confirmation mandate transcript
  quote      TEXT NOT NULL,
  ref        TEXT NOT NULL,
  correction TEXT NOT NULL, -- of the person's own memory, with which it goes; empty: none
  at         TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_item ON evidence (item);
CREATE INDEX evidence_correction ON evidence (correction);

CREATE TABLE decision (
  item    TEXT NOT NULL REFERENCES item (id) ON DELETE CASCADE,
  verdict TEXT NOT NULL, -- approve mandate reject revoke make_personal make_shared endorse
  actor   TEXT NOT NULL,
  reason  TEXT NOT NULL,
  at      TEXT NOT NULL
) STRICT;
CREATE INDEX decision_item ON decision (item);

-- How often shared knowledge changed: whoever holds a copy of it sees by this whether it is still the same.
CREATE TABLE item_changes (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  n  INTEGER NOT NULL
) STRICT;
INSERT INTO item_changes (id, n) VALUES (1, 0);
CREATE TRIGGER item_added AFTER INSERT ON item BEGIN UPDATE item_changes SET n = n + 1; END;
CREATE TRIGGER item_changed AFTER UPDATE ON item BEGIN UPDATE item_changes SET n = n + 1; END;
CREATE TRIGGER item_gone AFTER DELETE ON item BEGIN UPDATE item_changes SET n = n + 1; END;
