package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/text"
)

const itemColumns = `id, term, means, title, content, category, domain, tags, entities, audience, sensitivity, contributor, personal, supersedes,
	valid_from, valid_until, status, self_reviewed, branch, merged, created, changed`

// Items lists shared knowledge of some statuses, all of them when none is named, the latest first, each with its evidence and its history. Who may see one is not decided here.
func (m *Memory) Items(ctx context.Context, statuses ...knowledge.Status) ([]knowledge.Item, error) {
	where, args := "", []any{}
	for _, s := range statuses {
		args = append(args, s)
	}
	if len(args) > 0 {
		where = ` WHERE status IN (?` + strings.Repeat(", ?", len(args)-1) + `)`
	}
	return m.itemsWhere(ctx, m.read, where, args...)
}

// ItemsAbout lists shared knowledge that may go together with that of a domain, the latest first: of the same one, what is about no entity alone, and what gives a term a meaning, which may be empty. Of no domain: all.
func (m *Memory) ItemsAbout(ctx context.Context, domain, term string) ([]knowledge.Item, error) {
	if domain == "" {
		return m.Items(ctx)
	}
	return m.itemsWhere(ctx, m.read, ` WHERE domain IN (?, '') OR term <> '' AND term = ? COLLATE NOCASE`, domain, term)
}

// Item gives a piece of shared knowledge, whoever may see it. Fault NotFound.
func (m *Memory) Item(ctx context.Context, id string) (knowledge.Item, error) {
	all, err := m.itemsWhere(ctx, m.read, ` WHERE id = ?`, id)
	if err == nil && len(all) == 0 {
		err = noItem()
	}
	if err != nil {
		return knowledge.Item{}, err
	}
	return all[0], nil
}

// ItemsOf gives those of some ids that there are, by id, whoever may see them.
func (m *Memory) ItemsOf(ctx context.Context, ids []string) (map[string]knowledge.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := make([]any, len(ids))
	for n, id := range ids {
		args[n] = id
	}
	all, err := m.itemsWhere(ctx, m.read, ` WHERE id IN (?`+strings.Repeat(", ?", len(ids)-1)+`)`, args...)
	by := map[string]knowledge.Item{}
	for _, i := range all {
		by[i.ID] = i
	}
	return by, err
}

func noItem() error {
	return fault.New(fault.NotFound, "find knowledge", text.Say("knowledge.no_item"), "")
}

// reader is the file, or a transaction in it.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (m *Memory) itemsWhere(ctx context.Context, from reader, where string, args ...any) ([]knowledge.Item, error) {
	all, places := []knowledge.Item{}, map[string]int{}
	err := each(ctx, from, `SELECT `+itemColumns+` FROM item`+where+` ORDER BY rowid DESC`, args, func(scan func(...any) error) error {
		i, err := scanItem(scan)
		places[i.ID] = len(all)
		all = append(all, i)
		return err
	})
	if err != nil {
		return nil, m.classify("read knowledge", err)
	}
	of := ` WHERE item IN (SELECT id FROM item` + where + `) ORDER BY rowid`
	err = each(ctx, from, `SELECT item, actor, detection, quote, ref, correction, at FROM evidence`+of, args, func(scan func(...any) error) error {
		var item, at string
		var e knowledge.Evidence
		if err := scan(&item, &e.Actor, &e.Detection, &e.Quote, &e.Ref, &e.Correction, &at); err != nil {
			return err
		}
		var err error
		e.At, err = moment(at)
		if p, there := places[item]; there {
			all[p].Evidence = append(all[p].Evidence, e)
		}
		return err
	})
	if err == nil {
		err = m.confirmations(ctx, from, where, args, func(item string, e knowledge.Evidence) {
			if p, there := places[item]; there {
				all[p].Evidence = append(all[p].Evidence, e)
			}
		})
	}
	if err == nil {
		err = each(ctx, from, `SELECT item, verdict, actor, reason, at FROM decision`+of, args, func(scan func(...any) error) error {
			var item, at string
			var d knowledge.Decision
			if err := scan(&item, &d.Verdict, &d.By, &d.Reason, &at); err != nil {
				return err
			}
			var err error
			d.At, err = moment(at)
			if p, there := places[item]; there {
				all[p].History = append(all[p].History, d)
			}
			return err
		})
	}
	return all, m.classify("read knowledge", err)
}

