package svg

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"

	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// mark is one thing that is drawn: a bar, a point, a slice.
type mark struct {
	name   string  // its member on the axis
	at     float64 // its place on an axis of numbers, or of time in seconds
	placed bool    // at is known
	value  float64
	has    bool // value is known; else there is a gap
	series string
	facet  string
	label  string // its number
	tip    string
	count  int // rows that one point of a raster stands for
}

// drawing is what is drawn, before it has a place.
type drawing struct {
	edit     session.ChartEdit
	frame    *frameql.Frame
	x, y     frameql.Column // x: zero where nothing stands along the axis
	marks    []mark
	order    []string // members along the axis
	series   []string // those that have a colour
	faint    map[string]bool
	facets   []string // one at least
	notes    []string
	timed    bool // the axis of members is time
	numbered bool // the axis of members is one of numbers
	compared bool // the second number is what the first one is compared with
	most     int  // marks
}

// huge is beyond what is drawn: sums of it must stay numbers.
const huge = 1e200

// valueOf reads a number that can be drawn.
func valueOf(cell any) (float64, bool) {
	r, ok := frameview.Number(cell)
	if !ok {
		return 0, false
	}
	x, _ := r.Float64()
	return x, math.Abs(x) < huge
}

// marksOf makes the marks of an intent: rows that share their members are put together, marks are put into order, and no more of them are
// left than can be seen, or wanted.
func marksOf(edit session.ChartEdit, whole *frameql.Frame, most int) *drawing {
	f := frameview.Members(whole)
	d := &drawing{edit: edit, frame: f, most: most, facets: []string{""}, faint: map[string]bool{}}
	at := func(name string) int {
		return slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Name == name })
	}
	var ys []int
	for _, name := range edit.Y {
		if i := at(name); i >= 0 {
			ys = append(ys, i)
		}
	}
	x, color, facet := at(edit.X), at(edit.Color), at(edit.Facet)
	if len(ys) == 0 || len(f.Rows) == 0 {
		return d
	}
	d.y = f.Columns[ys[0]]
	if len(ys) > 1 && f.Columns[ys[1]].Derived != nil {
		d.compared = f.Columns[ys[1]].Derived.Of == d.y.Name
	}
	if x >= 0 {
		d.x = f.Columns[x]
		d.timed = d.x.Type == "date" || d.x.Type == "timestamp"
		d.numbered = edit.Type == chart.Scatter || (edit.Type == chart.Line || edit.Type == chart.Area) && frameview.Numeric(d.x)
	} else if edit.Type == chart.Scatter {
		return d
	}
	if color >= 0 || edit.Type == chart.Pie || edit.Type == chart.Histogram || edit.Type == chart.Box || edit.Type == chart.Scatter || edit.Type == chart.Heatmap {
		ys = ys[:1]
	}
	d.collect(x, color, facet, ys)
	d.reduce()
	return d
}

// group is the rows of one mark.
type group struct {
	rows   []int
	number int
}

// collect puts together the rows that share their members, unless every row is a mark of its own.
func (d *drawing) collect(x, color, facet int, ys []int) {
	f := d.frame
	other := frameview.Flag(f, "is_other")
	single := d.edit.Type == chart.Scatter || d.edit.Type == chart.Histogram || d.edit.Type == chart.Box
	var groups []*group
	known := map[string]*group{}
	for i, row := range f.Rows {
		for _, y := range ys {
			if single {
				groups = append(groups, &group{[]int{i}, y})
				continue
			}
			key := keyOf(row, x, color, facet, other, y)
			if known[key] == nil {
				known[key] = &group{nil, y}
				groups = append(groups, known[key])
			}
			known[key].rows = append(known[key].rows, i)
		}
	}
	words := func(row, column int) string {
		if column < 0 {
			return ""
		}
		if f.Rows[row][column] == nil && other >= 0 && f.Rows[row][other] == true {
			return text.Say("analyst.other_member")
		}
		return frameview.Member(f.Rows[row][column], f.Columns[column])
	}
	together := false
	for _, g := range groups {
		row, column := g.rows[0], f.Columns[g.number]
		m := mark{name: words(row, x), series: words(row, color), facet: words(row, facet)}
		if color < 0 && len(ys) > 1 {
			m.series = frameview.Label(column)
		}
		exact, has := d.together(g, column)
		if m.has = has; has {
			m.value, _ = exact.Float64()
		}
		together = together || len(g.rows) > 1
		if x >= 0 {
			m.at, m.placed = d.place(f.Rows[row][x])
		}
		m.label = text.Say("analyst.no_value")
		if m.has {
			m.label = frameview.FigureOf(exact, column)
		}
		m.tip = d.tipOf(m, column, row)
		d.marks = append(d.marks, m)
	}
	if together {
		d.notes = append(d.notes, text.Say("svg.together_"+d.how(f.Columns[ys[0]])))
	}
}

