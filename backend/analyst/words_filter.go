package analyst

import (
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/semantic"
	"assay/backend/text"
)

// filterWords says one condition of WHERE. What has no plain words is said in Frame-QL.
func filterWords(p *frameql.Pred, fallback string, m *semantic.Model) string {
	if words, ok := conditionWords(p, m); ok {
		return words
	}
	return fallback
}

// conditionWords says a condition with those inside of it; false: some part has no plain words.
func conditionWords(p *frameql.Pred, m *semantic.Model) (words string, ok bool) {
	switch {
	case p.Quant != "":
		return quantifiedWords(p, m)
	case len(p.Or) > 0:
		parts, ok := eachInWords(p.Or, m)
		return either(parts), ok
	case len(p.And) > 0:
		parts, ok := eachInWords(p.And, m)
		return listed(parts), ok
	case p.Not != nil:
		words, ok := conditionWords(p.Not, m)
		return text.Say("analyst.filter_opposite", "condition", words), ok
	case p.Dim == "" || p.Expr != nil:
		return "", false
	}
	words = comparisonWords(p, dimensionWords(p.Dim, m))
	if p.ValDim != nil && p.ValDim.Grain == "" && p.Grain == "" {
		words = text.Say("analyst.filter_"+p.Op, "subject", dimensionWords(p.Dim, m), "value", dimensionWords(p.ValDim.Name, m))
	}
	return words, words != ""
}

// quantifiedWords says a condition on related rows: with order lines (quantity above 5), without order lines, all of them.
func quantifiedWords(p *frameql.Pred, m *semantic.Model) (words string, ok bool) {
	entity := inText(entityLabel(m, p.Entity))
	if p.Pred == nil {
		return text.Say("analyst.related_"+p.Quant, "entity", entity), true
	}
	parts, ok := eachInWords(frameql.Conjuncts(p.Pred), m)
	return text.Say("analyst.related_"+p.Quant+"_where", "entity", entity, "conditions", listed(parts)), ok
}

// eachInWords says conditions one by one. Two bounds of one date are a range.
func eachInWords(all []*frameql.Pred, m *semantic.Model) (words []string, ok bool) {
	for i := 0; i < len(all); i++ {
		if i+1 < len(all) && isRange(all[i], all[i+1]) {
			between := rangeWords(&frameql.Range{From: all[i].Val.Text, To: all[i+1].Val.Text})
			words = append(words, text.Say("analyst.filter_eq", "subject", dimensionWords(all[i].Dim, m), "value", between))
			i++
			continue
		}
		one, ok := conditionWords(all[i], m)
		if !ok {
			return nil, false
		}
		words = append(words, one)
	}
	return words, true
}

// isRange says whether two conditions are the first day of a range and the day after it.
func isRange(from, to *frameql.Pred) bool {
	if from.Dim == "" || from.Dim != to.Dim || from.Op != "ge" || to.Op != "lt" || from.Val == nil || to.Val == nil {
		return false
	}
	_, err := time.Parse(time.DateOnly, to.Val.Text)
	return err == nil
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
		if words := comparisonWords(p, inText(frameview.Label(c))); words != "" {
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