// confirmations reads which answers were called right that were read with shared knowledge, or with what a person taught that stands behind it.
func (m *Memory) confirmations(ctx context.Context, from reader, where string, args []any, found func(item string, e knowledge.Evidence)) error {
	items := `(SELECT id FROM item` + where + `)`
	return each(ctx, from, `SELECT meaning, author, quote, request, '', at FROM confirmation WHERE meaning IN `+items+`
		UNION SELECT e.item, c.author, c.quote, c.request, c.meaning, c.at FROM confirmation c JOIN evidence e ON e.correction = c.meaning WHERE e.item IN `+items+` ORDER BY 6, 4`,
		slices.Concat(args, args), func(scan func(...any) error) error {
			var item, at string
			e := knowledge.Evidence{Detection: knowledge.ByConfirmation, Answer: true}
			if err := scan(&item, &e.Actor, &e.Quote, &e.Ref, &e.Correction, &at); err != nil {
				return err
			}
			var err error
			e.At, err = moment(at)
			found(item, e)
			return err
		})
}

// each reads the rows of a query.
func each(ctx context.Context, from reader, query string, args []any, row func(scan func(...any) error) error) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanItem(scan func(...any) error) (knowledge.Item, error) {
	i := knowledge.Item{Evidence: []knowledge.Evidence{}, History: []knowledge.Decision{}}
	var tags, entities, created, changed string
	var from, until, merged sql.NullString
	if err := scan(&i.ID, &i.Term, &i.Means, &i.Title, &i.Content, &i.Category, &i.Domain, &tags, &entities, &i.Audience, &i.Sensitivity, &i.Contributor, &i.Personal, &i.Supersedes,
		&from, &until, &i.Status, &i.SelfReviewed, &i.Branch, &merged, &created, &changed); err != nil {
		return i, err
	}
	if err := errors.Join(json.Unmarshal([]byte(tags), &i.Tags), json.Unmarshal([]byte(entities), &i.Entities)); err != nil {
		return i, err
	}
	for _, t := range []struct {
		text sql.NullString
		into *time.Time
	}{{from, &i.From}, {until, &i.Until}} {
		if at, err := momentOrNil(t.text); err != nil {
			return i, err
		} else if at != nil {
			*t.into = *at
		}
	}
	var err error
	if i.Merged, err = momentOrNil(merged); err != nil {
		return i, err
	}
	i.Created, i.Changed, err = moments(created, changed)
	return i, err
}

// Agreed lists the shared knowledge that gives a word a meaning and was approved or mandated, or that the context files say: with the last decision of each kind about it, and without its evidence, whoever may see it.
func (m *Memory) Agreed(ctx context.Context) ([]knowledge.Item, error) {
	const agreed = ` WHERE (status IN ('approved', 'mandatory') OR merged IS NOT NULL) AND key <> ''`
	all, places := []knowledge.Item{}, map[string]int{}
	err := each(ctx, m.read, `SELECT `+itemColumns+` FROM item`+agreed+` ORDER BY rowid`, nil, func(scan func(...any) error) error {
		i, err := scanItem(scan)
		places[i.ID] = len(all)
		all = append(all, i)
		return err
	})
	if err != nil {
		return nil, m.classify("read knowledge", err)
	}
	err = each(ctx, m.read, `SELECT item, verdict, max(at) FROM decision WHERE item IN (SELECT id FROM item`+agreed+`) GROUP BY item, verdict ORDER BY max(at)`, nil, func(scan func(...any) error) error {
		var item, at string
		var d knowledge.Decision
		if err := scan(&item, &d.Verdict, &at); err != nil {
			return err
		}
		var err error
		d.At, err = moment(at)
		if p, there := places[item]; there {
			all[p].History = append(all[p].History, d)
		}
		return err
	})
	return all, m.classify("read knowledge", err)
}

// AddItem keeps new shared knowledge, with its record in the audit log, both or nothing; id and times are given to it. Fault Conflict: the same is pending, or some of
// its evidence was forgotten meanwhile.
func (m *Memory) AddItem(ctx context.Context, i *knowledge.Item, r analyst.Record) error {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	i.ID = hex.EncodeToString(id[:])
	i.Created = m.now().UTC()
	i.Changed = i.Created
	return m.writeItem(ctx, "keep knowledge", r, func(tx *sql.Tx) error {
		err := putItem(ctx, tx, *i)
		if err == nil {
			err = stillSaid(ctx, tx, i)
		}
		if duplicate(err) {
			return fault.New(fault.Conflict, "keep knowledge", text.Say("memory.item_pending", "term", i.Term), "")
		}
		return err
	})
}

// ChangeItem keeps shared knowledge as it is after a decision or with more evidence, with its record in the audit log, both or nothing. before is when it was changed last as far
// as the caller knows. Faults: NotFound; Conflict (it was changed since, or it is pending again and the same is already), and those of Begin.
func (m *Memory) ChangeItem(ctx context.Context, i *knowledge.Item, before time.Time, r analyst.Record) error {
	now := m.now().UTC()
	return m.writeItem(ctx, "change knowledge", r, func(tx *sql.Tx) error {
		if err := unchanged(ctx, tx, i.ID, before); err != nil {
			return err
		}
		i.Changed = after(before, now)
		if _, err := tx.ExecContext(ctx, `DELETE FROM item WHERE id = ?`, i.ID); err != nil {
			return err
		}
		err := putItem(ctx, tx, *i)
		if duplicate(err) { // it is pending again, and the same is already
			return fault.New(fault.Conflict, "change knowledge", text.Say("memory.item_pending", "term", i.Term), "")
		}
		if err != nil {
			return err
		}
		return outdateJudgments(ctx, tx, i)
	})
}

