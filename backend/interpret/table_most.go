package interpret

import (
	"slices"
	"strings"
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
	lists, shared := 0, 0
	for _, v := range values {
		parts := listParts(fold(v))
		if len(parts) > 1 {
			lists++
		}
		for k, part := range parts {
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
			shared++
		}
	}
	return shared > 1 || shared == 1 && lists*3 >= len(values)
}

// mostlyAmounts says whether at least half of the cells of a column of text are numbers, with little behind them: "154", "$12 [3]".
func mostlyAmounts(t target, values []string) bool {
	if isYear(t.dim) || slices.ContainsFunc(words(t.dim.Name), func(w string) bool { return slices.Contains(numberedColumns, w) }) {
		return false
	}
	n := 0
	for _, v := range values {
		letters := strings.Count(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return 'x'
			}
			return r
		}, v), "x")
		if strings.IndexFunc(v, unicode.IsDigit) == strings.IndexFunc(v, func(r rune) bool { return !strings.ContainsRune("$€£~<>+−- ", r) }) && letters*2 < len(v) && strings.ContainsAny(v, "0123456789") {
			n++
		}
	}
	return n > 0 && n*2 >= len(values)
}

// numberedColumns are columns whose numbers tell things apart.
var numberedColumns = []string{"date", "day", "time", "score", "no", "number", "code", "id", "season", "edition", "name", "title", "model", "route", "class", "result"}

// finishListCounts asks back before different cells are counted of which some list several things: "how many guests" of a column with
// "Ada, Zoe" and "Zoe".
func (d *draft) finishListCounts() {
	if d.ix.rowPlace() == nil || d.env.Values == nil || d.doubt != "" {
		return
	}
	for _, m := range d.measures {
		if m.distinct && len(m.options) > 0 && isMeasure(m.options[0]) && !d.distinct() && len(d.numbersOfMembers(m.piece)) == 0 {
			d.doubt = doubtAmount // how many spectators is no count of different average attendances
			continue
		}
		if !m.distinct || m.reduce != "count" && m.reduce != "" || len(m.options) == 0 || m.options[0].dim == nil || m.options[0].dim.Type != semantic.Text {
			continue
		}
		values, _ := d.env.Values(dimensionName(m.options[0]))
		switch {
		case listsSeveral(values):
			d.doubt = doubtCells
		case !d.distinct() && mostlyAmounts(m.options[0], values):
			d.doubt = doubtAmount // "how many injuries" of a column with "154" and "no data"
		}
	}
}
