package interpret

import (
	"slices"
	"unicode"

	"assay/backend/semantic"
)

// rankInTable gives what the values of a column of the only table are ranked by where that is no amount: a place in a ranking, "which song reached
// the highest chart position", or how many different ones there are of another column, "which publisher has the most titles". nil: neither.
func (d *draft) rankInTable(i, leading, at int, agg string) *measure {
	if d.ix.rowPlace() == nil || len(d.entities(leading)) > 0 || agg != "" && agg != "count" {
		return nil
	}
	if places := d.names(at, func(t target) bool { return isDimension(t) && isStanding(t.dim) }); agg == "" && len(places) > 0 && len(d.metrics(at)) == 0 {
		m := &measure{slot: slot{piece: at, options: places}, reduce: "min"}
		if d.is(i, rankPiece, "low", "worst") {
			m.reduce = "max"
		}
		return m
	}
	if at >= len(d.pieces) || !d.is(at, namePiece) || !d.ranksCount(i) || !d.plural(at) || len(d.metrics(at)) > 0 {
		return nil
	}
	asked := d.dimensions(leading)
	things := d.names(at, func(t target) bool {
		return isDimension(t) && t.dim.Type == semantic.Text && !d.amountInText(at, t) && d.namesThings(t) && !slices.ContainsFunc(asked, func(o target) bool { return o.dim == t.dim })
	})
	if len(things) == 0 || len(things) != len(d.dimensions(at)) {
		return nil
	}
	return &measure{slot: slot{piece: at, options: things}, reduce: "count", distinct: true}
}

// namesThings says whether the cells of a column are known, each names one thing, and hardly any begins with a number, as amounts in words do.
func (d *draft) namesThings(t target) bool {
	if d.env.Values == nil {
		return false
	}
	values, complete := d.env.Values(dimensionName(t))
	amounts := 0
	for _, v := range values {
		if v != "" && unicode.IsDigit(rune(v[0])) {
			amounts++
		}
	}
	return complete && len(values) > 0 && amounts*4 < len(values) && !listsSeveral(values)
}

// listsSeveral says whether the cells of a column list several things: what stands behind a comma in one of them stands in front, or alone, in another.
// "Berlin, Germany" lists none.
func listsSeveral(values []string) bool {
	front, behind := map[string]bool{}, map[string]bool{}
	for _, v := range values {
		for k, part := range listParts(fold(v)) {
			switch {
			case len(part) < 2:
			case k == 0:
				front[part] = true
			default:
				behind[part] = true
			}
		}
	}
	for part := range behind {
		if front[part] {
			return true
		}
	}
	return false
}

// finishListCounts asks back before different cells are counted of which some list several things: "how many guests" of a column with
// "Ada, Zoe" and "Zoe".
func (d *draft) finishListCounts() {
	if d.ix.rowPlace() == nil || d.env.Values == nil || d.doubt != "" {
		return
	}
	for _, m := range d.measures {
		if !m.distinct || m.reduce != "count" && m.reduce != "" || len(m.options) == 0 || m.options[0].dim == nil || m.options[0].dim.Type != semantic.Text {
			continue
		}
		if values, _ := d.env.Values(dimensionName(m.options[0])); listsSeveral(values) {
			d.doubt = doubtCells
		}
	}
}
