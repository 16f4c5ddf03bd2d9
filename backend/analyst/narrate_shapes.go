package analyst

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/knowledge"
	"assay/backend/text"
)

// sayRow says a frame of one row: the value, or each value with its name, behind the member if there is one.
func sayRow(plan *frameql.Plan, f *frameql.Frame, s frameview.Shape, how style) phrase {
	var values []phrase
	for _, i := range s.Numbers {
		v := compared(plan, f, 0, i)
		if len(s.Numbers) > 1 {
			v = named(f.Columns[i], v)
		}
		values = append(values, v)
	}
	if len(s.Members) > 0 {
		return fill("analyst.say_member", map[string]phrase{"member": member(f, 0, s.Members), "value": joined(values, ", ")})
	}
	if len(s.Numbers) == 1 && f.Rows[0][s.Numbers[0]] == nil {
		return shown(text.Say("analyst.say_no_value"), 0, f.Columns[s.Numbers[0]].Name)
	}
	if len(s.Numbers) > 1 {
		return joined(values, ", ")
	}
	return fill(how.toned("one"), map[string]phrase{"value": values[0]})
}

// named puts a metric's name before its value. A name with digits belongs to the cell.
func named(c frameql.Column, value phrase) phrase {
	label := inText(frameview.Label(c)) + " "
	if hasDigit(label) {
		value[0].text = label + value[0].text
		return value
	}
	return append(plain(label), value...)
}

// saySeries says a series over time by its first, last and highest value. When it is compared with another, it says so of
// its total, or of the last value where there is none.
func saySeries(plan *frameql.Plan, whole *frameql.Frame, s frameview.Shape, how style) phrase {
	f := frameview.Members(whole)
	y := s.Numbers[0]
	rows := withNumbers(f, y)
	if len(rows) == 0 {
		return plain(text.Say(how.toned("no_values")))
	}
	slices.SortStableFunc(rows, func(a, b int) int { return compareCells(f.Rows[a][s.Time], f.Rows[b][s.Time]) })
	first, last := rows[0], rows[len(rows)-1]
	peak := slices.MaxFunc(rows, byNumber(f, y))
	end := compared(plan, f, last, y)
	_, compares := frameview.ComparisonOf(f, y)
	total := grandTotal(whole)
	if compares && total >= 0 {
		end = value(f, last, y)
	}
	said, low := "series", slices.MinFunc(rows, byNumber(f, y))
	switch how.Length {
	case knowledge.Brief:
		said = "series_brief"
	case knowledge.FullLength:
		said = "series_full"
	}
	out := fill(how.toned(said), map[string]phrase{
		"start": value(f, first, y), "first": member(f, first, s.Members),
		"end": end, "last": member(f, last, s.Members),
		"high": value(f, peak, y), "peak": member(f, peak, s.Members),
		"low": value(f, low, y), "bottom": member(f, low, s.Members), "count": rowCount(f),
	})
	if compares && total >= 0 {
		return fill("analyst.say_in_total", map[string]phrase{"series": out, "total": compared(plan, whole, total, y)})
	}
	return out
}

// sayRanking says which members have the highest and the lowest value. A TOP or a LIMIT has the order of its rows and says
// nothing of members that are not there.
func sayRanking(plan *frameql.Plan, f *frameql.Frame, s frameview.Shape, how style) phrase {
	y := s.Numbers[0]
	rows := withNumbers(f, y)
	if len(rows) == 0 {
		return plain(text.Say(how.toned("no_values")))
	}
	first, last := slices.MaxFunc(rows, byNumber(f, y)), slices.MinFunc(rows, byNumber(f, y))
	said := "ranking"
	switch {
	case plan.Top != nil || plan.Limit != nil:
		said = "list"
		first, last = rows[0], rows[len(rows)-1]
	case byNumber(f, y)(first, last) == 0:
		return fill(how.toned("equal"), map[string]phrase{"value": value(f, first, y)})
	}
	values := map[string]phrase{
		"first": member(f, first, s.Members), "high": compared(plan, f, first, y),
		"last": member(f, last, s.Members), "low": compared(plan, f, last, y),
	}
	if how.Length == knowledge.Brief {
		return fill(how.toned(said+"_brief"), values)
	}
	out := fill(how.toned(said), values)
	if how.Length != knowledge.FullLength || len(rows) < 4 {
		return out
	}
	between := slices.DeleteFunc(slices.Clone(rows), func(row int) bool { return row == first || row == last })
	if said == "ranking" {
		slices.SortStableFunc(between, func(a, b int) int { return byNumber(f, y)(b, a) })
	}
	var named []phrase
	for _, row := range between[:min(len(between), rowsBetween)] {
		named = append(named, fill("analyst.say_member", map[string]phrase{"member": member(f, row, s.Members), "value": value(f, row, y)}))
	}
	return fill(how.toned("between"), map[string]phrase{"ends": out, "members": joined(named, ", "), "count": rowCount(f)})
}

