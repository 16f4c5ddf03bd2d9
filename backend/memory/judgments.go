package memory

import (
	"context"
	"database/sql"
	"strings"

	"assay/backend/knowledge"
)

const (
	judgmentColumns = `item, other, item_as, other_as, model, at, contradicts, severity, suggestion, why`
	judgingColumns  = `item, item_as, model, actor, at, compared, left_out, host, local, bytes, masked, failed`
)

// Judged gives what models said of a piece of shared knowledge and others, and when one was asked about it last; of no piece: all contradictions, and when one was asked about each. Whether it still holds is
// told by the revisions.
func (m *Memory) Judged(ctx context.Context, item string) ([]knowledge.Judgment, []knowledge.Judging, error) {
	said, asked := []knowledge.Judgment{}, []knowledge.Judging{}
	pairs, pieces, args := `WHERE contradicts`, ``, []any{}
	if item != "" {
		pairs, pieces, args = `WHERE item = ?1 OR other = ?1`, `WHERE item = ?1`, []any{item}
	}
	err := each(ctx, m.read, `SELECT `+judgmentColumns+` FROM judgment `+pairs+` ORDER BY at, item, other`, args, func(scan func(...any) error) error {
		var j knowledge.Judgment
		var at string
		err := scan(&j.Item, &j.Other, &j.ItemAs, &j.OtherAs, &j.Model, &at, &j.Contradicts, &j.Severity, &j.Suggestion, &j.Why)
		if err == nil {
			j.At, err = moment(at)
		}
		said = append(said, j)
		return err
	})
	if err == nil {
		err = each(ctx, m.read, `SELECT `+judgingColumns+` FROM judging `+pieces, args, func(scan func(...any) error) error {
			var j knowledge.Judging
			var at string
			err := scan(&j.Item, &j.As, &j.Model, &j.Actor, &at, &j.Compared, &j.Left, &j.Host, &j.Local, &j.Bytes, &j.Masked, &j.Failed)
			if err == nil {
				j.At, err = moment(at)
			}
			asked = append(asked, j)
			return err
		})
	}
	return said, asked, m.classify("read judgments", err)
}

// KeepJudging keeps that a model was asked about a piece of shared knowledge, and what it said, in place of what was said of the same pieces before. What is about a piece that says something else by now, or
// is gone, is not kept.
func (m *Memory) KeepJudging(ctx context.Context, asked knowledge.Judging, said []knowledge.Judgment) error {
	asked.At = m.now().UTC()
	err := m.update(ctx, func(tx *sql.Tx) error {
		ids := []any{asked.Item}
		for _, j := range said {
			ids = append(ids, j.Other)
		}
		there, err := m.itemsWhere(ctx, tx, ` WHERE id IN (?`+strings.Repeat(", ?", len(ids)-1)+`)`, ids...)
		if err != nil {
			return err
		}
		stands := map[string]string{}
		for _, i := range there {
			stands[i.ID] = i.Revision()
		}
		if stands[asked.Item] != asked.As {
			return nil
		}
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO judging (`+judgingColumns+`) VALUES (?`+strings.Repeat(", ?", 11)+`)`,
			asked.Item, asked.As, asked.Model, asked.Actor, stamp(asked.At), asked.Compared, asked.Left, asked.Host, asked.Local, asked.Bytes, asked.Masked, asked.Failed); err != nil {
			return err
		}
		for _, j := range said {
			if stands[j.Other] != j.OtherAs || j.Item != asked.Item || j.ItemAs != asked.As {
				continue
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM judgment WHERE item = ? AND other = ?`, j.Other, j.Item); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO judgment (`+judgmentColumns+`) VALUES (?`+strings.Repeat(", ?", 9)+`)`,
				j.Item, j.Other, j.ItemAs, j.OtherAs, j.Model, stamp(asked.At), j.Contradicts, j.Severity, j.Suggestion, j.Why); err != nil {
				return err
			}
		}
		return nil
	})
	return m.classify("keep judgment", err)
}

// outdateJudgments removes what was said of an item as it was before.
func outdateJudgments(ctx context.Context, tx *sql.Tx, i *knowledge.Item) error {
	as := i.Revision()
	_, err := tx.ExecContext(ctx, `DELETE FROM judgment WHERE item = ?1 AND item_as <> ?2 OR other = ?1 AND other_as <> ?2`, i.ID, as)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM judging WHERE item = ? AND item_as <> ?`, i.ID, as)
	}
	return err
}