func keyOf(row []any, columns ...int) string {
	var cells []any
	for _, c := range columns[:len(columns)-1] {
		if c >= 0 {
			cells = append(cells, row[c])
		}
	}
	raw, err := json.Marshal(append(cells, columns[len(columns)-1]))
	if err != nil {
		return ""
	}
	return string(raw)
}

// place is where a cell stands on an axis of time or of numbers.
func (d *drawing) place(cell any) (float64, bool) {
	if s, isText := cell.(string); isText && d.timed {
		t, ok := moment(s)
		return float64(t.Unix()) + float64(t.Nanosecond())/1e9, ok
	}
	if !d.numbered {
		return 0, false
	}
	return valueOf(cell)
}

// how is how several rows of one mark are put together.
func (d *drawing) how(c frameql.Column) string {
	switch {
	case slices.Contains([]string{"sum", "mean", "median", "min", "max", "count"}, d.edit.Aggregate):
		return d.edit.Aggregate
	case c.Additivity == "additive":
		return "sum"
	}
	return "mean"
}

// together is the number of a mark, with all digits that it has; false: it has none.
func (d *drawing) together(g *group, c frameql.Column) (*big.Rat, bool) {
	if d.edit.Aggregate == "count" {
		return new(big.Rat).SetInt64(int64(len(g.rows))), true
	}
	var all []*big.Rat
	for _, row := range g.rows {
		if _, ok := valueOf(d.frame.Rows[row][g.number]); ok {
			x, _ := frameview.Number(d.frame.Rows[row][g.number])
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	how := d.how(c)
	switch how {
	case "median":
		slices.SortFunc(all, (*big.Rat).Cmp)
		low, high := all[(len(all)-1)/2], all[len(all)/2]
		return new(big.Rat).Quo(new(big.Rat).Add(low, high), big.NewRat(2, 1)), true
	case "min":
		return slices.MinFunc(all, (*big.Rat).Cmp), true
	case "max":
		return slices.MaxFunc(all, (*big.Rat).Cmp), true
	}
	sum := new(big.Rat)
	for _, x := range all {
		sum.Add(sum, x)
	}
	if how == "mean" {
		sum.Quo(sum, big.NewRat(int64(len(all)), 1))
	}
	x, _ := sum.Float64()
	return sum, math.Abs(x) < huge
}

// quantile of sorted values, between neighbours in proportion.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// tipOf says what a mark is and its number.
func (d *drawing) tipOf(m mark, c frameql.Column, row int) string {
	var names []string
	if d.edit.Type == chart.Scatter {
		for i, column := range d.frame.Columns {
			if column.Role == frameql.RoleDimension && column.Name != d.edit.X {
				names = append(names, frameview.Member(d.frame.Rows[row][i], column))
			}
		}
		names = append(names, text.Say("svg.tip_number", "metric", frameview.Label(d.x), "n", withUnit(m.name, d.x)))
	} else {
		names = []string{m.facet, m.name, m.series}
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	what := strings.Join(names, ", ")
	if what == "" || d.edit.Type == chart.Scatter {
		if what != "" {
			what += ", "
		}
		return what + text.Say("svg.tip_number", "metric", frameview.Label(c), "n", withUnit(m.label, c))
	}
	return text.Say("svg.tip_number", "metric", what, "n", withUnit(m.label, c))
}

func withUnit(number string, c frameql.Column) string {
	if c.Unit == "" || c.Format == frameview.Percent {
		return number
	}
	return number + " " + c.Unit
}

// titleOf is a column's label with its unit.
func titleOf(c frameql.Column) string {
	if c.Unit == "" || c.Format == frameview.Percent {
		return frameview.Label(c)
	}
	return text.Say("analyst.chart_with_unit", "label", frameview.Label(c), "unit", c.Unit)
}