// rowsBetween is how many members a full narration names between the first and the last one.
const rowsBetween = 3

// sayListing says how many members there are, and names them when they are few.
func sayListing(f *frameql.Frame, s frameview.Shape, how style) phrase {
	if f.Truncated != nil {
		return fill(how.toned("cut"), map[string]phrase{"count": rowCount(f)})
	}
	key := "analyst.say_rows"
	if f.RowCount == 1 {
		key = "analyst.say_one_row"
	}
	out := fill(key, map[string]phrase{"count": rowCount(f)})
	if len(f.Rows) > namedRows || len(s.Members) == 0 {
		return out
	}
	called := s.Members[:1]
	for _, i := range s.Members {
		if f.Columns[i].Type == "text" {
			called = []int{i}
			break
		}
	}
	var names []phrase
	for row := range f.Rows {
		names = append(names, member(f, row, called))
	}
	return fill("analyst.say_named", map[string]phrase{"count": out, "names": joined(names, ", ")})
}

// namedRows is how many rows of a listing the narration names.
const namedRows = 3

// member says which member a row stands for, each part cited to its cell.
func member(f *frameql.Frame, row int, columns []int) phrase {
	var parts []phrase
	for _, i := range columns {
		parts = append(parts, shown(memberWords(f.Rows[row][i], f.Columns[i]), row, f.Columns[i].Name))
	}
	return joined(parts, text.Say("analyst.member_separator"))
}

// memberWords writes a dimension's cell: months and quarters by name, identifiers without separators.
func memberWords(cell any, c frameql.Column) string {
	switch x := cell.(type) {
	case nil:
		return text.Say("analyst.no_member", "column", inText(frameview.Label(c)))
	case bool:
		if x {
			return text.Say("analyst.yes")
		}
		return text.Say("analyst.no")
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case string:
		return timeWords(x, c.Grain)
	default:
		return fmt.Sprint(x)
	}
}

// timeWords writes a date at the grain of its column; anything else stays as it is.
func timeWords(s, grain string) string {
	if len(s) < len(time.DateOnly) {
		return s
	}
	t, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)])
	if err != nil {
		return s
	}
	switch grain {
	case "year":
		return t.Format("2006")
	case "quarter":
		return text.Say("analyst.quarter_name", "quarter", (int(t.Month())+2)/3, "year", t.Year())
	case "month":
		return text.Say("analyst.month_name", "month", entry("analyst.month_", int(t.Month())), "year", t.Year())
	case "week":
		return text.Say("analyst.week_name", "date", t.Format(time.DateOnly))
	case "day":
		return t.Format(time.DateOnly)
	default:
		return s
	}
}

// withNumbers are the rows of members in which a column holds a number, in their order. The rest of a TOP is no member.
func withNumbers(f *frameql.Frame, column int) []int {
	var rows []int
	rest := frameview.Flag(f, "is_other")
	for i, row := range f.Rows {
		if rest >= 0 && row[rest] == true {
			continue
		}
		if _, ok := frameview.Number(row[column]); ok {
			rows = append(rows, i)
		}
	}
	return rows
}

// byNumber orders rows by a column of which all of them hold a number.
func byNumber(f *frameql.Frame, column int) func(a, b int) int {
	return func(a, b int) int {
		x, _ := frameview.Number(f.Rows[a][column])
		y, _ := frameview.Number(f.Rows[b][column])
		return x.Cmp(y)
	}
}

// compareCells orders the cells of one dimension: numbers by value, text and ISO dates by their bytes, null last.
func compareCells(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(btoi(a == nil), btoi(b == nil))
	}
	_, aText := a.(string)
	_, bText := b.(string)
	x, okX := frameview.Number(a)
	y, okY := frameview.Number(b)
	if okX && okY && !aText && !bText {
		return x.Cmp(y)
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
