package frameql

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// Candidate is one way to go on with a query that is being written.
type Candidate struct {
	Text   string `json:"text"`   // what is put in place of the piece that is written
	Label  string `json:"label"`  // what is listed
	Kind   string `json:"kind"`   // keyword, or one of the things a query may want: metric dimension entity value ...
	Detail string `json:"detail"` // where it belongs, its unit or its type; a few words
	About  string `json:"about"`  // its definition; empty: none
}

// mostCandidates is how many are listed.
const mostCandidates = 60

// Complete gives the ways to go on at a byte of a text, the likeliest first, and the byte from which they replace it. They are what the
// grammar allows and what the model of env holds; values are those that env knows, and never personal ones.
func Complete(source string, at int, env Env) (from int, all []Candidate) {
	o := Open(source, at)
	c := completer{env: env, opening: o}
	for _, want := range o.Wants {
		switch want {
		case WantMetric:
			c.metrics()
		case WantDimension:
			c.dimensions()
		case WantEntity:
			c.entities()
		case WantOutput:
			c.outputs(source)
		case WantValue:
			c.values()
		case WantPeriod:
			c.add(8, "period", c.periods()...)
		case WantUnit:
			c.add(8, "unit", c.units()...)
		case WantOption:
			c.add(8, "option", optionNames()...)
		}
	}
	c.add(5, "keyword", o.Keywords...)
	slices.SortStableFunc(c.found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	all = []Candidate{}
	seen := map[string]bool{}
	for _, f := range c.found {
		if len(all) < mostCandidates && !seen[f.Text+"\x00"+f.Kind] {
			seen[f.Text+"\x00"+f.Kind] = true
			all = append(all, f.Candidate)
		}
	}
	return o.From, all
}

type completer struct {
	env     Env
	opening Opening
	found   []scored
}

type scored struct {
	Candidate
	score int
}

// offer takes a candidate when what is written begins or holds one of its names. The better the match, the higher; base orders the kinds.
func (c *completer) offer(base int, x Candidate, names ...string) {
	written := strings.ToLower(c.opening.Written)
	best := -1
	for i, name := range append([]string{x.Label}, names...) {
		name, score := strings.ToLower(name), -1
		switch {
		case written == "":
			score = 0
		case name == written:
			score = 40
		case strings.HasPrefix(name, written):
			score = 30
		case strings.Contains(strings.ReplaceAll(name, "_", " "), " "+written) || strings.Contains(name, "."+written):
			score = 20
		case len(written) > 1 && strings.Contains(name, written):
			score = 10
		}
		if i > 0 && score > 0 {
			score -= 3
		}
		best = max(best, score)
	}
	if best >= 0 {
		c.found = append(c.found, scored{x, best + base})
	}
}

func (c *completer) add(base int, kind string, words ...string) {
	for _, w := range words {
		c.offer(base, Candidate{Text: w, Label: w, Kind: kind})
	}
}

func (c *completer) metrics() {
	if c.opening.Of != "" {
		return
	}
	for i := range c.env.Model.Metrics {
		if x := &c.env.Model.Metrics[i]; !x.Hidden {
			c.offer(8, Candidate{Text: c.named(x.Name), Label: x.Name, Kind: "metric", Detail: cmp.Or(x.Unit, string(x.Kind)), About: x.Description},
				append([]string{x.Label}, x.Synonyms...)...)
		}
	}
}

// dimensions offers those of the entity before the dot, or all: by the bare name where only one entity has it.
func (c *completer) dimensions() {
	m := c.env.Model
	owners := map[string]int{}
	for i := range m.Entities {
		for _, d := range m.Entities[i].Dimensions {
			owners[strings.ToLower(d.Name)]++
		}
	}
	if of := m.Entity(c.opening.Of); c.opening.Of != "" && of == nil {
		c.grains()
		return
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		if c.opening.Of != "" && !strings.EqualFold(e.Name, c.opening.Of) {
			continue
		}
		for k := range e.Dimensions {
			d := &e.Dimensions[k]
			x := Candidate{Text: c.named(d.Name), Label: d.Name, Kind: "dimension", Detail: detailOf(e, d), About: d.Description}
			if c.opening.Of == "" && owners[strings.ToLower(d.Name)] > 1 {
				x.Text, x.Label = quoted(e.Name)+"."+quoted(d.Name), e.Name+"."+d.Name
			}
			c.offer(7, x, append([]string{d.Name, d.Label}, d.Synonyms...)...)
		}
	}
}

func detailOf(e *semantic.Entity, d *semantic.Dimension) string {
	return e.Name + ", " + string(d.Type)
}

// grains offers the units that a time before the dot can be cut by.
func (c *completer) grains() {
	parts := strings.Split(c.opening.Of, ".")
	name := parts[len(parts)-1]
	for i := range c.env.Model.Entities {
		if d := c.env.Model.Entities[i].Dimension(name); d != nil && d.Type.Temporal() {
			for _, u := range c.units() {
				c.add(8, "unit", strings.ToLower(u))
			}
			return
		}
	}
}

func (c *completer) entities() {
	for i := range c.env.Model.Entities {
		e := &c.env.Model.Entities[i]
		c.offer(8, Candidate{Text: c.named(e.Name), Label: e.Name, Kind: "entity", Detail: e.Label, About: e.Description}, append([]string{e.Label}, e.Synonyms...)...)
	}
}

// outputs offers the names that the query gives its columns with AS.
func (c *completer) outputs(source string) {
	tokens, err := scan(source)
	if err != nil {
		return
	}
	for i := 1; i < len(tokens); i++ {
		if isWord(tokens[i-1], "AS") && isName(tokens[i]) && tokens[i].start != c.opening.From {
			c.offer(9, Candidate{Text: c.named(tokens[i].text), Label: tokens[i].text, Kind: "output"})
		}
	}
}

// values offers those that are known of the dimension that is compared: where several have the name, of each.
func (c *completer) values() {
	entity, name, dotted := strings.Cut(c.opening.Column, ".")
	if !dotted {
		entity, name = "", c.opening.Column
	}
	for i := range c.env.Model.Entities {
		e := &c.env.Model.Entities[i]
		d := e.Dimension(name)
		if d == nil || d.PII != "" || entity != "" && !strings.EqualFold(e.Name, entity) {
			continue
		}
		known := d.Values
		if len(known) == 0 && c.env.Values != nil {
			known, _ = c.env.Values(e.Name + "." + d.Name)
		}
		for _, v := range known {
			literal := "'" + strings.ReplaceAll(v, "'", "''") + "'"
			if d.Type.Numeric() || d.Type == semantic.Boolean {
				literal = v
			}
			c.offer(8, Candidate{Text: literal, Label: v, Kind: "value", Detail: e.Name + "." + d.Name})
		}
	}
}

func (c *completer) periods() []string {
	all := []string{"LAST 12 MONTH", "LAST 30 DAY", "THIS YEAR", "THIS QUARTER", "THIS MONTH", "PREVIOUS YEAR", "PREVIOUS QUARTER", "PREVIOUS MONTH", "ALL TIME"}
	all = append(all, namedPeriods...)
	if now := c.env.Now; !now.IsZero() {
		all = append([]string{now.Format("2006"), now.AddDate(-1, 0, 0).Format("2006"), now.Format("2006-01")}, all...)
	}
	return append(all, example(c.env))
}

// example gives a range up to today as an example of one.
func example(env Env) string {
	if env.Now.IsZero() {
		return "FROM 2025-01-01 TO 2025-02-01"
	}
	return "FROM " + env.Now.Format("2006-01") + "-01 TO " + env.Now.Format("2006-01-02")
}

func (c *completer) units() []string {
	all := []string{"DAY", "WEEK", "MONTH", "QUARTER", "YEAR"}
	if len(c.env.Model.Calendars) > 0 {
		all = append(all, "FISCAL_QUARTER", "FISCAL_YEAR")
	}
	return all
}

// named gives a name as it is put into the text: quotes where they are needed, and closed where one was opened.
func (c *completer) named(name string) string {
	if c.opening.Quote == '"' {
		return inQuotes(name)
	}
	return quoted(name)
}

func optionNames() []string {
	return []string{"tz", "week_start", "calendar", "partial", "verify", "max_rows", "distinct"}
}

// Finding is one thing that is wrong with a query that is being written, with its place in what was written, in bytes.
type Finding struct {
	Span    [2]int
	Code    string
	Message string
	Hint    string
	Repairs []Repair
}

// Examine reads and resolves a text and says everything that is wrong with it, at its place. plan is nil when something is.
func Examine(source string, env Env) (plan *Plan, canonical string, wrong []Finding) {
	q, err := Parse(source)
	if err != nil {
		return nil, "", []Finding{unreadable(source, err)}
	}
	canonical = q.String()
	plan, _, refusals := Written(q, env, DuckDB)
	for _, r := range refusals {
		f := Finding{Span: [2]int{0, len(source)}, Code: r.Code, Message: r.Message, Repairs: r.Repairs}
		if r.Span != [2]int{} {
			f.Span = Locate(source, canonical, r.Span)
		}
		wrong = append(wrong, f)
	}
	return plan, canonical, wrong
}

// unreadable is the finding of a text that is no query.
func unreadable(source string, err error) Finding {
	f := Finding{Span: [2]int{0, len(source)}, Code: "SYNTAX", Message: err.Error(), Hint: text.Say("frameql.syntax_hint"), Repairs: []Repair{}}
	if bad := asSyntax(err); bad != nil {
		f.Message, f.Hint = bad.Error(), bad.Hint
		f.Span = [2]int{bad.Offset, min(bad.Offset+max(len(bad.Found), 1), len(source))}
	}
	return f
}
