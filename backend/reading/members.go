package reading

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// members lists the members of the column of a condition, where it has some that are known. p is the condition; nil: it is a new one.
// false: it is none to be chosen from a list.
func (m *menu) members(p *frameql.Pred) bool {
	dimension := m.asked.Dimension
	var chosen []string
	not := false
	if p != nil {
		on, members, all, ok := listing(p)
		switch {
		case m.asked.Leaf > 0, !ok && dimension == "", dimension != "" && dimension != p.Dim:
			return false
		case ok:
			dimension, chosen, not = on, members, all
		}
	}
	d := m.env.Model.Dimension(dimension)
	if d == nil || d.PII != "" || d.Type != semantic.Text && d.Type != semantic.Boolean {
		return false // what is personal is in no list
	}
	values, complete := m.known(d, dimension)
	if len(values) == 0 {
		return false
	}
	m.out.Title = text.Say("reading.members_of", "dimension", called(d.Label, d.Name))
	m.out.Find = text.Say("reading.find_member")
	change := func(members []string, not bool) *Change {
		return &Change{Slot: Filter, Part: m.asked.Part, Dimension: dimension, Members: members, Not: not}
	}
	for i := len(chosen) - 1; i >= 0; i-- { // what is chosen stands first
		values = append([]string{chosen[i]}, slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == chosen[i] })...)
	}
	option := func(v string) Option {
		o := Option{Label: v, Chosen: slices.Contains(chosen, v), Change: change([]string{v}, not)}
		if v == "" {
			o.Label = text.Say("reading.empty_text")
		}
		if m.asked.Part != "" {
			with := append(slices.Clone(chosen), v)
			if o.Chosen {
				with = slices.DeleteFunc(slices.Clone(chosen), func(x string) bool { return x == v })
			}
			if len(with) > 0 {
				o.Also = change(with, not)
			}
		}
		return o
	}
	var all []Option
	for _, v := range values {
		if m.find != "" && !strings.Contains(strings.ToLower(v), m.find) {
			continue
		}
		if all = append(all, option(v)); len(all) > m.most {
			break
		}
	}
	if typed := strings.TrimSpace(m.asked.Find); typed != "" && !complete && !slices.ContainsFunc(all, func(o Option) bool { return strings.EqualFold(o.Label, typed) }) {
		all = append(all, option(typed)) // not all of them are known here
	}
	if !complete && m.find == "" {
		m.out.More = true
	}
	m.group("", all)
	if m.asked.Part != "" && m.find == "" && len(chosen) > 0 {
		other := "reading.all_but"
		if not {
			other = "reading.only"
		}
		m.group(text.Say("reading.group_turn"), []Option{{Label: text.Say(other, "members", enumerated(chosen)), Change: change(chosen, !not)}})
	}
	if m.find == "" && d.Type == semantic.Text {
		m.group(text.Say("reading.group_another"), []Option{{Label: text.Say("reading.in_words"), Opens: &Asked{Slot: Filter, Part: m.asked.Part, Dimension: dimension, Form: true}}})
	}
	return true
}

const mostNamed = 3

func enumerated(members []string) string {
	if len(members) > mostNamed {
		return text.Say("reading.several", "n", len(members))
	}
	return strings.Join(members, ", ")
}

// listing takes a condition apart that lists members of a dimension.
func listing(p *frameql.Pred) (dimension string, members []string, not, ok bool) {
	if p.Dim == "" || p.Grain != "" || p.Expr != nil || p.ValDim != nil {
		return "", nil, false, false
	}
	values := p.Vals
	if p.Val != nil {
		values = []frameql.Value{*p.Val}
	}
	for _, v := range values {
		if v.Kind == frameql.Null {
			return "", nil, false, false
		}
		members = append(members, v.Text)
	}
	return p.Dim, members, p.Op == "ne" || p.Op == "not_in", slices.Contains([]string{"eq", "in", "ne", "not_in"}, p.Op)
}

