package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// readPresent reads a verb that nothing else reads as a condition on the members: it names a date of theirs, which is then there, "how many clerks
// have been dismissed" by their dismissal date; or it is a form of one of few values, "failed payments" by the status fail.
func readPresent(d *draft) {
	host := d.host()
	if host == nil {
		return
	}
	for i, p := range d.pieces {
		if !d.verbAlone(i) || p.to != p.from+1 || d.is(i, orderPiece) {
			continue
		}
		t := d.tokens[p.from]
		if t.kind != wordToken || len(t.norm) < 5 || !strings.HasSuffix(t.norm, "ed") && !d.ix.english.pasts[t.norm] && !strings.HasSuffix(t.norm, "ful") || !d.isAbout(i, host) {
			continue
		}
		f, ok := d.presentDate(i, host)
		if !ok {
			if f, ok = d.valueForm(i, host); !ok {
				continue
			}
		}
		if j := d.negation(i); j >= 0 {
			f.op = map[string]string{"not_null": "is_null", "eq": "ne"}[f.op]
			d.take(j, "filter", "not")
		}
		d.filters = append(d.filters, f)
		d.take(i, "filter", f.options[0].name())
	}
}

// participleBefore says whether a participle that narrows the members down stands before them: "how many dismissed clerks".
func (d *draft) participleBefore(i int) bool {
	if !d.verbAlone(i) || d.pieces[i].to != d.pieces[i].from+1 || len(d.entities(i+1)) == 0 {
		return false
	}
	host := d.entities(i + 1)[0].entity
	if _, ok := d.presentDate(i, host); ok {
		return true
	}
	_, ok := d.valueForm(i, host)
	return ok
}

// isAbout says whether a participle is about the members: directly before them, or behind them over "are", "were" or "have been".
func (d *draft) isAbout(i int, host *semantic.Entity) bool {
	own := func(j int) bool {
		return d.is(j, namePiece) && slices.ContainsFunc(d.pieces[j].names, func(t target) bool {
			return isEntity(t) && t.entity == host || t.metric != nil && d.ix.rowsOf(t) == host
		})
	}
	if own(i+1) && d.pieces[i+1].from == d.pieces[i].to {
		return true
	}
	j := d.pieces[i].from - 1
	for j >= 0 && slices.Contains([]string{"not", "yet", "ever", "already"}, d.tokens[j].norm) {
		j--
	}
	return j >= 0 && slices.Contains([]string{"is", "are", "was", "were", "been"}, d.tokens[j].norm) && d.subjectBefore(i) >= 0 && own(d.subjectBefore(i))
}

// presentDate gives the condition that the date which a verb names is there.
func (d *draft) presentDate(i int, host *semantic.Entity) (filter, bool) {
	asked := func(t token) bool { return t.lemma == "date" || t.norm == "when" }
	if d.period != nil || slices.ContainsFunc(d.tokens, asked) {
		return filter{}, false
	}
	var dates []target
	for k := range host.Dimensions {
		if dim := &host.Dimensions[k]; dim.Type.Temporal() && d.ix.english.saysTime(dim, d.tokens[d.pieces[i].from].norm) {
			dates = append(dates, target{entity: host, dim: dim})
		}
	}
	return filter{slot: slot{piece: i, options: dates, near: host}, named: -1, op: "not_null"}, len(dates) == 1
}

// mostForms is how many values a column may have of which a word may be a form.
const mostForms = 30

// valueForm gives the condition that a column with few values has the one that a word is a form of.
func (d *draft) valueForm(i int, host *semantic.Entity) (filter, bool) {
	if d.env.Values == nil {
		return filter{}, false
	}
	stem := verbStem(d.tokens[d.pieces[i].from].norm)
	var found []filter
	for k := range host.Dimensions {
		dim := &host.Dimensions[k]
		if dim.Type != semantic.Text || dim.PII != "" {
			continue
		}
		t := target{entity: host, dim: dim}
		values, complete := d.env.Values(dimensionName(t))
		if !complete || len(values) > mostForms {
			continue
		}
		for _, v := range values {
			if !strings.Contains(v, " ") && verbStem(strings.ToLower(v)) == stem {
				found = append(found, filter{slot: slot{piece: i, options: []target{t}, near: host}, named: -1, op: "eq", texts: []frameql.Value{{Kind: frameql.String, Text: v}}})
			}
		}
	}
	if len(found) != 1 {
		return filter{}, false
	}
	return found[0], true
}
