package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/store/sniff"
	"assay/backend/text"
)

// textTable is a table that comes as text and whose types are to be found out.
type textTable struct {
	name    string
	columns []textColumn
	from    string // relation of text columns to load from
	comma   bool   // see sniff.Options.Comma
	reject  bool   // a few values that do not fit may be made missing; otherwise the column is widened
}

type textColumn struct {
	name    string
	as      string     // what it is called in the table; empty: name
	want    sniff.Type // what it is read as, whatever the values say; empty: what they say
	shape   sniff.Shape
	values  []sniff.Value // of the sample, and what did not fit in the whole
	accept  sniff.Accepts
	places  int  // decimal places that the source declares; numbers have at least as many
	flags   bool // 1 is true and 0 is false; every value is one of them
	missing bool // tokens such as N/A mean "no value" in a text column too, as in delimited text

	misfits []sniff.Value // the values that are made missing, where the shape does that
	failed  int64         // how many fields that are
	total   int64         // fields with a value, of the whole column
}

// infer finds the type of the column out of its values.
func (c *textColumn) infer(opt sniff.Options) {
	if c.want != "" {
		c.shape = sniff.As(c.values, c.want)
		return
	}
	if c.flags {
		c.shape = sniff.Shape{Type: sniff.Boolean, Words: [2]string{"1", "0"}}
		return
	}
	opt.Accept = c.accept
	c.shape = sniff.Infer(c.values, opt)
	if t := c.shape.Type; (t == sniff.Integer || t == sniff.Decimal && c.shape.Digits == 18) && c.shape.Scale < c.places {
		c.shape.Type, c.shape.Scale, c.shape.Digits = sniff.Decimal, c.places, 18
	}
}

// called is what the column is called in the table.
func (c *textColumn) called() string {
	if c.as != "" {
		return c.as
	}
	return c.name
}

// rounds bounds how often types are widened; after the last one a column that still does not fit is text.
const rounds = 6

// misfits bounds the distinct values of a column that are looked at when they do not fit its type.
const misfits = 1000

// writeText loads the table. The types of the sample are tried first, strictly: the first text that does not fit ends
// the load. Then the whole column is asked what does not fit, the types are found out again with that, and the load is
// repeated.
func (l *loader) writeText(ctx context.Context, t *textTable) (rows int64, err error) {
	for i := range t.columns {
		t.columns[i].infer(sniff.Options{Reject: t.reject, Comma: t.comma})
	}
	t.settle()
	for round := 1; ; round++ {
		if !t.tolerant() {
			err := l.execWatched(ctx, t.statement())
			if err == nil {
				break
			}
			if !misfit(err) || round > rounds+1 {
				return 0, err
			}
		}
		changed, err := l.widen(ctx, t, round == rounds)
		if err != nil {
			return 0, err
		}
		if changed {
			continue
		}
		if err := l.execWatched(ctx, t.statement()); err != nil {
			return 0, err
		}
		break
	}
	l.explain(t)
	return l.number(ctx, "SELECT count(*) FROM "+targetTable(t.name))
}

// misfit says whether a load ended because a text did not fit its type.
func misfit(err error) bool {
	t := engineType(err)
	return t == duckdb.ErrorTypeConversion || t == duckdb.ErrorTypeOutOfRange
}

// tolerant says whether some column makes values missing.
func (t *textTable) tolerant() bool {
	for _, c := range t.columns {
		if c.shape.Rejects {
			return true
		}
	}
	return false
}

// statement is the load as SQL.
func (t *textTable) statement() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE OR REPLACE TABLE %s AS SELECT ", targetTable(t.name))
	for i, c := range t.columns {
		v := convert(c.shape, c.name)
		if i > 0 {
			b.WriteString(", ")
		}
		value := v.strict
		switch {
		case c.shape.Rejects:
			value = v.lenient
		case c.missing && c.shape.Type == sniff.Text:
			value = fmt.Sprintf("CASE WHEN %s IN (%s) THEN NULL ELSE %s END", value, list(sniff.Base()), value)
		}
		fmt.Fprintf(&b, "%s AS %s", value, ident(c.called()))
	}
	b.WriteString(" FROM " + t.from)
	return b.String()
}

// widen asks the whole relation which values do not fit and finds the types out again. changed is false when all misfits
// are to be made missing. last makes text of what does not fit.
func (l *loader) widen(ctx context.Context, t *textTable, last bool) (changed bool, err error) {
	var typed []int
	counts := []string{}
	for i, c := range t.columns {
		if c.shape.Type != sniff.Text {
			typed = append(typed, i)
			counts = append(counts, fmt.Sprintf("CAST(count(%s) AS VARCHAR), CAST(count(*) FILTER (%s) AS VARCHAR)", ident(c.name), convert(c.shape, c.name).fails))
		}
	}
	found, err := l.texts(ctx, "SELECT "+strings.Join(counts, ", ")+" FROM "+t.from)
	if err != nil {
		return false, err
	}
	for n, i := range typed {
		c := &t.columns[i]
		total, failed := parseCount(found[0][2*n]), parseCount(found[0][2*n+1])
		c.total, c.failed, c.misfits = total, failed, nil
		if failed == 0 {
			if c.shape.Rejects { // the misfits of the sample fit after all
				c.shape.Rejects = false
			}
			continue
		}
		values, err := l.failing(ctx, t, *c)
		if err != nil {
			return false, err
		}
		before := c.shape
		// A wanted type that most values are not of is a mistake; a few that are not of it are missing, each by name.
		if c.want != "" && (!t.reject || len(values) > misfits || failed*2 > total) {
			return false, l.unfit(t, *c, failed, values[0].Text)
		}
		c.values, c.misfits = merge(c.values, values), values
		if c.want != "" {
			if !last {
				c.infer(sniff.Options{})
			}
			c.shape.Rejects = true
			changed = changed || !same(before, c.shape)
			continue
		}
		few := failed <= sniff.Tolerated(total) && len(values) <= misfits
		if last && !few {
			c.shape = sniff.Shape{Type: sniff.Text}
		} else {
			c.infer(sniff.Options{Reject: t.reject && few, Total: total, Comma: t.comma})
		}
		changed = changed || !same(before, c.shape)
	}
	t.settle()
	return changed, nil
}

