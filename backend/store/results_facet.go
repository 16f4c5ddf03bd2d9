package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Choice is what a cell may be: one of some values, in one of some ranges, or NULL where that is wanted too. Rows that are no
// members, totals and the rest of a TOP, are none of them.
type Choice struct {
	Values []string `json:"values,omitempty" maxItems:"400" doc:"As a facet gives them"`
	Ranges []Range  `json:"ranges,omitempty" maxItems:"64"`
	Null   bool     `json:"null,omitempty"`
}

// Range is numbers, days or moments from From to before To.
type Range struct {
	From string `json:"from" maxLength:"100"`
	To   string `json:"to" maxLength:"100"`
}

// FacetOf says what is to be counted.
type FacetOf struct {
	Column int     `json:"column" minimum:"0"`
	Find   string  `json:"find,omitempty" maxLength:"300" doc:"Only values that hold this text, whatever its case"`
	Ranges []Range `json:"ranges,omitempty" maxItems:"64" doc:"Count these instead of values"`
	// The other filters; those of the column itself are left aside.
	Filters []Filter `json:"filters,omitempty" maxItems:"64"`
	Search  string   `json:"search,omitempty" maxLength:"1000"`
}

// Facet is what the cells of a column are, with how many rows have each, in the rows that the filters of the other columns keep.
type Facet struct {
	Rows     int64        `json:"rows" doc:"Members that the other filters keep"`
	Nulls    int64        `json:"nulls"`
	Long     int64        `json:"long" doc:"Rows whose text is too long to be listed"`
	Distinct int64        `json:"distinct" doc:"Different values besides NULL; about so many, when exact is false"`
	Exact    bool         `json:"exact"`
	Min      string       `json:"min" doc:"The least finite number, day or moment; empty: there is none, or the column has none"`
	Max      string       `json:"max"`
	Values   []FacetValue `json:"values" nullable:"false" doc:"The most frequent ones first, 300 at most; none where ranges were counted, or numbers and dates have too many"`
	Ranges   []int64      `json:"ranges" nullable:"false" doc:"Rows in each range that was given"`
}

// FacetValue is one value of a column, as text.
type FacetValue struct {
	Value string `json:"value"`
	Rows  int64  `json:"rows"`
}

// The bounds of facets.
const (
	facetValues = 300
	// facetSpread is how many different numbers or dates are counted in ranges only.
	facetSpread = 2000
)

// Facet counts the values of a column over the whole result, also where id is a view of one. Faults as of View.
func (r *Results) Facet(ctx context.Context, id string, of FacetOf) (f Facet, err error) {
	r.mu.Lock()
	if x := r.held[id]; x != nil && x.Of != "" && r.held[x.Of] != nil {
		id = x.Of
	}
	r.mu.Unlock()
	err = r.readWithin(ctx, resultTimeout, id, func(ctx context.Context, x *Result, conn *sql.Conn) error {
		f, err = x.facet(ctx, conn, of)
		return err
	})
	return f, err
}

func (x *Result) facet(ctx context.Context, conn *sql.Conn, of FacetOf) (f Facet, err error) {
	f.Values, f.Ranges = []FacetValue{}, make([]int64, len(of.Ranges))
	if of.Column < 0 || of.Column >= len(x.Columns) {
		return f, x.noColumn(of.Column)
	}
	var others []Filter
	for _, o := range of.Filters {
		if o.Column != of.Column {
			others = append(others, o)
		}
	}
	where, _, err := x.clauses(View{Filters: others, Search: of.Search})
	if err != nil {
		return f, err
	}
	if members := x.members(); members != "" {
		if where == "" {
			where = " WHERE " + members
		} else {
			where += " AND " + members
		}
	}
	if len(of.Ranges) > 0 {
		return f, x.countRanges(ctx, conn, of, where, &f)
	}
	if err := x.countAll(ctx, conn, of.Column, where, &f); err != nil {
		return f, err
	}
	if x.ordered(of.Column) && f.Distinct > facetSpread {
		return f, nil
	}
	return f, x.countValues(ctx, conn, of, where, &f)
}

// ordered says whether a column's values have ranges.
func (x *Result) ordered(column int) bool {
	switch x.Columns[column].Type {
	case "integer", "decimal", "float", "date", "timestamp":
		return true
	}
	return false
}

// members is the condition that a row is one; empty: all are.
func (x *Result) members() string {
	var all []string
	for _, flag := range x.last() {
		all = append(all, "NOT "+flag)
	}
	return strings.Join(all, " AND ")
}

// valueOf writes a cell as the text of a value.
func (x *Result) valueOf(column int) string {
	name := resultColumn(column)
	switch x.Columns[column].Type {
	case "integer", "decimal", "boolean":
		return "CAST(" + name + " AS VARCHAR)"
	case "float":
		return "replace(CAST(CAST(" + name + " AS DOUBLE) AS VARCHAR), 'inf', 'infinity')"
	}
	return x.shown(column, true)
}

