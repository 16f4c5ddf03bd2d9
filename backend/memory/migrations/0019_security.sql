-- A notice may be about no request: somebody wants to see more than the rules let them, in words that belong to none.

CREATE TABLE notice_with (
  id      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at      TEXT    NOT NULL,
  request TEXT    REFERENCES request (id) ON DELETE CASCADE, -- null: it is about none
  kind    TEXT    NOT NULL,
  actor   TEXT    NOT NULL, -- whom it is for; empty: everyone of the role
  role    TEXT    NOT NULL, -- empty: the actor alone
  words   TEXT    NOT NULL,
  read    TEXT              -- when somebody read it
) STRICT;
INSERT INTO notice_with SELECT id, at, request, kind, actor, role, words, read FROM notice;
DROP TABLE notice;
ALTER TABLE notice_with RENAME TO notice;
