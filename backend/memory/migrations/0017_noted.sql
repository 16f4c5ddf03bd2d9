-- What was noted that a word may mean to a person: by a changed part of a reading, or in words of a session that is over. And which answers their person called right.

-- Of a correction that came from a changed part: which part, and the query before and after.
ALTER TABLE correction ADD COLUMN slot   TEXT NOT NULL DEFAULT ''; -- metric dimension filter period; empty: it was said in words
ALTER TABLE correction ADD COLUMN before TEXT NOT NULL DEFAULT '';
ALTER TABLE correction ADD COLUMN after  TEXT NOT NULL DEFAULT '';

-- It is used by nothing until its person says so, and goes with the answer, or with what is taught of the word.
CREATE TABLE noted (
  id        TEXT NOT NULL PRIMARY KEY,
  request   TEXT NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  author    TEXT NOT NULL,
  key       TEXT NOT NULL, -- of the term, as of a correction
  term      TEXT NOT NULL,
  means     TEXT NOT NULL,
  sort      TEXT NOT NULL,
  detection TEXT NOT NULL, -- correction transcript
  quote     TEXT NOT NULL, -- the exact words
  slot      TEXT NOT NULL, -- of a changed part; empty: it was said
  before    TEXT NOT NULL,
  after     TEXT NOT NULL,
  said      TEXT NOT NULL, -- asked kept declined
  at        TEXT NOT NULL,
  UNIQUE (request, key)
) STRICT;
CREATE INDEX noted_of ON noted (author, key);

-- Answers that their person called right, with the meanings that they were read with. It is evidence for the shared knowledge of that meaning, and is read with it.
CREATE TABLE confirmation (
  request TEXT NOT NULL REFERENCES request (id) ON DELETE CASCADE,
  meaning TEXT NOT NULL, -- a correction of its author, or shared knowledge
  author  TEXT NOT NULL,
  quote   TEXT NOT NULL, -- the question
  at      TEXT NOT NULL,
  PRIMARY KEY (request, meaning)
) STRICT, WITHOUT ROWID;
CREATE INDEX confirmation_of ON confirmation (meaning);
CREATE TRIGGER confirmation_added AFTER INSERT ON confirmation BEGIN UPDATE item_changes SET n = n + 1; END;
CREATE TRIGGER confirmation_gone AFTER DELETE ON confirmation BEGIN UPDATE item_changes SET n = n + 1; END;

-- How far sessions were looked through. The revision counts what came of a session: answers, words about them, opinions.
CREATE TABLE looked (
  session  TEXT    NOT NULL PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  seen     INTEGER NOT NULL DEFAULT 0, -- the revision that was looked through
  turn     INTEGER NOT NULL DEFAULT 0  -- up to which its questions were
) STRICT;
INSERT INTO looked (session, revision) SELECT id, 1 FROM session WHERE imported IS NULL;
CREATE TRIGGER request_came AFTER UPDATE OF finished, settled ON request BEGIN
  INSERT INTO looked (session, revision) VALUES (NEW.session, 1) ON CONFLICT (session) DO UPDATE SET revision = revision + 1;
END;
CREATE TRIGGER feedback_added AFTER INSERT ON feedback BEGIN
  INSERT INTO looked (session, revision) SELECT session, 1 FROM request WHERE id = NEW.request ON CONFLICT (session) DO UPDATE SET revision = revision + 1;
END;
CREATE TRIGGER feedback_changed AFTER UPDATE ON feedback BEGIN
  INSERT INTO looked (session, revision) SELECT session, 1 FROM request WHERE id = NEW.request ON CONFLICT (session) DO UPDATE SET revision = revision + 1;
END;
CREATE TRIGGER feedback_gone AFTER DELETE ON feedback BEGIN
  INSERT INTO looked (session, revision) SELECT r.session, 1 FROM request r JOIN session s ON s.id = r.session WHERE r.id = OLD.request ON CONFLICT (session) DO UPDATE SET revision = revision + 1;
END;
