package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

const (
	mostRows     = 200  // of a table stand on a page, which says how many more there are
	mostRunes    = 1000 // of a cell are shown
	longestWhole = 21   // digits before the point that are written out
)

// Table is a frame, or what reads like one.
type Table struct {
	ID      string
	Title   string
	Columns []Column
	Rows    []Row // the first ones
	Held    int   // rows that there are, of which Rows are the first
	Shown   int   // of Rows: what the page has room for
	Named   bool  // nothing else says what it is called
	Refs    []int
	Foot    []string // what is said below it
	Note    string   // what cannot be missed: rows are missing
	Empty   string   // what is said where there is no row
	plain   bool     // it is small and of our own making: nobody sorts it
}

// Column is a column of a table.
type Column struct {
	Label   string
	Unit    string
	Numbers bool // its cells stand right, digit under digit
	Names   bool // its cells name their rows
	Texts   bool // it is sorted as a reader sorts words; else by the keys of its cells
}

// Row is a row of a table.
type Row struct {
	Cells []Cell
	Mark  string // total: it is no member and stays last; other: the rest of the members
}

// Cell is a cell of a table.
type Cell struct {
	Text  string
	Exact string // all digits, where Text has fewer
	ID    string // something leads to it
	Key   int    // its place in the order of its column, from 1; 0: it has none
	Null  bool
	Why   string // why it is null
	Tone  string // good bad: the way of a change
}

// Turns says whether it holds letters that run from the right, or signs that turn the direction of what follows.
func (c Cell) Turns() bool { return turns(c.Text) }

// Visible are the rows that the page has room for.
func (t *Table) Visible() []Row { return t.Rows[:min(t.Shown, len(t.Rows))] }

// Sorts says whether a reader may want another order.
func (t *Table) Sorts() bool { return !t.plain && len(t.Visible()) > 1 }

// Count says how many rows there are.
func (t *Table) Count() string {
	return text.Count("window.frame.rows", int64(t.Held), "n", frameview.Grouped(int64(t.Held)))
}

// Below is what is said below the table.
func (t *Table) Below() []string {
	below := t.Foot
	if shown := len(t.Visible()); shown < t.Held {
		below = append([]string{text.Say("report.rows_shown", "shown", frameview.Grouped(int64(shown)), "all", frameview.Grouped(int64(t.Held)))}, below...)
	}
	return below
}

// cited are the cells that something leads to, by row and column of their frame, and what each is called in the page.
type cited map[[2]int]string

