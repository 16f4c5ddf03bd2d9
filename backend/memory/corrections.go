package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/text"
)

// MostCorrections is how many corrections of one person are kept.
const MostCorrections = 1000

const correctionColumns = `id, author, term, means, sort, domain, detection, quote, session, request, slot, before, after, created, changed, read_by, replaced`

// Corrections lists what a person taught, by term. Nobody else's are looked at.
func (m *Memory) Corrections(ctx context.Context, author string) ([]knowledge.Correction, error) {
	all := []knowledge.Correction{}
	err := each(ctx, m.read, `SELECT `+correctionColumns+`, (SELECT count(*) FROM confirmation WHERE meaning = correction.id) FROM correction WHERE author = ? ORDER BY key`, []any{author},
		func(scan func(...any) error) error {
			confirmed := 0
			c, err := scanCorrection(func(into ...any) error { return scan(append(into, &confirmed)...) })
			c.Confirmed = confirmed
			all = append(all, c)
			return err
		})
	return all, m.classify("list corrections", err)
}

// KeepCorrection keeps what a person taught, with its record in the audit log, both or nothing; id and times are given to it. It takes the place of what the person
// taught of the term before, which is given back; nil: nothing. What says the same again is the same one, and what stands on it stays. Faults: Limit (a person has MostCorrections), and those of Begin.
func (m *Memory) KeepCorrection(ctx context.Context, c *knowledge.Correction, r analyst.Record) (before *knowledge.Correction, err error) {
	now := m.now().UTC()
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		there, err := scanCorrection(tx.QueryRowContext(ctx, `SELECT `+correctionColumns+` FROM correction WHERE author = ? AND key = ?`, c.Author, knowledge.Key(c.Term)).Scan)
		switch {
		case err == nil && saysTheSame(there, *c):
			before = &there
			c.ID, c.Created, c.Changed = there.ID, there.Created, after(there.Changed, now)
			if there.ReadBy == "" {
				c.ReadBy = "" // it was the person's own word, and stays that
			}
			if err := sayAgain(ctx, tx, *c); err != nil {
				return err
			}
			head, err = m.record(ctx, tx, r)
			return err
		case err == nil:
			before, c.Replaced = &there, &there
			if err := removeCorrection(ctx, tx, there, m.now()); err != nil {
				return err
			}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM correction WHERE author = ?`, c.Author).Scan(&n); err != nil {
			return err
		}
		if n >= MostCorrections {
			return fault.New(fault.Limit, "keep correction", text.Say("memory.corrections_many", "most", MostCorrections), text.Say("memory.corrections_many_hint"))
		}
		var id [16]byte
		_, _ = rand.Read(id[:]) // never fails
		c.ID, c.Created, c.Changed = hex.EncodeToString(id[:]), now, now
		if err := addCorrection(ctx, tx, *c); err != nil {
			return err
		}
		if err := unsayElsewhere(ctx, tx, *c, m.now()); err != nil {
			return err
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return before, m.classify("keep correction", err)
}

// ChangeCorrection gives a correction of its author another term or meaning. Faults: NotFound, Conflict (another one has that term), and those of Begin.
func (m *Memory) ChangeCorrection(ctx context.Context, c *knowledge.Correction, r analyst.Record) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		there, err := correctionOf(ctx, tx, c.Author, c.ID)
		if err != nil {
			return err
		}
		c.Quote, c.SessionID, c.RequestID, c.Detection, c.Change = there.Quote, there.SessionID, there.RequestID, there.Detection, there.Change
		c.Created, c.Changed = there.Created, after(there.Changed, m.now().UTC())
		if knowledge.Key(c.Term) == knowledge.Key(there.Term) {
			c.Replaced = there.Replaced
		} else {
			c.Replaced = nil // it was said of another word
		}
		if saysTheSame(there, *c) {
			err = sayAgain(ctx, tx, *c)
		} else if err = removeCorrection(ctx, tx, there, m.now()); err == nil {
			err = addCorrection(ctx, tx, *c)
		}
		if err == nil {
			err = unsayElsewhere(ctx, tx, *c, m.now())
		}
		if duplicate(err) {
			return fault.New(fault.Conflict, "change correction", text.Say("memory.correction_taken", "term", c.Term), text.Say("memory.correction_taken_hint"))
		}
		if err != nil {
			return err
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify("change correction", err)
}

// ForgetCorrection removes what a person taught, and overwrites its traces in the memory file and beside it. Faults: NotFound: the person has no such correction, whoever
// else has it; Unavailable (it is gone, and its traces are overwritten when the workspace is opened next), and those of Begin.
func (m *Memory) ForgetCorrection(ctx context.Context, author, id string, r analyst.Record) error {
	_, err := m.dropCorrection(ctx, author, id, r, false)
	return err
}

// TakeBackCorrection removes what a person taught, as ForgetCorrection does, and puts back what it took the place of, which is given; nil: nothing. Faults: those of ForgetCorrection.
func (m *Memory) TakeBackCorrection(ctx context.Context, author, id string, r analyst.Record) (*knowledge.Correction, error) {
	return m.dropCorrection(ctx, author, id, r, true)
}

func (m *Memory) dropCorrection(ctx context.Context, author, id string, r analyst.Record, putBack bool) (back *knowledge.Correction, err error) {
	var head auditHead
	err = m.update(ctx, func(tx *sql.Tx) error {
		there, err := correctionOf(ctx, tx, author, id)
		if err != nil {
			return err
		}
		if err := removeCorrection(ctx, tx, there, m.now()); err != nil {
			return err
		}
		if err := forgetNoted(ctx, tx, author, knowledge.Key(there.Term)); err != nil {
			return err
		}
		if putBack && there.Replaced != nil {
			back = there.Replaced
			back.Changed = after(there.Changed, m.now().UTC())
			if err := addCorrection(ctx, tx, *back); err != nil {
				return err
			}
			if err := unsayElsewhere(ctx, tx, *back, m.now()); err != nil {
				return err
			}
		}
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err != nil {
		return nil, m.classify("forget correction", err)
	}
	m.writeHead(head)
	if err := m.Scrub(ctx); err != nil {
		return back, fault.Wrap(fault.Unavailable, "forget correction", text.Say("memory.correction_scrub_later"), text.Say("memory.scrub_later_hint"), errors.Join(err, ctx.Err()))
	}
	return back, nil
}

// correctionOf reads a correction of its author. Fault NotFound: to everyone else it does not exist.
func correctionOf(ctx context.Context, tx *sql.Tx, author, id string) (knowledge.Correction, error) {
	c, err := scanCorrection(tx.QueryRowContext(ctx, `SELECT `+correctionColumns+` FROM correction WHERE author = ? AND id = ?`, author, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return c, fault.New(fault.NotFound, "find correction", text.Say("memory.no_correction"), text.Say("memory.no_correction_hint"))
	}
	return c, err
}

func addCorrection(ctx context.Context, tx *sql.Tx, c knowledge.Correction) error {
	var by knowledge.ChangedPart
	if c.Change != nil {
		by = *c.Change
	}
	replaced, err := replacedText(c.Replaced)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO correction (key, `+correctionColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		knowledge.Key(c.Term), c.ID, c.Author, c.Term, c.Means, c.Sort, c.Domain, c.Detection, c.Quote, c.SessionID, c.RequestID, by.Slot, by.From, by.To, stamp(c.Created), stamp(c.Changed), c.ReadBy, replaced)
	return err
}