// ForgetItem removes shared knowledge with all that was said of it, and overwrites its traces in the memory file and beside it. Faults: NotFound; Conflict (it was changed since before); Unavailable (it is gone, and its
// traces are overwritten when the workspace is opened next), and those of Begin.
func (m *Memory) ForgetItem(ctx context.Context, id string, before time.Time, r analyst.Record) error {
	err := m.writeItem(ctx, "forget knowledge", r, func(tx *sql.Tx) error {
		if err := unchanged(ctx, tx, id, before); err != nil {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM judgment WHERE item = ?1 OR other = ?1`, `DELETE FROM judging WHERE item = ?`, `DELETE FROM confirmation WHERE meaning = ?`, `DELETE FROM item WHERE id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, statement, id); err != nil {
				return err
			}
		}
		return noteTraces(ctx, tx)
	})
	if err != nil {
		return err
	}
	if err := m.Scrub(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, "forget knowledge", text.Say("memory.correction_scrub_later"), text.Say("memory.scrub_later_hint"), errors.Join(err, ctx.Err()))
	}
	return nil
}

// unchanged looks that an item is as the caller knows it. Faults: NotFound, Conflict.
func unchanged(ctx context.Context, tx *sql.Tx, id string, before time.Time) error {
	var changed string
	switch err := tx.QueryRowContext(ctx, `SELECT changed FROM item WHERE id = ?`, id).Scan(&changed); {
	case errors.Is(err, sql.ErrNoRows):
		return noItem()
	case err != nil:
		return err
	case changed != stamp(before):
		return fault.New(fault.Conflict, "change knowledge", text.Say("memory.item_moved"), text.Say("memory.item_moved_hint"))
	}
	return nil
}

func (m *Memory) writeItem(ctx context.Context, doing string, r analyst.Record, do func(*sql.Tx) error) error {
	var head auditHead
	err := m.update(ctx, func(tx *sql.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		var err error
		head, err = m.record(ctx, tx, r)
		return err
	})
	if err == nil {
		m.writeHead(head)
	}
	return m.classify(doing, err)
}

