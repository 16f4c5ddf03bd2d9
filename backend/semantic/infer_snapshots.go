package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// stockWords say how much there is at a time, and not how much came or went.
var stockWords = set("balance balances stock stocks inventory inventories headcount")

// flowWords turn a stock into what came or went.
var flowWords = set("change changes movement movements delta adjustment adjustments received sold issued due transfer transfers turnover in out")

// stockName knows measures that stand for a state: balance, units in stock, on hand, headcount.
func stockName(words []string) bool {
	stock := false
	for i, w := range words {
		pair := w + " " + strings.Join(words[i+1:min(i+2, len(words))], "")
		switch {
		case flowWords[w] && pair != "in stock":
			return false
		case stockWords[w], pair == "on hand", pair == "head count":
			stock = true
		}
	}
	return stock
}

// HasStock says whether a table has an amount whose name speaks of a state, so that it is worth knowing whether its rows
// are snapshots.
func (t *TableFacts) HasStock() bool {
	return slices.ContainsFunc(t.Columns, func(c ColumnFacts) bool { return t.RoleOf(&c) == RoleAmount && stockName(wordsOf(&c)) })
}

// Dated gives the one date among columns; nil when there is none or more than one.
func (t *TableFacts) Dated(columns []string) *ColumnFacts {
	var date *ColumnFacts
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Type.Temporal() && slices.Contains(columns, c.Column) {
			if date != nil {
				return nil
			}
			date = c
		}
	}
	return date
}

// proposeSnapshot makes a sum of the last snapshots of the sum of a state, when the rows of its table are snapshots: a
// date and what they are of tell them apart.
func (d *draft) proposeSnapshot(m *Metric, c *draftColumn) {
	words := wordsOf(c.c)
	if m.Reducer != Sum || !stockName(words) {
		return
	}
	key := d.key
	if d.t.Dated(key) == nil {
		key = d.t.Snapshot
	}
	dated := d.t.Dated(key)
	if dated == nil {
		return
	}
	date := d.column(dated.Column)
	if date == nil {
		return // moved to a header
	}
	s := Semi{Pick: "last"}
	if first := words[0]; first == "opening" || first == "beginning" || first == "starting" || first == "initial" {
		s.Pick = "first"
	}
	for _, k := range key {
		switch column := d.column(k); {
		case column == nil || column.role.Measure():
			return // moved to a header, or no name of a thing
		case column != date:
			s.Per = append(s.Per, column.name)
		}
	}
	m.Additivity.Default = s.String()
	if d.time != date.name {
		m.Time = date.name
	}
	if len(s.Per) == 0 {
		m.Basis = text.Say("semantic.basis_snapshot_whole", "column", c.c.Column, "time", date.c.Column, "pick", s.Pick)
		return
	}
	m.Basis = text.Say("semantic.basis_snapshot", "column", c.c.Column, "time", date.c.Column, "pick", s.Pick, "key", strings.Join(s.Per, ", "))
}
