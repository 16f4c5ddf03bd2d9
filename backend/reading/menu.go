package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Asked names the part of a query whose alternatives are wanted.
type Asked struct {
	Slot      Slot   `json:"slot,omitempty" enum:"metric,dimension,columns,filter,period,compare,having,top,other,per,fill,totals,order,limit,option" doc:"Absent: what may be added"`
	Part      string `json:"part,omitempty" maxLength:"20000" doc:"Its text in the query, or its column; absent: a new one"`
	Leaf      int    `json:"leaf,omitempty" minimum:"0" maximum:"10000" doc:"Of a condition that is made of several: which comparison, from 1"`
	Dimension string `json:"dimension,omitempty" maxLength:"400" doc:"Of a condition: the column that it is on"`
	Metric    string `json:"metric,omitempty" maxLength:"400" doc:"Of a new condition on the result: the number that it is on"`
	Form      bool   `json:"form,omitempty" doc:"A condition is to be written, also where its members could be chosen"`
	Find      string `json:"find,omitempty" maxLength:"200" doc:"What is looked for among them"`
}

// Menu is what a part of a query may become. Everything that is offered resolves.
type Menu struct {
	Title  string  `json:"title"`
	Groups []Group `json:"groups" nullable:"false"`
	Remove *Change `json:"remove,omitempty" doc:"Leaves the part out; absent: the query cannot do without"`
	Find   string  `json:"find,omitempty" doc:"What may be looked for, in words; absent: all is listed"`
	More   bool    `json:"more,omitempty" doc:"There are more than are listed"`
	Form   *Form   `json:"form,omitempty" doc:"A condition that is written; the options are what may stand in its fields"`
}

// Group is alternatives of one kind.
type Group struct {
	Label   string   `json:"label"`
	Options []Option `json:"options" nullable:"false"`
}

// Option is one alternative. It changes the query at once, or opens a further menu.
type Option struct {
	Label  string  `json:"label"`
	Detail string  `json:"detail,omitempty"`
	Chosen bool    `json:"chosen,omitempty" doc:"The query has it now"`
	Change *Change `json:"change,omitempty"`
	Also   *Change `json:"also,omitempty" doc:"Puts it beside the members that are chosen, or takes it from them"`
	Opens  *Asked  `json:"opens,omitempty"`
	Value  string  `json:"value,omitempty" doc:"What it writes into the form"`
}

// mostOptions is how many alternatives of one kind are listed.
const mostOptions = 60

// called is what people call a thing of the model: its label, or its name in words.
func called(label, name string) string {
	return cmp.Or(label, strings.ReplaceAll(name, "_", " "))
}

// menu gathers the alternatives of one part.
type menu struct {
	query
	asked Asked
	find  string // folded
	most  int    // alternatives of one kind
	out   Menu
}

// Alternatives lists what a part of a query may become, or, for no slot, what may be added to it. Only what the model of env has is
// offered, and nothing that is personal. Fault Invalid: the query has no such part.
func Alternatives(plan *frameql.Plan, env frameql.Env, a Asked) (Menu, error) {
	return alternatives(plan, env, a, mostOptions)
}

func alternatives(plan *frameql.Plan, env frameql.Env, a Asked, most int) (Menu, error) {
	m := menu{query: query{plan.Query, plan, env}, asked: a, find: strings.ToLower(strings.TrimSpace(a.Find)), most: most}
	m.out.Groups = []Group{}
	lists := map[Slot]func(){
		"": m.kinds, Metric: m.metrics, Dimension: m.dimensions, Columns: m.listed, Filter: m.condition, Period: m.periods,
		Compare: m.comparands, Top: m.tops, Order: m.orders, Limit: m.limits,
		Having: m.condition, Other: m.nothing, Per: m.nothing, Fill: m.fillings, Totals: m.nothing, Options: m.nothing,
	}
	list, ok := lists[a.Slot]
	if !ok {
		return Menu{}, noPart(Change{Slot: a.Slot, Part: a.Part})
	}
	if err := m.has(); err != nil {
		return Menu{}, err
	}
	if a.Slot != "" {
		m.out.Title = text.Say("reading.title_" + string(a.Slot))
		if a.Part == "" {
			m.out.Title = text.Say("reading.add_" + string(a.Slot))
		}
	} else {
		m.out.Title = text.Say("reading.add")
	}
	list()
	if a.Part != "" {
		m.removal()
	}
	return m.out, nil
}