// stillSaid looks that new knowledge has the evidence that it was found by, some of which may have been forgotten meanwhile. Fault Conflict: it has not.
func stillSaid(ctx context.Context, tx *sql.Tx, i *knowledge.Item) error {
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM evidence WHERE item = ?`, i.ID).Scan(&n); err != nil || n == len(i.Evidence) { // new knowledge has none of answers
		return err
	}
	return fault.New(fault.Conflict, "keep knowledge", text.Say("memory.item_moved"), text.Say("memory.item_moved_hint"))
}

func putItem(ctx context.Context, tx *sql.Tx, i knowledge.Item) error {
	var merged any
	if i.Merged != nil {
		merged = stamp(*i.Merged)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO item (key, `+itemColumns+`) VALUES (?`+strings.Repeat(", ?", 22)+`)`,
		knowledge.Key(i.Term), i.ID, i.Term, i.Means, i.Title, i.Content, i.Category, i.Domain, list(i.Tags), list(i.Entities), i.Audience, i.Sensitivity, i.Contributor, i.Personal,
		i.Supersedes, stampOrNull(i.From), stampOrNull(i.Until), i.Status, i.SelfReviewed, i.Branch, merged, stamp(i.Created), stamp(i.Changed))
	if err != nil {
		return err
	}
	for _, e := range i.Evidence { // what was forgotten since it was read is not written back
		if e.Answer {
			continue // it stands with the answer
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO evidence (item, actor, detection, quote, ref, correction, at) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
			WHERE ?6 = '' OR EXISTS (SELECT 1 FROM correction WHERE id = ?6) OR EXISTS (SELECT 1 FROM brought WHERE id = ?6)`,
			i.ID, e.Actor, e.Detection, e.Quote, e.Ref, e.Correction, stamp(e.At)); err != nil {
			return err
		}
	}
	for _, d := range i.History {
		if _, err := tx.ExecContext(ctx, `INSERT INTO decision (item, verdict, actor, reason, at) VALUES (?, ?, ?, ?, ?)`, i.ID, d.Verdict, d.By, d.Reason, stamp(d.At)); err != nil {
			return err
		}
	}
	return nil
}

// list is a list as JSON.
func list(of []string) string {
	if of == nil {
		return "[]"
	}
	raw, err := json.Marshal(of)
	if err != nil {
		return "[]" // a list of texts can be written
	}
	return string(raw)
}

// CorrectionsAbout lists what anybody taught about a domain, here or in a bundle that was brought, the earliest first, to find out whether several said the same. What a model read out of somebody's words is not among it until they confirmed it. It is never shown to anybody.
func (m *Memory) CorrectionsAbout(ctx context.Context, domain string) ([]knowledge.Correction, error) {
	all := []knowledge.Correction{}
	err := each(ctx, m.read, `SELECT `+correctionColumns+` FROM (
			SELECT `+correctionColumns+`, 0 AS elsewhere, rowid AS place FROM correction WHERE domain = ? AND (read_by = '' OR EXISTS (SELECT 1 FROM confirmation WHERE meaning = correction.id))
			UNION ALL
			SELECT id, author, term, means, sort, domain, detection, quote, '', '', '', '', '', said AS created, said AS changed, '', '', 1, rowid FROM brought
			WHERE domain = ? AND NOT EXISTS (SELECT 1 FROM correction c WHERE c.author = brought.author AND c.key = brought.key))
		ORDER BY created, elsewhere, place`, []any{domain, domain}, func(scan func(...any) error) error {
		c, err := scanCorrection(scan)
		all = append(all, c)
		return err
	})
	return all, m.classify("list corrections", err)
}

// Domains lists what anybody taught something about, sorted.
func (m *Memory) Domains(ctx context.Context) ([]string, error) {
	return m.texts(ctx, `SELECT domain FROM correction UNION SELECT domain FROM brought ORDER BY 1`)
}

// Teachers lists who taught something, sorted.
func (m *Memory) Teachers(ctx context.Context) ([]string, error) {
	return m.texts(ctx, `SELECT author FROM correction UNION SELECT author FROM brought ORDER BY 1`)
}

// texts reads a query of one column.
func (m *Memory) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	all := []string{}
	err := each(ctx, m.read, query, args, func(scan func(...any) error) error {
		var s string
		err := scan(&s)
		all = append(all, s)
		return err
	})
	return all, m.classify("read memory", err)
}

// withdrawEvidence takes what a person does not say any more from shared knowledge: the words, and the name where nothing else of that person stands behind it. It passes to who said so next; who endorsed it only, did not.
// What nobody decided about and nobody says any more is gone, and so is what models said of it; what its person kept personal goes with them.
func withdrawEvidence(ctx context.Context, tx *sql.Tx, correction string, now time.Time) error {
	changed := map[string]string{}
	err := each(ctx, tx, `SELECT id, changed FROM item WHERE id IN (SELECT item FROM evidence WHERE correction = ?)`, []any{correction}, func(scan func(...any) error) error {
		var id, at string
		err := scan(&id, &at)
		changed[id] = at
		return err
	})
	if err != nil {
		return err
	}
	for id, at := range changed { // a decision that is being made reads it anew
		before, err := moment(at)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE item SET changed = ? WHERE id = ?`, stamp(after(before, now)), id)
		}
		if err != nil {
			return err
		}
	}
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`DELETE FROM judgment WHERE item IN (SELECT item FROM evidence WHERE correction = ?1) OR other IN (SELECT item FROM evidence WHERE correction = ?1)`, []any{correction}},
		{`DELETE FROM judging WHERE item IN (SELECT item FROM evidence WHERE correction = ?)`, []any{correction}},
		{`DELETE FROM item WHERE personal = 1 AND id IN (SELECT item FROM evidence WHERE correction = ? AND actor = contributor)`, []any{correction}}, // nobody else ever saw it
		{`UPDATE item SET title = term, content = term || ' means ' || means WHERE status = 'pending' AND id IN (SELECT item FROM evidence WHERE correction = ? AND actor = contributor)
			AND contributor = (SELECT actor FROM decision WHERE item = item.id AND verdict = 'describe' ORDER BY rowid DESC LIMIT 1)`, []any{correction}},
		{`UPDATE item SET contributor = coalesce((SELECT e.actor FROM evidence e WHERE e.item = item.id AND e.correction <> ? AND e.detection NOT IN (?, ?)
			ORDER BY e.actor <> item.contributor, e.at, e.rowid LIMIT 1), '')
			WHERE id IN (SELECT item FROM evidence WHERE correction = ? AND actor = contributor)`, []any{correction, knowledge.ByConfirmation, knowledge.ByMandate, correction}},
		{`DELETE FROM item WHERE status = 'pending' AND contributor = '' AND id IN (SELECT item FROM evidence WHERE correction = ?)`, []any{correction}},
		{`DELETE FROM evidence WHERE correction = ?`, []any{correction}},
	} {
		if _, err := tx.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}
