package profile

import (
	"context"
	"fmt"
	"strconv"

	"assay/backend/semantic"
)

// Bounds of what is measured of one column for a person to look at.
const (
	shownTop     = 10        // most frequent values
	shownBuckets = 20        // of a distribution
	exactRows    = 5_000_000 // rows up to which different values are counted one by one
	groupedMost  = 1_000_000 // different values up to which a column of more rows is grouped
)

// TableProfile is what a person is told of the columns of a table.
type TableProfile struct {
	Table   string          `json:"table"`
	Rows    int64           `json:"rows"`   // of the table
	Looked  int64           `json:"looked"` // rows that everything below is said of: all of them, or a sample
	Columns []ColumnProfile `json:"columns"`
}

// ColumnProfile is what was measured of one column.
type ColumnProfile struct {
	Name      string     `json:"name"`
	Type      string     `json:"type"`
	Personal  string     `json:"personal"` // the kind of personal values that it holds; its values are not told. Empty: none
	Nulls     int64      `json:"nulls"`    // rows without a value
	Distinct  int64      `json:"distinct"` // different values
	About     bool       `json:"about"`    // Distinct was estimated, within a few percent
	Min       *string    `json:"min"`      // null: no value, or not told
	Max       *string    `json:"max"`
	Mean      *float64   `json:"mean"`       // of numbers
	AvgLength *float64   `json:"avg_length"` // of text, in characters
	MaxLength *int64     `json:"max_length"`
	Histogram []Bucket   `json:"histogram"` // of numbers, dates and timestamps; empty: none
	Top       []TopValue `json:"top"`       // the most frequent values; empty: every value occurs once, or there are too many
}

// Bucket counts the values from From up to To, which belongs to the next one but for the last. Of dates and timestamps both
// are seconds since 1970.
type Bucket struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Count int64   `json:"count"`
}

// TopValue is a value and how often it occurs.
type TopValue struct {
	Value string  `json:"value"` // its first 200 characters
	Count int64   `json:"count"`
	Share float64 `json:"share"` // of the rows that have a value, 0 to 1
}

// ColumnOptions of Columns.
type ColumnOptions struct {
	Sample   int64                      // rows to look at; 0: all
	Personal func(column string) string // the kind of personal values of a column, of which only counts are taken; nil: none
	Progress func(done, total int)      // after each column; nil: never
}

// Columns profiles the columns of a table one by one. Errors are those of run; a context that ends stops between statements
// and within one.
func Columns(ctx context.Context, run Run, d TableDecl, o ColumnOptions) (*TableProfile, error) {
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	counted, err := row(ctx, run, []string{"count(*)"}, d.Table)
	if err != nil {
		return nil, err
	}
	p := &TableProfile{Table: d.Table, Rows: asInt(counted[0]), Columns: []ColumnProfile{}}
	from := quote(d.Table)
	if p.Looked = p.Rows; o.Sample > 0 && o.Sample < p.Rows {
		p.Looked = o.Sample
		from = fmt.Sprintf("(SELECT * FROM %s USING SAMPLE reservoir(%d ROWS) REPEATABLE (1))", from, o.Sample)
	}
	for i, c := range d.Columns {
		one := ColumnProfile{Name: c.Name, Type: string(c.Type), Histogram: []Bucket{}, Top: []TopValue{}}
		if o.Personal != nil {
			one.Personal = o.Personal(c.Name)
		}
		if err := measureColumn(ctx, run, from, p.Looked, &one); err != nil {
			return nil, fmt.Errorf("profile %s.%s: %w", d.Table, c.Name, err)
		}
		p.Columns = append(p.Columns, one)
		o.Progress(i+1, len(d.Columns))
	}
	return p, nil
}

