package analyst

import (
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// filterWords says one condition of WHERE. What has no plain words is said in Frame-QL.
func filterWords(p *frameql.Pred, fallback string, m *semantic.Model) string {
	if p.Dim == "" || p.ValDim != nil || p.Expr != nil {
		return fallback
	}
	if words := comparisonWords(p, dimensionWords(p.Dim, m)); words != "" {
		return words
	}
	return fallback
}

// havingWords says one condition on a result.
func havingWords(p *frameql.Pred, plan *frameql.Plan) string {
	name := p.Out
	if name == "" && p.Left != nil {
		name = p.Left.Metric
	}
	for _, c := range plan.Columns {
		if name == "" || c.Name != name && c.Metric != name {
			continue
		}
		if words := comparisonWords(p, inText(columnLabel(c))); words != "" {
			return words
		}
	}
	return text.Say("analyst.reading_having")
}

// comparisonWords says a comparison of something with values; empty for one that has no plain words.
func comparisonWords(p *frameql.Pred, subject string) string {
	var values []string
	if p.Val != nil {
		values = append(values, p.Val.Text)
	}
	for _, v := range p.Vals {
		values = append(values, v.Text)
	}
	key := "analyst.filter_" + p.Op
	switch p.Op {
	case "is_null", "not_null":
		return text.Say(key, "subject", subject)
	case "in", "not_in":
		return text.Say(key, "subject", subject, "values", either(values))
	case "between", "not_between":
		if len(values) == 2 {
			return text.Say(key, "subject", subject, "from", values[0], "to", values[1])
		}
	case "eq", "ne", "lt", "le", "gt", "ge", "like", "not_like", "contains", "not_contains", "starts_with", "not_starts_with":
		if len(values) == 1 {
			return text.Say(key, "subject", subject, "value", values[0])
		}
	}
	return ""
}

// dimensionWords names a dimension in the middle of a sentence.
func dimensionWords(name string, m *semantic.Model) string {
	if d := m.Dimension(name); d != nil && d.Label != "" {
		return inText(d.Label)
	}
	return strings.ReplaceAll(name[strings.LastIndexByte(name, '.')+1:], "_", " ")
}

func either(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return text.Say("analyst.or", "first", strings.Join(items[:last], ", "), "last", items[last])
}
