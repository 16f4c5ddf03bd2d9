-- Which shared knowledge changed, and when in the order of changes: whoever holds a copy of it reads what changed since, and not all of it. What is gone leaves its id.

CREATE TABLE item_changed (
  item TEXT    NOT NULL PRIMARY KEY,
  n    INTEGER NOT NULL -- how many changes there were with the last one of it
) STRICT, WITHOUT ROWID;
CREATE INDEX item_changed_since ON item_changed (n);

DROP TRIGGER item_added;
DROP TRIGGER item_changed;
DROP TRIGGER item_gone;
DROP TRIGGER confirmation_added;
DROP TRIGGER confirmation_gone;
CREATE TRIGGER item_came AFTER INSERT ON item BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT NEW.id, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER item_went AFTER DELETE ON item BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT OLD.id, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER item_became AFTER UPDATE ON item BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT NEW.id, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER evidence_came AFTER INSERT ON evidence BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT NEW.item, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER evidence_went AFTER DELETE ON evidence BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT OLD.item, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER evidence_became AFTER UPDATE ON evidence BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT NEW.item, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER decision_came AFTER INSERT ON decision BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT NEW.item, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER decision_went AFTER DELETE ON decision BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT OLD.item, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER decision_became AFTER UPDATE ON decision BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT NEW.item, n FROM item_changes WHERE true ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
-- An answer that was called right speaks for what it was read with, and for what that stands behind.
CREATE TRIGGER confirmation_came AFTER INSERT ON confirmation BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT i.id, c.n FROM item i, item_changes c WHERE i.id = NEW.meaning OR i.id IN (SELECT item FROM evidence WHERE correction = NEW.meaning) ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
CREATE TRIGGER confirmation_went AFTER DELETE ON confirmation BEGIN
  UPDATE item_changes SET n = n + 1;
  INSERT INTO item_changed (item, n) SELECT i.id, c.n FROM item i, item_changes c WHERE i.id = OLD.meaning OR i.id IN (SELECT item FROM evidence WHERE correction = OLD.meaning) ON CONFLICT (item) DO UPDATE SET n = excluded.n;
END;