// replacedText is what a correction took the place of, as it is kept: without the answer and the session in which it was said, which may be gone when it is put back.
func replacedText(c *knowledge.Correction) (string, error) {
	if c == nil {
		return "", nil
	}
	bare := *c
	bare.SessionID, bare.RequestID, bare.Change = "", "", nil
	body, err := json.Marshal(bare)
	return string(body), err
}

// unsayElsewhere takes what bundles of a person say otherwise about the same term out of shared knowledge: what is said here goes before it, whichever came first.
func unsayElsewhere(ctx context.Context, tx *sql.Tx, c knowledge.Correction, now time.Time) error {
	var ids []string
	err := each(ctx, tx, `SELECT id, means FROM brought WHERE author = ? AND key = ?`, []any{c.Author, knowledge.Key(c.Term)}, func(scan func(...any) error) error {
		var id, means string
		err := scan(&id, &means)
		if !knowledge.SameMeaning(means, c.Means) {
			ids = append(ids, id)
		}
		return err
	})
	for _, id := range ids {
		if err == nil {
			err = withdrawEvidence(ctx, tx, id, now)
		}
	}
	return err
}

// saysTheSame says whether two corrections of a person give one term one meaning.
func saysTheSame(a, b knowledge.Correction) bool {
	return knowledge.Key(a.Term) == knowledge.Key(b.Term) && knowledge.SameMeaning(a.Means, b.Means)
}

// sayAgain keeps what its person says once more: what was offered of it, and who called an answer right that was read with it, stays.
func sayAgain(ctx context.Context, tx *sql.Tx, c knowledge.Correction) error {
	var by knowledge.ChangedPart
	if c.Change != nil {
		by = *c.Change
	}
	_, err := tx.ExecContext(ctx, `UPDATE correction SET term = ?, means = ?, sort = ?, domain = ?, detection = ?, quote = ?, session = ?, request = ?, slot = ?, before = ?, after = ?, changed = ?, read_by = ? WHERE id = ?`,
		c.Term, c.Means, c.Sort, c.Domain, c.Detection, c.Quote, c.SessionID, c.RequestID, by.Slot, by.From, by.To, stamp(c.Changed), c.ReadBy, c.ID)
	if err != nil {
		return err
	}
	return noteTraces(ctx, tx) // of the words that it was said in before
}

func removeCorrection(ctx context.Context, tx *sql.Tx, c knowledge.Correction, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM correction WHERE id = ?`, c.ID); err != nil {
		return err
	}
	if err := withdrawEvidence(ctx, tx, c.ID, now); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM confirmation WHERE meaning = ?`, c.ID); err != nil {
		return err
	}
	return noteTraces(ctx, tx)
}

func scanCorrection(scan func(...any) error) (knowledge.Correction, error) {
	var c knowledge.Correction
	var by knowledge.ChangedPart
	var created, changed, replaced string
	if err := scan(&c.ID, &c.Author, &c.Term, &c.Means, &c.Sort, &c.Domain, &c.Detection, &c.Quote, &c.SessionID, &c.RequestID, &by.Slot, &by.From, &by.To, &created, &changed, &c.ReadBy, &replaced); err != nil {
		return c, err
	}
	if by.Slot != "" {
		c.Change = &by
	}
	if replaced != "" {
		var was knowledge.Correction
		if json.Unmarshal([]byte(replaced), &was) == nil { // what cannot be read is not put back
			was.Author = c.Author
			c.Replaced = &was
		}
	}
	var err error
	c.Created, c.Changed, err = moments(created, changed)
	return c, err
}
