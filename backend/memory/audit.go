package memory

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/text"
)

// AuditEntry is a record of the audit log as it stands there.
type AuditEntry struct {
	Seq       int64           `json:"seq"`
	At        time.Time       `json:"at"`
	Kind      string          `json:"kind"`
	RequestID string          `json:"request_id"`
	SessionID string          `json:"session_id"`
	Actor     string          `json:"actor"`
	Body      json.RawMessage `json:"body"`
	Prev      string          `json:"prev"` // hash of the entry before; empty: there was none
	Hash      string          `json:"hash"`
}

// hashOf is the SHA-256 of an entry's fields and of the hash before, each written as JSON in one list, in hexadecimal.
func hashOf(seq int64, at, kind, request, sessionID, actor, body, prev string) (string, error) {
	raw, err := json.Marshal([]any{seq, at, kind, request, sessionID, actor, body, prev})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// Record adds to the audit log and returns after that is durable on disk: what is recorded happens after it, or not at all.
// Faults as of Begin.
func (m *Memory) Record(ctx context.Context, r analyst.Record) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) (err error) {
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("write audit log", err)
}

// Warn adds to the audit log, as Record does, and tells others of it, both or nothing.
func (m *Memory) Warn(ctx context.Context, r analyst.Record, notices []analyst.Notice) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) (err error) {
		head, err = m.tell(ctx, tx, notices, []analyst.Record{r})
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("write audit log", err)
}

