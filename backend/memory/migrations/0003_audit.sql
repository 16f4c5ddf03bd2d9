-- What ran, on whose word, and what came of it: rows are only ever added. Each row's hash covers its own fields and the
-- hash before, so that a row that was changed, removed or put between others shows.

CREATE TABLE audit (
  seq     INTEGER NOT NULL PRIMARY KEY, -- 1, 2, 3, ... without a gap
  at      TEXT    NOT NULL,             -- what the clock said; the order is that of seq
  kind    TEXT    NOT NULL,
  request TEXT    NOT NULL,
  session TEXT    NOT NULL,
  actor   TEXT    NOT NULL,
  body    TEXT    NOT NULL,             -- JSON
  prev    TEXT    NOT NULL,             -- hash of the row before; empty: there was none
  hash    TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_request ON audit (request);

-- Rows that were old enough to go. Which they were, and where the chain goes on, stands in the chain itself too.
CREATE TABLE audit_retired (
  until INTEGER NOT NULL PRIMARY KEY,   -- the last row that went
  hash  TEXT    NOT NULL                -- of that row
) STRICT;

CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit WHEN OLD.seq > (SELECT coalesce(max(until), 0) FROM audit_retired)
  BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_retired_stays BEFORE UPDATE ON audit_retired BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_retired_kept BEFORE DELETE ON audit_retired BEGIN SELECT raise(ABORT, 'the audit log is only added to'); END;
