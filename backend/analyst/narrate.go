package analyst

import (
	"slices"
	"strings"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/knowledge"
	"assay/backend/session"
	"assay/backend/text"
)

// Narrate says a frame in one sentence: the reading, what the frame shows, the grade in a clause. Every digit of it stands
// in the reading, whose numbers are the question's own, or inside a citation to the cell that it shows; members and dates
// are cited like numbers are. A row count is cited with row -1 and no column.
func Narrate(plan *frameql.Plan, f *frameql.Frame, reading, grade string) session.Narration {
	return narrateIn(style{}, plan, f, reading, grade)
}

// style is the length and the tone of a narration: how it says what it says. Empty are the usual ones.
type style struct {
	Length string // brief, normal or full
	Tone   string // plain, formal or friendly
}

// toned is the sentence of the catalogue for a statement, in the tone.
func (s style) toned(statement string) string {
	switch s.Tone {
	case knowledge.Formal:
		return "analyst.say_formal_" + statement
	case knowledge.Friendly:
		return "analyst.say_friendly_" + statement
	}
	return "analyst.say_" + statement
}

// narrateIn is Narrate in a style. A brief one leaves the reading out, which stands above the answer, and says less of many rows; a full one says more of them. None leaves out the grade.
func narrateIn(how style, plan *frameql.Plan, f *frameql.Frame, reading, grade string) session.Narration {
	key := "analyst.say"
	switch brief := how.Length == knowledge.Brief; {
	case brief && grade == "":
		key = "analyst.say_brief"
	case brief:
		key = "analyst.say_brief_grade"
	case grade == "":
		key = "analyst.say_without_grade"
	}
	sentence := fill(key, map[string]phrase{"reading": plain(reading), "statement": begun(statement(plan, f, how), how), "grade": plain(grade)})
	var words strings.Builder
	n := session.Narration{Citations: []session.Citation{}, By: "template"}
	for _, p := range sentence {
		start := words.Len()
		words.WriteString(p.text)
		if p.cited && p.text != "" {
			n.Citations = append(n.Citations, session.Citation{Start: start, End: words.Len(), Frame: f.ID, Row: p.row, Column: p.column})
		}
	}
	n.Text = words.String()
	return n
}

// begun is a phrase that begins a sentence, where nothing stands before it: what shows a cell stays as it is.
func begun(p phrase, how style) phrase {
	first := slices.IndexFunc(p, func(x part) bool { return x.text != "" })
	if how.Length == knowledge.Brief && first >= 0 && !p[first].cited {
		p[first].text = capital(p[first].text)
	}
	return p
}

// statement chooses what to say by the shape of the frame.
func statement(plan *frameql.Plan, whole *frameql.Frame, how style) phrase {
	f := frameview.Members(whole)
	s := frameview.ShapeOf(f)
	switch {
	case len(f.Rows) == 0, plan.Listing && empty(f):
		return plain(text.Say(how.toned("empty")))
	case len(s.Numbers) == 0:
		return sayListing(f, s, how)
	case len(f.Rows) == 1:
		return sayRow(plan, f, s, how)
	case f.Truncated != nil:
		return fill(how.toned("cut"), map[string]phrase{"count": rowCount(f)})
	case s.Time >= 0 && len(s.Members) == 1:
		return saySeries(plan, whole, s, how)
	default:
		return sayRanking(plan, f, s, how)
	}
}

// gradeClause names a grade below AAA.
func gradeClause(v *Verification) string {
	switch {
	case v == nil || v.Level == "none":
		return text.Say("analyst.grade_none")
	case v.Level == "AAA":
		return ""
	case v.Level == "AA":
		return text.Say("analyst.grade_attested", "level", v.Level)
	}
	for _, c := range v.Checks {
		if c.Code == "DECLARED" && c.Status == "finding" {
			return text.Say("analyst.grade_inferred", "level", v.Level)
		}
	}
	return text.Say("analyst.grade_declared", "level", v.Level)
}

// phrase is text in parts, some of which show a cell.
type phrase []part

type part struct {
	text   string
	cited  bool
	row    int
	column string
}

func plain(s string) phrase { return phrase{{text: s}} }

// shown is text that stands for a cell.
func shown(s string, row int, column string) phrase {
	return phrase{{text: s, cited: true, row: row, column: column}}
}

func rowCount(f *frameql.Frame) phrase { return shown(frameview.Grouped(int64(f.RowCount)), -1, "") }

// fill puts phrases into a sentence of the catalogue.
func fill(key string, values map[string]phrase) phrase {
	var out phrase
	rest := text.Say(key)
	for {
		before, after, found := strings.Cut(rest, "{")
		out = append(out, part{text: before})
		if !found {
			return out
		}
		name, tail, _ := strings.Cut(after, "}")
		out = append(out, values[name]...)
		rest = tail
	}
}

// joined puts separators between phrases.
func joined(items []phrase, separator string) phrase {
	var out phrase
	for i, p := range items {
		if i > 0 {
			out = append(out, part{text: separator})
		}
		out = append(out, p...)
	}
	return out
}

// value is a metric's cell with its unit behind it.
func value(f *frameql.Frame, row, column int) phrase {
	c := f.Columns[column]
	out := shown(frameview.Figure(f.Rows[row][column], c), row, c.Name)
	if c.Unit == "" || f.Rows[row][column] == nil {
		return out
	}
	unit := " " + c.Unit
	if hasDigit(unit) { // CO2: no digit may stand outside a citation
		out[0].text += unit
		return out
	}
	return append(out, part{text: unit})
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }
