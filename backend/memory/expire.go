package memory

import (
	"context"
	"database/sql"
	"time"

	"assay/backend/analyst"
	"assay/backend/session"
)

// expiryTold is how long before it is forgotten a session says so, at least.
const expiryTold = 7 * 24 * time.Hour

// lastUse is when a session was used: asked in, cleared, or what somebody here did with one of its answers. It wants the time of now.
const lastUse = `max(s.updated, coalesce((SELECT max(f.at) FROM request r JOIN feedback f ON f.request = r.id WHERE r.session = s.id AND f.actor <> ''), ''),
	coalesce((SELECT max(a.created) FROM request r JOIN artifact a ON a.request = r.id WHERE r.session = s.id AND a.kind = '` + string(session.KindView) + `' AND a.created <= ?), ''),
	coalesce((SELECT max(r.settled_at) FROM request r WHERE r.session = s.id AND r.settled_by <> ''), ''))`

// keptAnyway is what keeps a session however long it was not used: that it is pinned, or one of its answers is; that a request of it runs, or waits for a word before
// it runs or about its result. A question that was asked back and never answered does not.
const keptAnyway = `(s.pinned IS NOT NULL
	OR EXISTS (SELECT 1 FROM request r JOIN artifact a ON a.request = r.id WHERE r.session = s.id AND a.kind = '` + string(session.KindView) + `' AND json_extract(a.body, '$.pinned'))
	OR EXISTS (SELECT 1 FROM request r WHERE r.session = s.id AND (r.finished IS NULL OR r.settled = '' AND r.stage IN ('` + string(analyst.StagePlan) + `', '` + string(analyst.StageAccept) + `'))))`

// Expired says what came of looking for sessions that were not used for long.
type Expired struct {
	Told      []string // that say from now on when they are forgotten
	Forgotten []string
}

// Expire forgets the sessions that were not used for as long as sessions are kept (0: for ever), and of those that will be within seven days notes when. None is
// forgotten before that stood there for seven days. What is pinned stays, as a session or an answer of it, and so does what waits for somebody's word. Faults as of
// Begin.
func (m *Memory) Expire(ctx context.Context, keep time.Duration) (Expired, error) {
	var out Expired
	now := m.now()
	told := stamp(now.Add(expiryTold - keep)) // used before: it is told of
	if keep <= 0 {
		told = ""
	}
	var any bool
	if err := m.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM session WHERE deleted IS NULL AND (updated < ? OR expires IS NOT NULL))`, told).Scan(&any); err != nil || !any {
		return out, m.classify("expire sessions", err)
	}
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		all, err := expiring(ctx, tx, stamp(now), told)
		if err != nil {
			return err
		}
		for _, s := range all {
			expires, err := s.when(keep, now, told)
			if err != nil {
				return err
			}
			switch {
			case expires == s.expires:
			case expires != "" && s.expires == "":
				out.Told = append(out.Told, s.id)
				fallthrough
			default:
				if _, err := tx.ExecContext(ctx, `UPDATE session SET expires = nullif(?, '') WHERE id = ?`, expires, s.id); err != nil {
					return err
				}
			}
			if expires != "" && expires <= stamp(now) {
				out.Forgotten = append(out.Forgotten, s.id)
			}
		}
		head, err = m.remove(ctx, tx, out.Forgotten, goneUnused, "")
		return err
	})
	if err != nil {
		return Expired{}, m.classify("expire sessions", err)
	}
	m.writeHead(head)
	return out, nil
}

// unused is a session that was not used for long, or is told to be forgotten.
type unused struct {
	id, used, expires string // expires is empty where nobody was told
	kept              bool
}

func expiring(ctx context.Context, tx *sql.Tx, now, told string) ([]unused, error) {
	rows, err := tx.QueryContext(ctx, `SELECT s.id, `+lastUse+`, coalesce(s.expires, ''), `+keptAnyway+` FROM session s WHERE s.deleted IS NULL AND (s.updated < ? OR s.expires IS NOT NULL)`, now, told)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var all []unused
	for rows.Next() {
		var s unused
		if err := rows.Scan(&s.id, &s.used, &s.expires, &s.kept); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// when gives when a session is forgotten; empty: nobody is told of that yet.
func (s unused) when(keep time.Duration, now time.Time, told string) (string, error) {
	if s.kept || s.used >= told {
		return "", nil
	}
	used, err := moment(s.used)
	if err != nil {
		return "", err
	}
	due := used.Add(keep)
	if s.expires != "" { // its person was told of a day; it may be put off, and comes no earlier
		was, err := moment(s.expires)
		if err != nil || was.After(due) {
			return s.expires, err
		}
		return stamp(due), nil
	}
	if soonest := now.Add(expiryTold); due.Before(soonest) {
		due = soonest
	}
	return stamp(due), nil
}