// has refuses what is asked about where the query has no such part, or the person knows no such thing. Fault Invalid.
func (m *menu) has() error {
	has := true
	part := m.asked.Part
	switch m.asked.Slot {
	case Metric, Columns:
		has = part == "" || m.item(part) >= 0
	case Dimension:
		has = part == "" || slices.ContainsFunc(m.splits(), func(s split) bool { return s.text == part })
	case Filter, Having:
		all := frameql.Conjuncts(m.whole())
		i := conjunct(all, part)
		has = part == "" && m.asked.Leaf == 0 || i >= 0 && (m.asked.Leaf == 0 || leaf(all[i], m.asked.Leaf) != nil)
		if d := m.asked.Dimension; part == "" && d != "" && m.env.Model.Dimension(d) == nil {
			return unknown(d)
		}
		if x := m.asked.Metric; part == "" && x != "" && !m.measured(x) {
			return unknown(x)
		}
	}
	if !has {
		return noPart(Change{Slot: m.asked.Slot, Part: part})
	}
	return nil
}

func (m *menu) nothing() {}

// removal offers to leave the part out where the query can do without.
func (m *menu) removal() {
	if m.asked.Slot == Columns {
		return // of several at once: each by itself
	}
	c := Change{Slot: m.asked.Slot, Part: m.asked.Part, Leaf: m.asked.Leaf, Remove: true}
	if m.allows(c) {
		m.out.Remove = &c
	}
}

// allows says whether a change gives a query that resolves.
func (m *menu) allows(c Change) bool {
	q, err := applied(m.plan, m.env, c)
	return err == nil && frameql.Try(q, m.env) != nil
}

// group adds a group with the alternatives that are looked for and resolve; those that are chosen stand as they are.
func (m *menu) group(label string, all []Option) {
	g := Group{Label: label, Options: []Option{}}
	for _, o := range all {
		if m.find != "" && !strings.Contains(strings.ToLower(o.Label+" "+o.Detail), m.find) {
			continue
		}
		if len(g.Options) == m.most {
			m.out.More = true
			break
		}
		if o.Change != nil && !o.Chosen && !m.allows(*o.Change) {
			if o.Also == nil || !m.allows(*o.Also) {
				continue
			}
			o.Change = nil
		}
		g.Options = append(g.Options, o)
	}
	if len(g.Options) > 0 {
		m.out.Groups = append(m.out.Groups, g)
	}
}

// kinds lists the clauses that may be added. Each opens the menu of its own alternatives.
func (m *menu) kinds() {
	var all []Option
	for _, slot := range []Slot{Metric, Dimension, Columns, Filter, Having, Period, Compare, Top, Order, Limit} {
		switch {
		case slot == Period && m.Time != nil, slot == Top && m.Query.Top != nil, slot == Limit && (m.Query.Limit != nil || !m.plan.Listing),
			slot == Columns && !m.plan.Listing, slot != Columns && slot != Filter && slot != Period && slot != Order && slot != Limit && m.plan.Listing:
			continue
		}
		sub, err := alternatives(m.plan, m.env, Asked{Slot: slot}, 1) // whether there is any
		if err != nil || len(sub.Groups) == 0 {
			continue
		}
		all = append(all, Option{Label: text.Say("reading.kind_" + string(slot)), Opens: &Asked{Slot: slot}})
	}
	m.group("", all)
}

// metrics lists the numbers that go with what the query is split by.
func (m *menu) metrics() {
	m.out.Find = text.Say("reading.find_metric")
	chosen := map[string]bool{}
	for i, it := range m.Select {
		if it.Expr == nil {
			continue
		}
		own := it.Expr.Metric
		if own == "" && it.Expr.Of != nil {
			own = it.Expr.Of.Metric
		}
		if m.asked.Part == "" || m.column(i) == m.asked.Part {
			chosen[own] = true
		}
	}
	var all []Option
	for i := range m.env.Model.Metrics {
		x := &m.env.Model.Metrics[i]
		if x.Hidden {
			continue
		}
		o := Option{Label: called(x.Label, x.Name), Detail: x.Unit, Chosen: chosen[x.Name], Change: &Change{Slot: Metric, Part: m.asked.Part, Metric: x.Name}}
		if o.Chosen && m.asked.Part == "" {
			continue
		}
		all = append(all, o)
	}
	m.group("", all)
}