// record adds to the audit log within a transaction.
func (m *Memory) record(ctx context.Context, tx *sql.Tx, r analyst.Record) (auditHead, error) {
	last, err := lastEntry(ctx, tx)
	if err != nil {
		return auditHead{}, err
	}
	body := string(r.Body)
	if body == "" {
		body = "{}"
	}
	head := auditHead{seq: last.seq + 1}
	at := stamp(m.now())
	if head.hash, err = hashOf(head.seq, at, r.Kind, r.RequestID, r.SessionID, r.Actor, body, last.hash); err != nil {
		return auditHead{}, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO audit (seq, at, kind, request, session, actor, body, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		head.seq, at, r.Kind, r.RequestID, r.SessionID, r.Actor, body, last.hash, head.hash)
	return head, err
}

// auditHead is the end of the chain.
type auditHead struct {
	seq  int64
	hash string
}

// lastEntry gives the end of the chain: the last entry, or the last one that went; all zero: nothing was ever recorded.
func lastEntry(ctx context.Context, tx *sql.Tx) (h auditHead, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq, hash FROM (SELECT seq, hash FROM audit UNION ALL SELECT until, hash FROM audit_retired) ORDER BY seq DESC LIMIT 1`).Scan(&h.seq, &h.hash)
	if errors.Is(err, sql.ErrNoRows) {
		return auditHead{}, nil
	}
	return h, err
}

// The end of the chain stands in a second file too, so that a log whose end was cut off is found out. The file may be behind,
// by a crash or by another process that wrote at the same time, and is never ahead of a log that is whole.
func (m *Memory) headFile() string { return m.path + "-audit" }

func (m *Memory) writeHead(h auditHead) {
	if h.seq == 0 { // nothing was recorded
		return
	}
	f, err := os.OpenFile(m.headFile(), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return // the record is durable; Verify says that the second file is missing
	}
	defer f.Close()
	_, _ = fmt.Fprintf(f, "%020d %s\n", h.seq, h.hash) // always as long, so that nothing of the former one is left
}

func (m *Memory) readHead() (h auditHead, err error) {
	raw, err := os.ReadFile(m.headFile())
	if err != nil {
		return h, err
	}
	seq, hash, ok := strings.Cut(strings.TrimSpace(string(raw)), " ")
	if !ok {
		return h, fmt.Errorf("%q is no end of a chain", raw)
	}
	h.hash = hash
	h.seq, err = strconv.ParseInt(seq, 10, 64)
	return h, err
}

// AuditFilter says which entries are wanted; zero fields ask for all.
type AuditFilter struct {
	RequestID string
	SessionID string
	Actor     string
	Last      int // the latest so many
}

// Audit lists entries of the audit log, oldest first.
func (m *Memory) Audit(ctx context.Context, f AuditFilter) ([]AuditEntry, error) {
	limit := f.Last
	if limit <= 0 {
		limit = -1
	}
	rows, err := m.read.QueryContext(ctx, `SELECT * FROM (SELECT seq, at, kind, request, session, actor, body, prev, hash FROM audit
		WHERE (? = '' OR request = ?) AND (? = '' OR session = ?) AND (? = '' OR actor = ?) ORDER BY seq DESC LIMIT ?) ORDER BY seq`,
		f.RequestID, f.RequestID, f.SessionID, f.SessionID, f.Actor, f.Actor, limit)
	if err != nil {
		return nil, m.classify("read audit log", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	entries := []AuditEntry{}
	for rows.Next() {
		e, _, err := scanEntry(rows)
		if err != nil {
			return nil, m.classify("read audit log", err)
		}
		entries = append(entries, e)
	}
	return entries, m.classify("read audit log", rows.Err())
}

// scanEntry reads an entry, and its time as it is written.
func scanEntry(rows *sql.Rows) (e AuditEntry, at string, err error) {
	var body string
	if err := rows.Scan(&e.Seq, &at, &e.Kind, &e.RequestID, &e.SessionID, &e.Actor, &body, &e.Prev, &e.Hash); err != nil {
		return e, at, err
	}
	e.Body = json.RawMessage(body)
	if !json.Valid(e.Body) { // somebody changed it; the hash will say so too
		e.Body, _ = json.Marshal(body)
	}
	e.At, err = moment(at)
	return e, at, err
}

// AuditVerdict is what came of checking the audit log.
type AuditVerdict struct {
	Valid   bool   `json:"valid"`
	Entries int64  `json:"entries"` // that are there and were checked
	First   int64  `json:"first"`   // the first one that is there; 0: none
	Last    int64  `json:"last"`
	Retired int64  `json:"retired"` // the last one that went because it was old; 0: none
	Broken  int64  `json:"broken"`  // the first one that is wrong; 0: none
	Problem string `json:"problem"` // a sentence; empty: there is none
}

// VerifyAudit checks the chain of the audit log from its beginning to its end, and its end against the second file.
func (m *Memory) VerifyAudit(ctx context.Context) (AuditVerdict, error) {
	var v AuditVerdict
	var prev string
	head, missing := m.readHead() // first: another process may write meanwhile
	err := m.read.QueryRowContext(ctx, `SELECT until, hash FROM audit_retired ORDER BY until DESC LIMIT 1`).Scan(&v.Retired, &prev)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return v, m.classify("check audit log", err)
	}
	retired := prev
	rows, err := m.read.QueryContext(ctx, `SELECT seq, at, kind, request, session, actor, body, prev, hash FROM audit ORDER BY seq`)
	if err != nil {
		return v, m.classify("check audit log", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	due, told := v.Retired+1, v.Retired == 0
	headSeen := head.seq <= v.Retired
	for rows.Next() {
		var seq int64
		var at, kind, request, sessionID, actor, body, before, hash string
		if err := rows.Scan(&seq, &at, &kind, &request, &sessionID, &actor, &body, &before, &hash); err != nil {
			return v, m.classify("check audit log", err)
		}
		want, err := hashOf(seq, at, kind, request, sessionID, actor, body, prev)
		switch {
		case err != nil:
			return v, m.classify("check audit log", err)
		case seq != due:
			v.breaksAt(due, text.Say("memory.audit_missing", "seq", due))
		case before != prev || hash != want:
			v.breaksAt(seq, text.Say("memory.audit_changed", "seq", seq))
		case seq == head.seq && hash != head.hash:
			v.breaksAt(seq, text.Say("memory.audit_rewritten", "seq", seq))
		}
		if v.Problem != "" {
			return v, nil
		}
		if kind == analyst.AuditRetention {
			var r retention
			told = told || json.Unmarshal([]byte(body), &r) == nil && r.Until == v.Retired && r.Hash == retired
		}
		headSeen = headSeen || seq == head.seq
		if v.First == 0 {
			v.First = seq
		}
		v.Entries, v.Last, prev, due = v.Entries+1, seq, hash, seq+1
	}
	if err := rows.Err(); err != nil {
		return v, m.classify("check audit log", err)
	}
	switch {
	case !told:
		v.breaksAt(v.First, text.Say("memory.audit_retired_untold", "seq", v.Retired))
	case errors.Is(missing, fs.ErrNotExist) && v.Entries == 0:
	case missing != nil:
		v.Problem = text.Say("memory.audit_no_head", "file", m.headFile())
	case !headSeen:
		v.breaksAt(due, text.Say("memory.audit_cut", "seq", head.seq, "last", v.Last))
	}
	v.Valid = v.Problem == ""
	return v, nil
}

func (v *AuditVerdict) breaksAt(at int64, problem string) { v.Broken, v.Problem = at, problem }

// retention is the body of a record that old ones went.
type retention struct {
	Until int64  `json:"until"` // the last one that went
	Hash  string `json:"hash"`  // of it
	Went  int64  `json:"went"`  // how many
}

// RetireAudit lets the entries before a time go, which the log then says itself, and gives how many went. The last entry
// always stays. Only a beginning of the log can go: an entry that a wrong clock dated later keeps those after it.
func (m *Memory) RetireAudit(ctx context.Context, before time.Time) (int64, error) {
	var went int64
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		var r retention
		err := tx.QueryRowContext(ctx, `SELECT seq, hash FROM audit
			WHERE seq < coalesce((SELECT min(seq) FROM audit WHERE at >= ?), 1 << 62) AND seq < (SELECT max(seq) FROM audit) ORDER BY seq DESC LIMIT 1`, stamp(before)).Scan(&r.Until, &r.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM audit WHERE seq <= ?`, r.Until).Scan(&r.Went); err != nil {
			return err
		}
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if head, err = m.record(ctx, tx, analyst.Record{Kind: analyst.AuditRetention, Body: body}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO audit_retired (until, hash) VALUES (?, ?)`, r.Until, r.Hash); err != nil {
			return err
		}
		went = r.Went
		_, err = tx.ExecContext(ctx, `DELETE FROM audit WHERE seq <= ?`, r.Until)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return went, m.classify("retire audit log", err)
}
