-- What becomes of a request after it was answered: it waits for somebody, and is settled by a word, by use, or by time.

ALTER TABLE request ADD COLUMN stage      TEXT    NOT NULL DEFAULT 'close'; -- where it rests: scope, plan, accept, close
ALTER TABLE request ADD COLUMN level      INTEGER NOT NULL DEFAULT 0;       -- of autonomy, 5 to 1; 0: none was chosen
ALTER TABLE request ADD COLUMN until      TEXT;                             -- when the waiting is over; null: never
ALTER TABLE request ADD COLUMN ending     TEXT    NOT NULL DEFAULT '';      -- what happens then
ALTER TABLE request ADD COLUMN settled    TEXT    NOT NULL DEFAULT '';      -- what became of it; empty: it waits, or never did
ALTER TABLE request ADD COLUMN settled_at TEXT;
ALTER TABLE request ADD COLUMN settled_by TEXT    NOT NULL DEFAULT '';      -- an actor; empty: the clock
ALTER TABLE request ADD COLUMN settled_how TEXT   NOT NULL DEFAULT '';      -- explicit, or what was done with the result: export copy pin share

CREATE INDEX request_waiting ON request (until) WHERE until IS NOT NULL AND settled = '';

-- What people are told: that something waits for their role, or what time did to their requests.
CREATE TABLE notice (
  id      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at      TEXT    NOT NULL,
  request TEXT    NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  kind    TEXT    NOT NULL,
  actor   TEXT    NOT NULL, -- whom it is for; empty: everyone of the role
  role    TEXT    NOT NULL, -- empty: the actor alone
  words   TEXT    NOT NULL,
  read    TEXT              -- when somebody read it
) STRICT;

-- Queries that a person confirmed to be right. Nothing comes here because it merely ran.
CREATE TABLE golden (
  id        TEXT NOT NULL PRIMARY KEY,
  question  TEXT NOT NULL,
  frame_ql  TEXT NOT NULL,
  owner     TEXT NOT NULL,  -- whose it is; empty: everyone's
  model     TEXT NOT NULL,  -- version of the model that it was confirmed under
  request   TEXT NOT NULL,  -- whose answer was confirmed
  confirmed TEXT NOT NULL
) STRICT;

CREATE TABLE kept (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL       -- JSON
) STRICT;