// dimensions lists what the query may be split by instead: units of time where it is time, and other things.
func (m *menu) dimensions() {
	m.out.Find = text.Say("reading.find_dimension")
	var now split
	for _, s := range m.splits() {
		if s.text == m.asked.Part {
			now = s
		}
	}
	m.grains(now)
	m.group(text.Say("reading.group_by"), m.things(func(name string) Option {
		return Option{Chosen: m.stands(now, name), Change: &Change{Slot: Dimension, Part: m.asked.Part, Dimension: name}}
	}))
}

// stands says whether a dimension is what the query is split by now, or what its members are called by.
func (m *menu) stands(now split, name string) bool {
	if name == now.dim.Name {
		return now.dim.Grain == ""
	}
	d := m.env.Model.DisplayOf(now.dim.Name)
	return d != nil && name == now.dim.Name+"."+d.Name
}

// things lists the dimensions that may be shown, each once, without times, personal data, and what only leads to others.
func (m *menu) things(option func(name string) Option) []Option { return m.columnsOf(false, option) }

// columnsOf lists the columns of the model without personal data and what only leads to others; every one also has times and amounts.
func (m *menu) columnsOf(every bool, option func(name string) Option) []Option {
	var all []Option
	for i := range m.env.Model.Entities {
		e := &m.env.Model.Entities[i]
		for k := range e.Dimensions {
			d := &e.Dimensions[k]
			if d.PII != "" || !every && (d.Type.Temporal() || d.Measure) || slices.Contains(e.Key, d.Name) && e.Display != "" && e.Display != d.Name || m.links(e.Name, d.Name) {
				continue
			}
			o := option(e.Name + "." + d.Name)
			o.Label, o.Detail = called(d.Label, d.Name), called(e.Label, e.Name)
			all = append(all, o)
		}
	}
	return all
}

// links says whether a dimension only leads to another entity.
func (m *menu) links(entity, name string) bool {
	for _, j := range m.env.Model.JoinsFrom(entity) {
		for _, p := range j.On {
			if strings.EqualFold(p.From, name) {
				return true
			}
		}
	}
	return false
}

// units are the units of time that a query may be cut by, the coarsest first.
var units = [...]string{"year", "quarter", "month", "week", "day"}

// grains offers the units of time.
func (m *menu) grains(now split) {
	on := now.dim.Name
	grain := now.dim.Grain
	if grain == "" && slices.Contains(units[:], on) {
		on, grain = "", on // "month": the usual time
	}
	if grain == "" && m.asked.Part != "" {
		if d := m.env.Model.Dimension(on); d == nil || !d.Type.Temporal() {
			on = ""
		}
	}
	var all []Option
	for _, u := range units {
		c := Change{Slot: Dimension, Part: m.asked.Part, Dimension: on, Grain: u}
		if on == "" {
			c.Dimension, c.Grain = u, ""
		}
		all = append(all, Option{Label: text.Say("analyst.unit_" + u), Chosen: u == grain, Change: &c})
	}
	m.group(text.Say("reading.group_time"), all)
}

// listed offers the columns of a listing one by one, and others to show beside them.
func (m *menu) listed() {
	var shown []Option
	names := map[string]bool{}
	for _, c := range m.plan.Columns {
		if c.Role != frameql.RoleDimension {
			continue
		}
		names[c.Dimension] = true
		if m.asked.Part != "" {
			change := Change{Slot: Columns, Part: c.Name, Remove: true}
			shown = append(shown, Option{Label: called(c.Label, c.Name), Chosen: true, Change: &change})
		}
	}
	shown = slices.DeleteFunc(shown, func(o Option) bool { return !m.allows(*o.Change) })
	m.group(text.Say("reading.group_shown"), shown)
	m.out.Find = text.Say("reading.find_dimension")
	m.group(text.Say("reading.group_further"), slices.DeleteFunc(m.things(func(name string) Option {
		return Option{Chosen: names[name], Change: &Change{Slot: Columns, Dimension: name}}
	}), func(o Option) bool { return o.Chosen }))
}

