-- Which answers came with a file stays with them, in branches too; and what came with a file beside its answers.

ALTER TABLE request ADD COLUMN elsewhere TEXT; -- JSON: the file that it came with; null: it was asked here

-- Requests that came with a file are settled as such, and so are their copies. Of a branch the file is that of the nearest session above it that was imported.
WITH RECURSIVE above (session, ancestor, far) AS (
  SELECT id, id, 0 FROM session
  UNION
  SELECT above.session, parent.origin, far + 1 FROM above JOIN (
    SELECT id AS session, origin FROM session UNION ALL SELECT session, origin FROM ancestor
  ) parent ON parent.session = above.ancestor WHERE parent.origin <> '' AND far < 1000
)
UPDATE request SET elsewhere = coalesce(
  (SELECT json_object(
      'file', json_extract(s.imported, '$.file'), 'at', json_extract(s.imported, '$.at'), 'signature', json_extract(s.imported, '$.signature'),
      'signer', json_extract(s.imported, '$.signer'), 'fingerprint', json_extract(s.imported, '$.fingerprint'), 'workspace', json_extract(s.imported, '$.workspace'))
    FROM above JOIN session s ON s.id = above.ancestor WHERE above.session = request.session AND s.imported IS NOT NULL ORDER BY far LIMIT 1),
  json_object('file', '', 'at', settled_at, 'signature', 'none', 'signer', '', 'fingerprint', '', 'workspace', ''))
WHERE settled = 'imported';

-- The part of a semantic model that came with a session. It is offered, and nothing uses it.
CREATE TABLE session_model (
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  path    TEXT NOT NULL, -- context/metrics/revenue.yaml
  content BLOB NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