// known gives the members that are known of a dimension, those that are most frequent first, and whether these are all.
func (m *menu) known(d *semantic.Dimension, name string) (values []string, complete bool) {
	if d.Type == semantic.Boolean {
		return []string{"true", "false"}, true
	}
	if m.env.Values != nil {
		if values, complete = m.env.Values(name); len(values) > 0 {
			return values, complete
		}
	}
	for _, v := range d.Map {
		values = append(values, v)
	}
	if len(d.Map) > 0 && d.Default != "" {
		values = append(values, d.Default)
	}
	values = append(values, d.Values...)
	slices.Sort(values)
	return slices.Compact(values), len(values) > 0
}

const mostYears = 12

// periods lists years, quarters and months that the data has, and those that go by the clock.
func (m *menu) periods() {
	m.out.Find = text.Say("reading.find_period")
	now := ""
	if m.Time != nil {
		now = m.Time.Period.String()
	}
	option := func(label, written string) Option {
		return Option{Label: label, Chosen: written == now, Change: &Change{Slot: Period, Part: m.asked.Part, Text: written}}
	}
	if m.find != "" {
		if p, ok := periodOf(strings.ToUpper(strings.TrimSpace(m.asked.Find))); ok {
			m.find = ""
			m.group(text.Say("reading.group_typed"), []Option{option(p.String(), p.String())})
			return
		}
	}
	first, last, known := m.covered()
	var years, quarters, months []Option
	if known {
		for y := last.Year(); y >= first.Year() && len(years) < mostYears; y-- {
			years = append(years, option(fmt.Sprint(y), fmt.Sprint(y)))
		}
		year := last.Year()
		if p := m.plan.Period; p != nil && !p.From.IsZero() && p.From.Year() >= first.Year() && p.From.Year() <= year {
			year = p.From.Year()
		}
		for n := 1; n <= 4; n++ {
			quarters = append(quarters, option(text.Say("analyst.quarter_name", "quarter", n, "year", year), fmt.Sprintf("%04d-Q%d", year, n)))
		}
		for n := 1; n <= 12; n++ {
			months = append(months, option(text.Say("analyst.month_name", "month", text.Say(fmt.Sprintf("analyst.month_%d", n)), "year", year), fmt.Sprintf("%04d-%02d", year, n)))
		}
		within := func(o Option) bool {
			p, _ := periodOf(o.Change.Text)
			use, bad := frameql.ResolvePeriod(p, m.env.Now, m.env.Model)
			return bad != nil || use.From.After(last) || !use.To.After(first)
		}
		quarters, months = slices.DeleteFunc(quarters, within), slices.DeleteFunc(months, within)
	}
	var moving []Option
	for _, u := range []string{"year", "quarter", "month"} {
		unit := text.Say("analyst.unit_" + u)
		moving = append(moving, option(text.Say("analyst.period_this", "unit", unit), "THIS "+strings.ToUpper(u)), option(text.Say("analyst.period_previous", "unit", unit), "PREVIOUS "+strings.ToUpper(u)))
	}
	moving = append(moving, option(text.Say("analyst.period_last", "n", 12, "unit", text.Say("analyst.units_month")), "LAST 12 MONTH"),
		option(text.Say("analyst.period_last", "n", 30, "unit", text.Say("analyst.units_day")), "LAST 30 DAY"))
	if now != "" && !slices.ContainsFunc(slices.Concat(years, quarters, months, moving), func(o Option) bool { return o.Chosen }) {
		m.group("", []Option{option(now, now)})
	}
	m.group(text.Say("reading.group_years"), years)
	m.group(text.Say("reading.group_quarters"), quarters)
	m.group(text.Say("reading.group_months"), months)
	m.group(text.Say("reading.group_moving"), moving)
}

// covered gives the first and the last moment of the time that the query goes by.
func (m *menu) covered() (first, last time.Time, ok bool) {
	if m.env.Coverage == nil {
		return first, last, false
	}
	if p := m.plan.Period; p != nil && p.On != "" {
		return m.env.Coverage(p.On)
	}
	for _, name := range m.plan.Metrics {
		if x := m.env.Model.Metric(name); x != nil {
			if entity, dimension, found := m.env.Model.TimeOf(x); found {
				return m.env.Coverage(entity + "." + dimension)
			}
		}
	}
	if e := m.env.Model.Entity(m.plan.Fact); e != nil && e.DefaultTime != "" {
		return m.env.Coverage(e.Name + "." + e.DefaultTime)
	}
	return first, last, false
}