// countAll counts rows, and how many different values they have: about, which is enough to choose between values and ranges.
func (x *Result) countAll(ctx context.Context, conn *sql.Conn, column int, where string, f *Facet) error {
	name, least, most, long := resultColumn(column), "NULL", "NULL", "0"
	if x.ordered(column) {
		finite := name
		if kind := x.Columns[column].Type; kind == "float" || kind == "date" || kind == "timestamp" {
			finite = "CASE WHEN isfinite(" + name + ") THEN " + name + " END"
		}
		least, most = "CAST(min("+finite+") AS VARCHAR)", "CAST(max("+finite+") AS VARCHAR)"
	} else {
		long = fmt.Sprintf("count(CASE WHEN length(%s) > %d THEN 1 END)", x.valueOf(column), WindowText)
	}
	var low, high sql.NullString
	var filled int64
	err := conn.QueryRowContext(ctx, fmt.Sprintf("SELECT count(*), count(%s), %s, approx_count_distinct(%s), %s, %s FROM %s%s", name, long, name, least, most, resultFrom, where)).
		Scan(&f.Rows, &filled, &f.Long, &f.Distinct, &low, &high)
	f.Nulls, f.Min, f.Max = f.Rows-filled, low.String, high.String
	return err
}

// countValues counts the most frequent values.
func (x *Result) countValues(ctx context.Context, conn *sql.Conn, of FacetOf, where string, f *Facet) error {
	value := x.valueOf(of.Column)
	kept := resultColumn(of.Column) + " IS NOT NULL"
	if !x.ordered(of.Column) {
		kept += fmt.Sprintf(" AND length(%s) <= %d", value, WindowText)
	}
	if of.Find != "" {
		kept += fmt.Sprintf(" AND contains(lower(%s), lower(%s))", value, literal(of.Find))
	}
	if where == "" {
		where = " WHERE " + kept
	} else {
		where += " AND " + kept
	}
	rows, err := conn.QueryContext(ctx, fmt.Sprintf("SELECT v, n FROM (SELECT %s AS v, count(*) AS n FROM %s%s GROUP BY v) ORDER BY n DESC, v LIMIT %d", value, resultFrom, where, facetValues+1))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var v FacetValue
		if err := rows.Scan(&v.Value, &v.Rows); err != nil {
			return err
		}
		f.Values = append(f.Values, v)
	}
	if len(f.Values) > facetValues {
		f.Values = f.Values[:facetValues]
	} else if of.Find == "" && f.Long == 0 {
		f.Distinct, f.Exact = int64(len(f.Values)), true
	}
	return rows.Err()
}

// countRanges counts the rows of each range.
func (x *Result) countRanges(ctx context.Context, conn *sql.Conn, of FacetOf, where string, f *Facet) error {
	parts := []string{"count(*)", "count(" + resultColumn(of.Column) + ")"}
	for _, one := range of.Ranges {
		condition, err := x.inRange(of.Column, one)
		if err != nil {
			return err
		}
		parts = append(parts, "count(CASE WHEN "+condition+" THEN 1 END)")
	}
	var filled int64
	into := []any{&f.Rows, &filled}
	for i := range f.Ranges {
		into = append(into, &f.Ranges[i])
	}
	err := conn.QueryRowContext(ctx, "SELECT "+strings.Join(parts, ", ")+" FROM "+resultFrom+where).Scan(into...)
	f.Nulls = f.Rows - filled
	return err
}

// inRange is the condition that a cell lies in a range.
func (x *Result) inRange(column int, one Range) (string, error) {
	if !x.ordered(column) {
		return "", fault.New(fault.Invalid, "view result", text.Say("store.result_no_ranges", "column", x.Columns[column].Name, "type", x.Columns[column].Type), "")
	}
	from, _, err := x.bounds(Filter{Column: column, Value: one.From})
	if err != nil {
		return "", err
	}
	to, _, err := x.bounds(Filter{Column: column, Value: one.To})
	if err != nil {
		return "", err
	}
	name := resultColumn(column)
	return "(" + name + " >= " + from + " AND " + name + " < " + to + ")", nil
}

// chosen writes a choice as a condition.
func (x *Result) chosen(f Filter) (string, error) {
	if f.OneOf == nil {
		return "", fault.New(fault.Invalid, "view result", text.Say("store.result_no_choice"), "")
	}
	var any []string
	if f.OneOf.Null {
		any = append(any, resultColumn(f.Column)+" IS NULL")
	}
	for _, one := range f.OneOf.Ranges {
		condition, err := x.inRange(f.Column, one)
		if err != nil {
			return "", err
		}
		any = append(any, condition)
	}
	if len(f.OneOf.Values) > 0 { // by their text, as a facet gives it: no digit is lost
		all := make([]string, len(f.OneOf.Values))
		for i, value := range f.OneOf.Values {
			all[i] = literal(value)
		}
		any = append(any, x.valueOf(f.Column)+" IN ("+strings.Join(all, ", ")+")")
	}
	if len(any) == 0 {
		return "false", nil
	}
	condition := "(" + strings.Join(any, " OR ") + ")"
	if members := x.members(); members != "" {
		condition = "(" + condition + " AND " + members + ")"
	}
	return condition, nil
}