func (t *textTable) settle() {
	shapes := make([]*sniff.Shape, len(t.columns))
	for i := range t.columns {
		shapes[i] = &t.columns[i].shape
	}
	sniff.Settle(shapes)
}

// failing gives the most frequent values that do not fit a column's shape, one more than misfits at most.
func (l *loader) failing(ctx context.Context, t *textTable, c textColumn) ([]sniff.Value, error) {
	rows, err := l.texts(ctx, fmt.Sprintf("SELECT %s, CAST(count(*) AS VARCHAR) FROM %s WHERE %s GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT %d",
		ident(c.name), t.from, convert(c.shape, c.name).fails, misfits+1))
	if err != nil {
		return nil, err
	}
	values := make([]sniff.Value, len(rows))
	for i, r := range rows {
		values[i] = sniff.Value{Text: r[0], Count: parseCount(r[1])}
	}
	return values, nil
}

// merge adds values to a sample; the counts of the whole column replace those of the sample.
func merge(sample, more []sniff.Value) []sniff.Value {
	at := map[string]int{}
	for i, v := range sample {
		at[v.Text] = i
	}
	for _, v := range more {
		if i, ok := at[v.Text]; ok {
			sample[i].Count = v.Count
			continue
		}
		sample = append(sample, v)
	}
	return sample
}

// same says whether two shapes read every text alike.
func same(a, b sniff.Shape) bool {
	if len(a.Missing) != len(b.Missing) {
		return false
	}
	return a.Type == b.Type && a.Scale == b.Scale && a.Digits == b.Digits && a.Number == b.Number && a.Layout == b.Layout &&
		a.Words == b.Words && a.Trim == b.Trim && a.Rejects == b.Rejects
}

// explain notes what was assumed about the columns.
func (l *loader) explain(t *textTable) {
	for _, c := range t.columns {
		s := c.shape
		n := s.Number
		if form := s.Written(); form != "" {
			l.forms[[2]string{t.name, c.called()}] = form
		}
		of := Note{Table: t.name, Column: c.called()}
		if c.shape.Rejects && c.failed > 0 {
			of.Code, of.Count, of.Of = FieldsMissing, c.failed, c.total
			l.tell(of, text.Count("store.told_misfits", c.failed, "n", c.failed, "of", c.total, "table", t.name, "column", c.called(),
				"type", text.Say("store.type_"+string(s.Type))))
			of = Note{Table: t.name, Column: c.called()}
		}
		switch {
		case s.Unclear:
			of.Code, of.Severity = MarksUnclear, "caution"
			l.tell(of, text.Say("store.note_unclear", "table", t.name, "column", c.called()))
		case s.Guessed && strings.HasPrefix(s.Layout.Format, "%m"):
			of.Code, of.Severity = DayOrder, "caution"
			l.tell(of, text.Say("store.note_month_first", "table", t.name, "column", c.called()))
		case s.Guessed:
			of.Code, of.Severity = DayOrder, "caution"
			l.tell(of, text.Say("store.note_day_first", "table", t.name, "column", c.called()))
		case s.Layout.Offset:
			of.Code, of.Severity = OffsetsDropped, "info"
			l.tell(of, text.Say("store.note_utc", "table", t.name, "column", c.called()))
		}
		if n.Symbol != "" {
			l.note(text.Say("store.note_symbol", "table", t.name, "column", c.name, "symbol", n.Symbol))
		}
		if n.Percent {
			l.note(text.Say("store.note_percent", "table", t.name, "column", c.name))
		}
		if n.Group != "" || n.Point == "," {
			l.note(text.Say("store.note_marks", "table", t.name, "column", c.name, "group", strings.TrimSpace(n.Group), "point", n.Point))
		}
	}
}

func parseCount(s string) (n int64) {
	for _, r := range s {
		n = n*10 + int64(r-'0')
	}
	return n
}

// tally counts the distinct values of a sample; a value that is missing is not counted.
type tally struct {
	values []sniff.Value
	at     map[string]int
}

func (t *tally) add(s string) {
	if t.at == nil {
		t.at = map[string]int{}
	}
	if i, ok := t.at[s]; ok {
		t.values[i].Count++
		return
	}
	t.at[s] = len(t.values)
	t.values = append(t.values, sniff.Value{Text: s, Count: 1})
}