func measureColumn(ctx context.Context, run Run, from string, rows int64, c *ColumnProfile) error {
	q, kind := quote(c.Name), semantic.Type(c.Type)
	distinct := "count(DISTINCT " + q + ")"
	if c.About = rows > exactRows; c.About {
		distinct = "approx_count_distinct(" + q + ")"
	}
	axis := axisOf(q, kind)
	terms := []string{"count(*)", "count(" + q + ")", distinct, "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL"}
	if c.Personal == "" {
		terms[3], terms[4] = "left(CAST(min("+q+") AS VARCHAR), 200)", "left(CAST(max("+q+") AS VARCHAR), 200)"
		if kind.Numeric() {
			terms[5] = "avg(" + axis + ") FILTER (WHERE isfinite(" + axis + "))"
		}
		if kind == semantic.Text {
			terms[6], terms[7] = "avg(length("+q+"))", "max(length("+q+"))"
		}
		if axis != "" {
			terms[8], terms[9] = "min("+axis+") FILTER (WHERE isfinite("+axis+"))", "max("+axis+") FILTER (WHERE isfinite("+axis+"))"
		}
	}
	r, err := rowOf(ctx, run, terms, "FROM "+from+" AS looked")
	if err != nil {
		return err
	}
	valued := asInt(r[1])
	c.Nulls, c.Distinct = asInt(r[0])-valued, min(asInt(r[2]), valued)
	c.Min, c.Max = textOrNil(r[3]), textOrNil(r[4])
	if r[5] != nil {
		mean := asFloat(r[5])
		c.Mean = &mean
	}
	if r[7] != nil {
		avg, most := asFloat(r[6]), asInt(r[7])
		c.AvgLength, c.MaxLength = &avg, &most
	}
	if c.Personal != "" || valued == 0 {
		return nil
	}
	if axis != "" && r[8] != nil {
		if err := measureHistogram(ctx, run, from, axis, kind, asFloat(r[8]), asFloat(r[9]), c); err != nil {
			return err
		}
	}
	if c.Distinct == valued || c.About && c.Distinct > groupedMost {
		return nil
	}
	return measureShown(ctx, run, from, q, valued, c)
}

// axisOf gives a column as a number that buckets can be cut on; empty: it has no order that is one of distances.
func axisOf(q string, kind semantic.Type) string {
	switch {
	case kind.Numeric():
		return "CAST(" + q + " AS DOUBLE)"
	case kind == semantic.Date || kind == semantic.Timestamp:
		return "epoch(CAST(" + q + " AS TIMESTAMP))"
	default:
		return ""
	}
}

// measureHistogram counts the values in buckets of one width; of a few whole numbers each has its own.
func measureHistogram(ctx context.Context, run Run, from, axis string, kind semantic.Type, low, high float64, c *ColumnProfile) error {
	n, width := shownBuckets, (high-low)/shownBuckets
	switch {
	case high <= low:
		n, width = 1, 1
	case kind == semantic.Integer && high-low < shownBuckets:
		n, width = int(high-low)+1, 1
	}
	sql := fmt.Sprintf("SELECT least(%d, CAST(floor((%s - %s) / %s) AS BIGINT)) AS bucket, count(*) AS n\nFROM %s AS looked\nWHERE isfinite(%s)\nGROUP BY 1", n-1, axis, number(low), number(width), from, axis)
	counts, err := rows(ctx, run, sql, n)
	if err != nil {
		return err
	}
	for i := range n {
		c.Histogram = append(c.Histogram, Bucket{From: low + float64(i)*width, To: low + float64(i+1)*width})
	}
	if n == 1 {
		c.Histogram[0].To = high
	}
	for _, r := range counts {
		if i := asInt(r[0]); i >= 0 && i < int64(n) {
			c.Histogram[i].Count = asInt(r[1])
		}
	}
	return nil
}

// number writes a number as SQL that is read back the same.
func number(f float64) string {
	return "CAST('" + strconv.FormatFloat(f, 'g', -1, 64) + "' AS DOUBLE)"
}

func measureShown(ctx context.Context, run Run, from, q string, valued int64, c *ColumnProfile) error {
	sql := fmt.Sprintf("SELECT left(CAST(%s AS VARCHAR), 200) AS v, count(*) AS n\nFROM %s AS looked\nWHERE %s IS NOT NULL\nGROUP BY %s\nORDER BY n DESC, %s\nLIMIT %d", q, from, q, q, q, shownTop)
	all, err := rows(ctx, run, sql, shownTop)
	if err != nil {
		return err
	}
	for _, r := range all {
		n := asInt(r[1])
		c.Top = append(c.Top, TopValue{Value: asText(r[0]), Count: n, Share: float64(n) / float64(valued)})
	}
	return nil
}
