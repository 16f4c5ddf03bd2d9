package frameql

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"assay/backend/semantic"
)

// What a narrowed schema lists of the values of data. A list that was cut would forbid values that are there, so a
// dimension with more stays open, and when all lists together are too long, the longest stay open.
const (
	maxListedValues = 100      // of one dimension
	maxListedBytes  = 48 << 10 // of all lists together
)

// Narrow gives the JSON Schema of the queries that one model can answer: its metrics, its dimensions by entity (or by the
// role of a join) with the grains that each time has, its entities, its units of time and the values of its searchable
// dimensions are enumerations. values gives the values of "entity.dimension", and none for one that may not be listed; nil
// lists only what the model's files list. Output names stay free, for a query makes them; named expressions (WITH) are left
// out, for their names would open every place where a metric stands. Hidden metrics are left out.
func Narrow(model *semantic.Model, values func(dimension string) []string) json.RawMessage {
	return narrowed(model, values, maxListedBytes).document()
}

// narrowing is what a model allows, in the order of the model. A name stands in one list only, however many places take it.
type narrowing struct {
	model  *semantic.Model
	lists  map[string][]string // entries of $defs that are a list of words
	unions map[string][]string // entries of $defs that hold what other entries hold
	cuts   []cutGroup          // time dimensions by the grains that they have
	valued []valuedDims        // dimensions whose values are listed
	parts  []string            // parts of a date that some time has

	brief bool     // only what a form needs
	open  []string // lists that are left out: any name may stand there
}

// cutGroup are time dimensions that can be cut by the same grains.
type cutGroup struct{ dims, grains []string }

// valuedDims are the dimensions that share one list of values: one dimension, under its entity and under roles.
type valuedDims struct{ dims, values []string }

// narrowed makes the lists; those of values are no longer than most bytes together.
func narrowed(model *semantic.Model, values func(string) []string, most int) *narrowing {
	fiscal := fiscalUnits(model)
	n := &narrowing{
		model: model,
		lists: map[string][]string{
			"metric": {}, "entity": {}, "member": {}, "attribute": {}, "plain_attribute": {}, "cut_time": {}, "time": {}, "valued_attribute": {},
			"unit": slices.Concat([]string{"hour", "day", "week", "month", "quarter", "year"}, fiscal),
		},
		unions: map[string][]string{
			"dim":      {"attribute", "valued_attribute", "member", "cut_time"},
			"open_dim": {"attribute", "member", "cut_time"},
			"column":   {"metric", "entity", "attribute", "plain_attribute", "valued_attribute"},
		},
	}
	for i := range model.Metrics {
		if m := &model.Metrics[i]; !m.Hidden {
			n.list("metric", m.Name)
		}
	}
	for i := range model.Entities {
		e := &model.Entities[i]
		places := placesOf(model, e)
		n.list("entity", e.Name)
		if len(e.Key) > 0 {
			n.list("member", places...)
		}
		for j := range e.Dimensions {
			n.dimension(e, &e.Dimensions[j], places, fiscal, values)
		}
	}
	n.fit(most)
	n.list("attribute", n.parts...) // alone: of the time of each metric
	for _, v := range n.valued {
		n.list("valued_attribute", v.dims...)
	}
	for _, unit := range n.lists["unit"] { // alone: the time of each metric
		if slices.ContainsFunc(n.cuts, func(c cutGroup) bool { return slices.Contains(c.grains, unit) }) {
			n.list("cut_time", unit)
		}
	}
	return n
}

func (n *narrowing) list(name string, words ...string) {
	n.lists[name] = append(n.lists[name], words...)
}