// tableOf lays out a frame, of which the page has room for so many rows. The name is that of the table in the page.
func tableOf(f *frameql.Frame, name, title string, rows int, leads cited) *Table {
	t := &Table{ID: name, Title: title, Held: len(f.Rows), Shown: rows, Empty: text.Say("report.no_row_fits")}
	marks := []struct {
		mark  string
		at    int
		words string
	}{{"total", frameview.Flag(f, "is_total"), text.Say("window.cell.total")}, {"other", frameview.Flag(f, "is_other"), text.Say("window.cell.other")}}
	first := f.Rows[:min(len(f.Rows), rows)]
	reasons := reasonsOf(f)
	t.Rows = make([]Row, len(first))
	cut := 0
	for at, c := range f.Columns {
		if c.Role == frameql.RoleFlag {
			continue
		}
		column := columnOf(c)
		column.Names = len(t.Columns) == 0 && c.Role == frameql.RoleDimension
		t.Columns = append(t.Columns, column)
		w := writerOf(c, first, at)
		keys := keysOf(c, first, at)
		for i, row := range first {
			cell, short := w.cell(row[at])
			if short {
				cut++
			}
			if keys != nil {
				cell.Key = keys[i]
			}
			cell.ID = leads[[2]int{i, at}]
			if cell.Null {
				cell.Why = reasons[[2]int{i, at}]
				for _, m := range marks {
					if m.at >= 0 && row[m.at] == true && c.Role == frameql.RoleDimension {
						cell = Cell{ID: cell.ID, Key: cell.Key}
						if column.Names {
							cell.Text = m.words
						}
					}
				}
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
		}
	}
	for i, row := range first {
		for _, m := range marks {
			if m.at >= 0 && row[m.at] == true {
				t.Rows[i].Mark = m.mark
			}
		}
	}
	if cut > 0 {
		t.Foot = append(t.Foot, text.Count("report.cells_cut", int64(cut), "n", frameview.Grouped(int64(cut))))
	}
	if f.Truncated != nil {
		t.Note = truncatedWords(f)
	}
	return t
}

// truncatedWords say that rows of a frame are missing, and how many there are in truth.
func truncatedWords(f *frameql.Frame) string {
	return text.Say("report.truncated", "kept", frameview.Grouped(int64(len(f.Rows))), "all", frameview.Grouped(int64(f.Truncated.TotalRows)))
}

func columnOf(c frameql.Column) Column {
	out := Column{Label: frameview.Label(c), Numbers: frameview.Numeric(c) && !names(c), Texts: c.Type == "text" || c.Type == "json"}
	if c.Format != frameview.Percent {
		out.Unit = c.Unit
	}
	return out
}

// names says whether a column of numbers holds such that name something (an order, a year) and are written without separators.
func names(c frameql.Column) bool { return c.Role == frameql.RoleDimension && c.Type == "integer" }

// reasonsOf gives the words of why cells are empty, by row and column.
func reasonsOf(f *frameql.Frame) map[[2]int]string {
	known := map[[2]int]string{}
	for _, r := range f.Reasons {
		at := slices.IndexFunc(f.Columns, func(c frameql.Column) bool { return c.Name == r.Column })
		if at < 0 || !slices.Contains([]string{"zero_base", "no_base", "outside_coverage"}, r.Code) {
			continue
		}
		words := text.Say("window.cell." + r.Code)
		for _, row := range r.Rows {
			known[[2]int{row, at}] = words
		}
	}
	return known
}

// cellWriter writes the cells of one column as they read beside each other.
type cellWriter struct {
	column frameql.Column
	digits int // after the point
}

func writerOf(c frameql.Column, rows [][]any, at int) cellWriter {
	return cellWriter{c, digitsFor(c, rows, at)}
}

func (w cellWriter) cell(v any) (c Cell, cut bool) {
	if v == nil {
		return Cell{Text: text.Say("window.cell.null"), Null: true}, false
	}
	if frameview.Numeric(w.column) && !names(w.column) {
		c.Text, c.Exact = w.figure(v)
	} else {
		c.Text = frameview.Member(v, w.column)
	}
	if runes := []rune(c.Text); len(runes) > mostRunes {
		c.Text, c.Exact, cut = string(runes[:mostRunes])+"…", "", true
	}
	return c, cut
}

// figure writes a number with the digits of its column, and with all of them where these are fewer.
func (w cellWriter) figure(v any) (shown, exact string) {
	plain := plainNumber(v)
	r, ok := frameview.Number(v)
	if !ok || strings.ContainsAny(plain, "eE") && len(r.Num().String()) > longestWhole {
		return plain, "" // NaN, the infinities, and what nobody counts the digits of
	}
	if w.column.Scale != "" || w.column.Decimals != nil { // as its person prefers
		if shown = frameview.Figure(v, w.column); shown == frameview.Fixed(r, w.digits) {
			return shown, ""
		}
		return shown, plain
	}
	percent := w.column.Format == frameview.Percent
	if percent {
		r.Mul(r, hundred)
	}
	fixed := r.FloatString(w.digits)
	if r.Sign() != 0 && strings.Trim(fixed, "-0.") == "" {
		return frameview.Figure(v, w.column), plain
	}
	shown = frameview.Fixed(r, w.digits)
	if percent {
		shown = text.Say("window.cell.percent", "n", shown)
	}
	if rounded, _ := frameview.Number(fixed); rounded != nil && rounded.Cmp(r) == 0 {
		return shown, ""
	}
	return shown, plain
}

// plainNumber is a number as it stands.
func plainNumber(v any) string {
	if x, is := v.(float64); is {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// turns says whether a text would turn the direction of what stands around it.
func turns(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x0590 && (unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam, unicode.Mende_Kikakui) ||
			r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x061c)
	})
}
