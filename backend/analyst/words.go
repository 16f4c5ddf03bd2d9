package analyst

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/semantic"
	"assay/backend/text"
)

// ReadingWords says in words what a plan asks for: "Revenue by category name, 1997, country Germany". Its numbers are the
// question's own (years, top 10, limits), never results.
func ReadingWords(plan *frameql.Plan, m *semantic.Model) string {
	q := plan.Query
	parts := []string{subjectWords(plan, m)}
	if q.Time != nil {
		parts = append(parts, periodWords(q.Time.Period, plan.Period))
	}
	for i := range plan.Comparands {
		parts = append(parts, comparandWords(plan, i))
	}
	for i, p := range frameql.Conjuncts(q.Where) {
		fallback := ""
		if i < len(plan.Filters) {
			fallback = plan.Filters[i].Text
		}
		parts = append(parts, filterWords(p, fallback, m))
	}
	for _, p := range frameql.Conjuncts(q.Having) {
		parts = append(parts, havingWords(p, plan))
	}
	if t := plan.Top; t != nil {
		key := "analyst.reading_top"
		if t.Asc {
			key = "analyst.reading_bottom"
		}
		parts = append(parts, text.Say(key, "n", t.N))
	}
	if plan.Limit != nil {
		parts = append(parts, text.Say("analyst.reading_limit", "n", *plan.Limit))
	}
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}

// subjectWords is what is counted, by what; or what is listed, of what.
func subjectWords(plan *frameql.Plan, m *semantic.Model) string {
	var dimensions, metrics []string
	for _, c := range plan.Columns {
		switch c.Role {
		case frameql.RoleDimension:
			dimensions = append(dimensions, inText(frameview.Label(c)))
		case frameql.RoleMetric:
			metrics = append(metrics, frameview.Label(c))
		}
	}
	if plan.Listing || len(metrics) == 0 {
		entity := entityLabel(m, plan.Fact)
		if len(dimensions) == 0 || len(dimensions) > listedColumns || namesOnly(plan, m) {
			return entity
		}
		return capital(text.Say("analyst.reading_listing", "columns", listed(dimensions), "entity", inText(entity)))
	}
	for i := 1; i < len(metrics); i++ {
		metrics[i] = inText(metrics[i])
	}
	if len(dimensions) == 0 {
		return capital(listed(metrics))
	}
	return capital(text.Say("analyst.reading_by", "metrics", listed(metrics), "dimensions", listed(dimensions)))
}

// namesOnly says whether a listing shows nothing but what its members are called by.
func namesOnly(plan *frameql.Plan, m *semantic.Model) bool {
	d := m.DisplayOf(plan.Fact)
	return d != nil && len(plan.Columns) == 1 && plan.Columns[0].Dimension == plan.Fact+"."+d.Name
}

// listedColumns is how many columns of a listing are named; more would be a table of contents.
const listedColumns = 4

// periodWords says a period as it was asked for, with the days that a relative one came to.
func periodWords(p frameql.Period, use *frameql.PeriodUse) string {
	words := ""
	switch p.Kind {
	case "literal":
		words = p.Value
	case "last":
		key := "analyst.period_last"
		if p.Incl {
			key = "analyst.period_last_including"
		}
		words = text.Say(key, "n", p.N, "unit", unitWords(p.Unit, p.N))
	case "this":
		key := "analyst.period_this"
		if p.ToDay {
			key = "analyst.period_this_to_date"
		}
		words = text.Say(key, "unit", unitWords(p.Unit, 1))
	case "previous":
		words = text.Say("analyst.period_previous", "unit", unitWords(p.Unit, 1))
	case "range":
		switch {
		case p.To == "":
			words = text.Say("analyst.period_since", "from", p.From)
		case p.From == "":
			words = text.Say("analyst.period_before", "to", p.To)
		default:
			return rangeWords(&frameql.Range{From: p.From, To: p.To})
		}
	case "between":
		return text.Say("analyst.period_range", "from", p.From, "to", p.To)
	case "today", "yesterday", "ytd", "qtd", "mtd", "wtd":
		words = entry("analyst.period_", p.Kind)
	default: // all_time
		return ""
	}
	if use == nil || !use.Relative || use.From.IsZero() || use.To.IsZero() {
		return words
	}
	return text.Say("analyst.period_resolved", "period", words, "range", rangeWords(&frameql.Range{From: day(use.From), To: day(use.To)}))
}

// entry says one of a family of catalogue entries: "analyst.month_" with 7 is July.
func entry(family string, member any) string { return text.Say(family + fmt.Sprint(member)) }

func unitWords(unit string, n int) string {
	switch unit {
	case "hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year":
	default: // of a calendar of one's own
		return strings.ReplaceAll(unit, "_", " ")
	}
	if n == 1 {
		return entry("analyst.unit_", unit)
	}
	return entry("analyst.units_", unit)
}

// rangeWords says a half-open range with its last day included, as people do.
func rangeWords(r *frameql.Range) string {
	from, to := r.From, r.To
	if end, err := time.Parse(time.DateOnly, to); err == nil {
		to = day(end.AddDate(0, 0, -1))
	}
	switch {
	case from == "":
		return text.Say("analyst.period_until", "to", to)
	case to == "":
		return text.Say("analyst.period_since", "from", from)
	case from == to:
		return from
	default:
		return text.Say("analyst.period_range", "from", from, "to", to)
	}
}

// listed joins with commas and a last "and".
func listed(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return text.Say("analyst.and", "first", strings.Join(items[:last], ", "), "last", items[last])
}

// inText writes a label in the middle of a sentence: "Company name" becomes "company name", "SKU" stays.
func inText(label string) string {
	first, size := utf8.DecodeRuneInString(label)
	second, _ := utf8.DecodeRuneInString(label[size:])
	if unicode.IsUpper(second) || unicode.IsDigit(second) {
		return label
	}
	return string(unicode.ToLower(first)) + label[size:]
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// comparandWords says what a query compares with.
func comparandWords(plan *frameql.Plan, i int) string {
	c := plan.Query.Compare[i]
	words := ""
	switch {
	case c.Kind == "during" && c.Period != nil:
		words = periodWords(*c.Period, nil)
	case c.Kind == "target":
		words = strings.ReplaceAll(c.Metric, "_", " ")
	case c.Unit != "":
		words = text.Say(baseKeys[c.Kind], "unit", unitWords(c.Unit, 1))
	default:
		words = text.Say(baseKeys[c.Kind])
	}
	return text.Say("analyst.reading_compared", "with", words)
}