// dimension files one dimension, which is found at several places.
func (n *narrowing) dimension(e *semantic.Entity, d *semantic.Dimension, places, fiscal []string, values func(string) []string) {
	var names []string
	for _, p := range places {
		name := p + "." + d.Name
		names = append(names, Dim{Name: name}.dottedString())
		if looksLikeGrain(d.Name) { // an expression names it without quotes
			n.list("plain_attribute", name)
		}
	}
	if listed := listedValues(e, d, values); len(listed) > 0 {
		n.valued = append(n.valued, valuedDims{names, listed})
	} else {
		n.list("attribute", names...)
	}
	grains := grainsOf(d, fiscal)
	if len(grains) == 0 {
		return
	}
	n.list("time", names...)
	for _, p := range partsOf(grains) {
		for _, place := range places {
			n.list("attribute", place+"."+d.Name+"."+p)
		}
		if !slices.Contains(n.parts, p) {
			n.parts = append(n.parts, p)
		}
	}
	for _, g := range grains {
		for _, p := range places {
			n.list("cut_time", Dim{Name: p + "." + d.Name, Grain: g}.dottedString())
		}
	}
	for i := range n.cuts {
		if slices.Equal(n.cuts[i].grains, grains) {
			n.cuts[i].dims = append(n.cuts[i].dims, names...)
			return
		}
	}
	n.cuts = append(n.cuts, cutGroup{slices.Clone(names), grains})
}

// placesOf gives the names that lead to an entity: its own, and the roles of joins to it.
func placesOf(model *semantic.Model, e *semantic.Entity) []string {
	places := []string{e.Name}
	for _, j := range model.Joins {
		if j.Role != "" && strings.EqualFold(j.To, e.Name) && !slices.ContainsFunc(places, func(p string) bool { return strings.EqualFold(p, j.Role) }) {
			places = append(places, j.Role)
		}
	}
	return places
}

// fiscalUnits gives the units that the calendars of a model add.
func fiscalUnits(model *semantic.Model) []string {
	var all []string
	for i := range model.Calendars {
		units := []string{semantic.UnitFiscalQuarter, semantic.UnitFiscalYear}
		switch c := &model.Calendars[i]; {
		case c.Pattern != "":
			units = append([]string{semantic.UnitFiscalWeek, semantic.UnitFiscalPeriod}, units...)
		case c.Table != "":
			units = slices.Sorted(maps.Keys(c.Units))
		}
		for _, u := range units {
			if !slices.Contains(all, u) {
				all = append(all, u)
			}
		}
	}
	return all
}

// grainsOf gives the grains that a dimension can be cut by; none for one that is no time.
func grainsOf(d *semantic.Dimension, fiscal []string) []string {
	if !d.Type.Temporal() {
		return nil
	}
	grains := []string{"hour", "day", "week", "month", "quarter", "year"}
	finest := "day"
	if d.Type == semantic.Timestamp {
		finest = "hour"
	}
	if d.Granularity != "" {
		finest = d.Granularity
	}
	at := slices.Index(grains, finest)
	if at < 0 { // a unit of a calendar, which only that calendar can place
		return append([]string{finest}, fiscal...)
	}
	if grains = grains[at:]; finest == "week" {
		grains = grains[:1] // weeks make no months
	}
	return slices.Concat(grains, fiscal)
}

// partsOf gives the parts of a date that a time has which can be cut by some grains.
func partsOf(grains []string) []string {
	var all []string
	for _, p := range semantic.DateParts() {
		if slices.Contains(grains, p.Unit) {
			all = append(all, p.Name)
		}
	}
	return all
}

// listedValues gives the values that may be listed: of a text that holds no personal data, and not too many.
func listedValues(e *semantic.Entity, d *semantic.Dimension, values func(string) []string) []string {
	if d.Type != semantic.Text || d.PII != "" {
		return nil
	}
	listed := d.Values
	if len(listed) == 0 && values != nil {
		listed = values(e.Name + "." + d.Name)
	}
	listed = slices.Compact(slices.Sorted(slices.Values(listed)))
	if len(listed) > maxListedValues {
		return nil
	}
	return listed
}

// fit opens the longest lists until all together have at most that many bytes.
func (n *narrowing) fit(most int) {
	size := func(v valuedDims) int { return len(strings.Join(v.values, `","`)) + 4 }
	total := 0
	for _, v := range n.valued {
		total += size(v)
	}
	for total > most {
		longest := 0
		for i, v := range n.valued {
			if size(v) > size(n.valued[longest]) {
				longest = i
			}
		}
		total -= size(n.valued[longest])
		n.list("attribute", n.valued[longest].dims...)
		n.valued = slices.Delete(n.valued, longest, longest+1)
	}
}

