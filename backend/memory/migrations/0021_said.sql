-- What the context files say of words, and since when: of two meanings of one word the one that was decided later holds, and what the files came to say was decided where they are reviewed.

CREATE TABLE said (
  words TEXT NOT NULL PRIMARY KEY, -- the term and its meaning, as they are compared
  since TEXT NOT NULL              -- when it was first seen there; empty: it stood there before anybody looked
) STRICT;
CREATE TABLE said_looked (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1) -- there is a row once the files were looked at
) STRICT;
CREATE TRIGGER said_added AFTER INSERT ON said BEGIN UPDATE item_changes SET n = n + 1; END;
CREATE TRIGGER said_gone AFTER DELETE ON said BEGIN UPDATE item_changes SET n = n + 1; END;
