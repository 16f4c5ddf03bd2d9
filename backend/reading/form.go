package reading

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Form is a condition as a person writes it: what it is on, how that can be compared, and with what. What is written becomes a
// Change with the slot, part, leaf, dimension and metric of the form.
type Form struct {
	Slot      Slot       `json:"slot" enum:"filter,having"`
	Part      string     `json:"part,omitempty"`
	Leaf      int        `json:"leaf,omitempty"`
	Dimension string     `json:"dimension,omitempty"`
	Metric    string     `json:"metric,omitempty"`
	On        string     `json:"on" doc:"What the condition is on, in words"`
	Kind      Kind       `json:"kind" enum:"text,number,date,moment,time,boolean,unit" doc:"How its values are written"`
	Unit      string     `json:"unit,omitempty" doc:"What its numbers count"`
	Example   string     `json:"example,omitempty" doc:"How a value is written, where no field says it"`
	Operators []Operator `json:"operators" nullable:"false"`
	Operator  string     `json:"operator" doc:"As it is now"`
	Values    []string   `json:"values" nullable:"false" doc:"As they are now"`
	Against   string     `json:"against,omitempty" doc:"What it is compared with now, where that is no value; it stays when no values are given"`
	Longest   int        `json:"longest" doc:"Characters of one value at most"`
}

// Operator is one way to compare.
type Operator struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Takes Takes  `json:"takes" enum:"none,one,two,many" doc:"How many values"`
}

// operators are those of each kind, in the order in which they are offered.
func operators(k Kind) []string {
	switch k {
	case Text:
		return []string{"eq", "ne", "in", "not_in", "contains", "not_contains", "starts_with", "not_starts_with", "like", "not_like", "is_null", "not_null"}
	case Boolean:
		return []string{"eq", "ne", "is_null", "not_null"}
	}
	return []string{"eq", "ne", "lt", "le", "gt", "ge", "between", "not_between", "in", "not_in", "is_null", "not_null"}
}

// condition is the menu of one part of WHERE or HAVING: members to choose from, comparisons to choose between, or a form.
func (m *menu) condition() {
	var p *frameql.Pred
	if m.asked.Part != "" {
		all := frameql.Conjuncts(m.whole())
		p = all[conjunct(all, m.asked.Part)]
		if m.asked.Leaf > 0 {
			p = leaf(p, m.asked.Leaf)
		}
	}
	switch {
	case p == nil && m.asked.Dimension == "" && m.asked.Metric == "":
		if m.asked.Slot == Having {
			m.measures()
		} else {
			m.filterable()
		}
	case p != nil && leaf(p, 0) == nil:
		m.several(p)
	case m.asked.Slot == Filter && !m.asked.Form && m.members(p):
	default:
		m.form(p)
	}
}

// whole is the condition that the part stands in.
func (m *menu) whole() *frameql.Pred {
	if m.asked.Slot == Having {
		return m.Query.Having
	}
	return m.Where
}

// several lists the comparisons that a condition is made of; each opens by itself. What is said of related rows can be turned.
func (m *menu) several(p *frameql.Pred) {
	m.out.Title = short(p.String())
	var all []Option
	for i, inner := range leaves(p) {
		all = append(all, Option{Label: inner.String(), Opens: &Asked{Slot: m.asked.Slot, Part: m.asked.Part, Leaf: i + 1}})
	}
	m.group(text.Say("reading.group_parts"), all)
	if p.Quant == "" {
		return
	}
	var turns []Option
	for _, quantifier := range quantifiers {
		turns = append(turns, Option{
			Label: text.Say("reading.quantifier_"+quantifier, "entity", m.entityWords(p.Entity)), Chosen: p.Quant == quantifier,
			Change: &Change{Slot: m.asked.Slot, Part: m.asked.Part, Operator: quantifier},
		})
	}
	m.group(text.Say("reading.group_related"), turns)
}

func (m *menu) entityWords(name string) string {
	if e := m.env.Model.Entity(name); e != nil {
		return called(e.Label, e.Name)
	}
	return called("", name)
}

// form is a comparison that is written. p is the one that it comes in place of; nil: it is a new one.
func (m *menu) form(p *frameql.Pred) {
	on := subject{Dim: m.asked.Dimension, Out: m.asked.Metric}
	if p != nil {
		on = subjectOf(p)
	}
	d := m.dimensionOf(on, p)
	if p == nil && (m.asked.Slot == Filter && d == nil || m.asked.Slot == Having && !m.measured(on.Out)) {
		return
	}
	f := Form{
		Slot: m.asked.Slot, Part: m.asked.Part, Leaf: m.asked.Leaf, Dimension: m.asked.Dimension, Metric: m.asked.Metric,
		Kind: m.kindOf(on, p), Values: []string{}, Longest: longestValue,
	}
	f.On, f.Unit = m.naming(on, d)
	f.Example = m.example(f.Kind, m.grainOf(on))
	f.Operator = map[Kind]string{Text: "contains", Boolean: "eq", Number: "ge", Date: "ge", Moment: "ge", Clock: "ge", Unit: "eq"}[f.Kind]
	names := operators(f.Kind)
	if p != nil {
		f.Operator, f.Against = p.Op, against(p)
		for _, v := range valuesIn(p) {
			f.Values = append(f.Values, v.Text)
		}
		switch {
		case p.Op == inTop:
			names, f.Kind, f.Unit, f.Values = []string{inTop}, Number, "", []string{strconv.Itoa(p.N)}
		case f.Against != "":
			names = comparisons[:]
		case !slices.Contains(names, p.Op):
			names = append([]string{p.Op}, names...)
		}
	}
	for _, name := range names {
		f.Operators = append(f.Operators, operatorOf(name, f.Kind))
	}
	m.out.Title = text.Say("reading.title_"+string(m.asked.Slot)) + ": " + f.On
	m.out.Form = &f
	if f.Kind == Text && f.Against == "" {
		m.suggest(d, on)
	}
}

