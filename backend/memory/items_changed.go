package memory

import (
	"context"

	"assay/backend/knowledge"
)

// ItemChanges counts the changes of shared knowledge.
func (m *Memory) ItemChanges(ctx context.Context) (int64, error) {
	var n int64
	err := m.read.QueryRowContext(ctx, `SELECT n FROM item_changes`).Scan(&n)
	return n, m.classify("read knowledge", err)
}

// Decided gives what became of the shared knowledge that is approved or mandatory since so many changes of it as ItemChanges counts, whoever may see it; since none: all of it.
func (m *Memory) Decided(ctx context.Context, since int64) (knowledge.Changes, error) {
	count, err := m.ItemChanges(ctx) // what changes while the rest is read comes again with the next call
	if err != nil || count == since {
		return knowledge.Changes{Count: count}, err
	}
	const decided = ` WHERE status IN ('approved', 'mandatory')`
	if since == 0 {
		all, err := m.itemsWhere(ctx, m.read, decided)
		return knowledge.Changes{Count: count, Items: all}, err
	}
	c := knowledge.Changes{Count: count}
	if c.Items, err = m.itemsWhere(ctx, m.read, ` WHERE +status IN ('approved', 'mandatory') AND id IN (SELECT item FROM item_changed WHERE n > ?)`, since); err != nil {
		return c, err
	}
	c.Gone, err = m.texts(ctx, `SELECT item FROM item_changed WHERE n > ? AND NOT EXISTS (SELECT 1 FROM item`+decided+` AND id = item_changed.item)`, since)
	return c, err
}