// choice is one of the names of a list.
func (n *narrowing) choice(name string) object {
	if slices.Contains(n.open, name) {
		return object{{"type", "string"}, {"minLength", 1}}
	}
	return choice(n.lists[name])
}

// choice is one of a list; a list that is empty allows nothing.
func choice(list []string) object {
	if len(list) == 0 {
		return object{{"not", object{}}}
	}
	return enum(list)
}

func (n *narrowing) options() object {
	properties := object{
		{"tz", object{{"type", "string"}}},
		{"week_start", enum([]string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"})},
		{"partial", enum([]string{"match", "none", "error"})},
		{"verify", enum([]string{"A", "AA", "AAA"})},
		{"max_rows", object{{"type", "integer"}, {"minimum", 1}, {"maximum", maxInteger}}},
		{"distinct", enum([]string{"exact"})},
	}
	var calendars []string
	for _, c := range n.model.Calendars {
		calendars = append(calendars, c.Name)
	}
	properties.add("calendar", choice(calendars), len(calendars) > 0)
	return object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
}

// forms narrows the ways to write a type. The lists that they name are filled in here.
func (n *narrowing) forms(t reflect.Type, r jsonRole, all []jsonForm) []jsonForm {
	var narrow []jsonForm
	for _, f := range n.briefly(t, all) {
		switch {
		case t == reflect.TypeFor[Query]():
			narrow = append(narrow, f.without("with"))
		case t == reflect.TypeFor[Pred]() && f.needs[0].key == "dim" && r == roleHaving: // its name under "out" does it
		case t == reflect.TypeFor[Pred]() && f.needs[0].key == "dim" && f.lists():
			narrow = append(narrow, n.comparable(f)...)
		case f.needs[0].key == "dim" && (t == reflect.TypeFor[Item]() || t == reflect.TypeFor[Pred]()):
			narrow = append(narrow, n.cuttable(f, "")...)
		default:
			narrow = append(narrow, f)
		}
	}
	return narrow
}

// without leaves a key out that may stand in a form.
func (f jsonForm) without(key string) jsonForm {
	return jsonForm{f.needs, slices.DeleteFunc(slices.Clone(f.may), func(k jsonKey) bool { return k.key == key })}
}

// lists says whether a comparison names values of its dimension one by one: = and <>, IN and NOT IN.
func (f jsonForm) lists() bool {
	return slices.ContainsFunc(f.needs, func(k jsonKey) bool { return k.key == "val" && (k.shape == "one" || k.shape == "list") })
}

// cuttable is a form with a dimension of a list (empty: any) and its grain in one string, and one for each group of times
// with the grain beside it.
func (n *narrowing) cuttable(f jsonForm, list string) []jsonForm {
	plain := f.without("grain")
	plain.needs = slices.Clone(f.needs)
	plain.needs[0].narrowed = list
	all := []jsonForm{plain}
	for i, c := range n.cuts {
		times, grains := "times_"+strconv.Itoa(i+1), "grains_"+strconv.Itoa(i+1)
		n.lists[times], n.lists[grains] = c.dims, c.grains
		cut := f.without("grain")
		cut.needs = append([]jsonKey{{key: "dim", narrowed: times}, {key: "grain", narrowed: grains}}, f.needs[1:]...)
		all = append(all, cut)
	}
	return all
}

// comparable is a comparison with values: of a dimension without a list any value, of one with a list one of them.
func (n *narrowing) comparable(f jsonForm) []jsonForm {
	all := n.cuttable(f, "open_dim")
	if n.brief && slices.ContainsFunc(f.needs, func(k jsonKey) bool { return k.shape == "list" }) {
		return all // = and OR say the same of a list
	}
	for i, v := range n.valued {
		dims, values := "dims_"+strconv.Itoa(i+1), "values_"+strconv.Itoa(i+1)
		n.lists[dims], n.lists[values] = v.dims, v.values
		one := jsonForm{needs: []jsonKey{{key: "dim", narrowed: dims}}}
		for _, k := range f.needs[1:] {
			switch {
			case k.key == "val":
				k.narrowed = values
			case len(k.words) > 2: // of the comparisons only = and <> fit a list
				k.words = k.words[:2]
			}
			one.needs = append(one.needs, k)
		}
		all = append(all, one)
	}
	return all
}
