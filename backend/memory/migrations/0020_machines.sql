-- Somebody who works at several machines signs with a key at each: what one of them says takes nothing back that another one said.

CREATE TABLE bundle_of (
  author  TEXT NOT NULL,
  key     TEXT NOT NULL, -- Ed25519, in hexadecimal
  number  INTEGER NOT NULL, -- of the last one that was taken
  digest  TEXT NOT NULL,
  brought TEXT NOT NULL,
  PRIMARY KEY (author, key)
) STRICT;
INSERT INTO bundle_of SELECT author, key, number, digest, brought FROM bundle;
DROP TABLE bundle;
ALTER TABLE bundle_of RENAME TO bundle;
ALTER TABLE brought ADD COLUMN signer TEXT NOT NULL DEFAULT ''; -- the key of the bundle that it came with
UPDATE brought SET signer = coalesce((SELECT bundle.key FROM bundle WHERE bundle.author = brought.author), '');