func operatorOf(name string, k Kind) Operator {
	takes, _ := takenBy(name)
	label := "reading.op_" + name
	if k == Date || k == Moment || k == Clock || k == Unit {
		switch name {
		case "lt", "le", "gt", "ge":
			label = "reading.date_" + name
		}
	}
	return Operator{Name: name, Label: text.Say(label), Takes: takes}
}

// naming gives the words for what a condition is on, and the unit of its numbers.
func (m *menu) naming(on subject, d *semantic.Dimension) (words, unit string) {
	for _, c := range m.plan.Columns {
		if on.Out != "" && c.Name == on.Out {
			if c.Format != "" {
				return called(c.Label, c.Name), text.Say("reading.fraction")
			}
			return called(c.Label, c.Name), c.Unit
		}
	}
	switch x := m.env.Model.Metric(on.Out); {
	case d != nil && on.Grain != "":
		return called(d.Label, d.Name) + ", " + m.grainWords(on.Grain), ""
	case d != nil:
		return called(d.Label, d.Name), d.Unit
	case x != nil && on.Out != "":
		return called(x.Label, x.Name), x.Unit
	case on.Left != nil:
		return on.Left.String(), ""
	case on.Out != "":
		return called("", on.Out), ""
	}
	return called("", frameql.Dim{Name: on.Dim, Grain: on.Grain}.String()), ""
}

func (m *menu) grainWords(grain string) string {
	if slices.Contains(units[:], grain) {
		return text.Say("analyst.unit_" + grain)
	}
	return called("", grain)
}

// example says how a value is written where the field does not.
func (m *menu) example(k Kind, grain string) string {
	switch k {
	case Moment:
		return text.Say("reading.example_moment")
	case Unit:
		switch grain {
		case "year":
			return text.Say("reading.example_year")
		case "quarter":
			return text.Say("reading.example_quarter")
		case "month":
			return text.Say("reading.example_month")
		}
		return text.Say("reading.example_day")
	}
	return ""
}

// suggest lists the values of a text column that fit what is looked for, to be written into the form.
func (m *menu) suggest(d *semantic.Dimension, on subject) {
	if d == nil || d.PII != "" {
		return // what is personal is in no list
	}
	m.out.Find = text.Say("reading.find_member")
	values, complete := m.known(d, on.Dim)
	var all []Option
	for _, v := range values {
		if v == "" {
			continue
		}
		all = append(all, Option{Label: v, Value: v})
		if m.find == "" && len(all) > m.most {
			break
		}
	}
	m.group(text.Say("reading.group_values"), all)
	m.out.More = m.out.More || !complete && len(values) > 0
	if m.find == "" && len(values) > 0 && m.asked.Leaf == 0 && m.asked.Slot == Filter {
		m.group(text.Say("reading.group_another"), []Option{{Label: text.Say("reading.from_list"), Opens: &Asked{Slot: Filter, Part: m.asked.Part, Dimension: on.Dim}}})
	}
}

// measures lists the numbers that a condition on the result may be about: those of the result, and the others that go with it.
func (m *menu) measures() {
	m.out.Find = text.Say("reading.find_metric")
	var shown, others []Option
	option := func(name, label, unit string) Option {
		return Option{Label: label, Detail: unit, Opens: &Asked{Slot: Having, Metric: name}}
	}
	for _, c := range m.plan.Columns {
		if c.Role == frameql.RoleFlag || c.Role == frameql.RoleDimension {
			continue
		}
		shown = append(shown, option(c.Name, called(c.Label, c.Name), c.Unit))
	}
	for i := range m.env.Model.Metrics {
		x := &m.env.Model.Metrics[i]
		if x.Hidden || slices.ContainsFunc(m.plan.Columns, func(c frameql.Column) bool { return c.Name == x.Name }) {
			continue
		}
		others = append(others, option(x.Name, called(x.Label, x.Name), x.Unit))
	}
	m.group(text.Say("reading.group_result"), m.open(shown))
	m.group(text.Say("reading.group_numbers"), m.open(others))
}

// open leaves those whose form can lead to something, and no more than are listed.
func (m *menu) open(all []Option) []Option {
	var kept []Option
	for _, o := range all {
		if m.find != "" && !strings.Contains(strings.ToLower(o.Label+" "+o.Detail), m.find) {
			continue
		}
		a := o.Opens
		if !m.allows(Change{Slot: a.Slot, Dimension: a.Dimension, Metric: a.Metric, Operator: "not_null"}) {
			continue
		}
		if kept = append(kept, o); len(kept) > m.most {
			break
		}
	}
	return kept
}

// filterable lists the columns that a new condition may be on.
func (m *menu) filterable() {
	m.out.Find = text.Say("reading.find_dimension")
	all := m.columnsOf(true, func(name string) Option {
		return Option{Opens: &Asked{Slot: Filter, Dimension: name}}
	})
	m.group("", m.open(all))
}

// fillings lists what gaps may be filled with.
func (m *menu) fillings() {
	var all []Option
	for _, f := range fillings {
		all = append(all, Option{Label: text.Say("reading.fill_" + f), Chosen: m.Query.Fill == f, Change: &Change{Slot: Fill, Part: m.asked.Part, Text: f}})
	}
	m.group("", all)
}