// comparands lists what a query may be compared with.
func (m *menu) comparands() {
	var all []Option
	taken := map[string]bool{}
	for _, c := range m.Query.Compare {
		taken[c.String()] = true
	}
	offer := func(label string, c frameql.Comparand) {
		written := c.String()
		o := Option{Label: label, Chosen: written == m.asked.Part, Change: &Change{Slot: Compare, Part: m.asked.Part, Text: written}}
		if o.Chosen || !taken[written] {
			all = append(all, o)
		}
	}
	offer(text.Say("reading.compare_period"), frameql.Comparand{Kind: "previous_period"})
	offer(text.Say("reading.compare_year"), frameql.Comparand{Kind: "same_period_last", Unit: "year"})
	for _, u := range []string{"quarter", "month"} {
		offer(text.Say("reading.compare_last", "unit", text.Say("analyst.unit_"+u)), frameql.Comparand{Kind: "same_period_last", Unit: u})
	}
	if m.asked.Part != "" {
		none := Change{Slot: Compare, Part: m.asked.Part, Remove: true}
		all = append(all, Option{Label: text.Say("reading.compare_none"), Change: &none})
	}
	m.group("", all)
}

var usualNumbers = [...]int{3, 5, 10, 20, 50, 100}

// numbers offers numbers, those that are usual, the one that it is now, and the one that is looked for.
func (m *menu) numbers(now int, label string, change func(n int) Change) {
	all := append([]int{}, usualNumbers[:]...)
	typed := 0
	if _, err := fmt.Sscanf(m.find, "%d", &typed); err == nil && typed > 0 && typed <= 100_000 {
		all = []int{typed}
		m.find = ""
	} else if m.find != "" {
		return
	}
	if now > 0 && !slices.Contains(all, now) && typed == 0 {
		all = append(all, now)
	}
	slices.Sort(all)
	var out []Option
	for _, n := range all {
		c := change(n)
		out = append(out, Option{Label: text.Say(label, "n", n), Chosen: n == now, Change: &c})
	}
	m.group(text.Say("reading.group_many"), out)
}

func (m *menu) tops() {
	t := m.Query.Top
	m.out.Find = text.Say("reading.find_number")
	label := "reading.top_n"
	now := 0
	if t != nil {
		if now = t.N; t.Asc {
			label = "reading.bottom_n"
		}
	}
	m.numbers(now, label, func(n int) Change { return Change{Slot: Top, Part: m.asked.Part, N: n} })
	if t == nil || m.asked.Find != "" {
		return
	}
	end := func(key string, asc bool, d Direction) Option {
		return Option{Label: text.Say(key, "n", t.N), Chosen: t.Asc == asc, Change: &Change{Slot: Top, Part: m.asked.Part, Direction: d}}
	}
	m.group(text.Say("reading.group_end"), []Option{end("reading.top_n", false, Descending), end("reading.bottom_n", true, Ascending)})
	var by []Option
	own := t.By.Out
	if t.By.Expr != nil {
		own = t.By.Expr.Metric
	}
	for i := range m.env.Model.Metrics {
		x := &m.env.Model.Metrics[i]
		if x.Hidden {
			continue
		}
		by = append(by, Option{Label: called(x.Label, x.Name), Chosen: x.Name == own, Change: &Change{Slot: Top, Part: m.asked.Part, Metric: x.Name}})
	}
	m.group(text.Say("reading.group_ranked"), by)
	rest := Change{Slot: Other, Remove: t.Other}
	m.group(text.Say("reading.group_rest"), []Option{{Label: text.Say("reading.with_rest"), Chosen: t.Other, Change: &rest}})
}

func (m *menu) limits() {
	now := 0
	if m.Query.Limit != nil {
		now = *m.Query.Limit
	}
	m.out.Find = text.Say("reading.find_number")
	m.numbers(now, "reading.limit_n", func(n int) Change { return Change{Slot: Limit, Part: m.asked.Part, N: n} })
}

func (m *menu) orders() {
	var up, down []Option
	for _, c := range m.plan.Columns {
		if c.Role == frameql.RoleFlag {
			continue
		}
		for _, d := range []Direction{Descending, Ascending} {
			o := Option{Label: called(c.Label, c.Name), Change: &Change{Slot: Order, Part: m.asked.Part, Metric: c.Name, Direction: d}}
			o.Chosen = m.asked.Part != "" && slices.ContainsFunc(m.Query.Order, func(x frameql.Order) bool {
				return orderText(x) == m.asked.Part && x.Out == c.Name && x.Desc == (d == Descending)
			})
			if d == Descending {
				down = append(down, o)
			} else {
				up = append(up, o)
			}
		}
	}
	m.group(text.Say("reading.group_down"), down)
	m.group(text.Say("reading.group_up"), up)
}
