package interpret

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
	"assay/backend/text"
)

// Difference is a clause in which a query does something else than its question says, as far as the words tell.
type Difference struct {
	Clause string // value period ranking grain comparison negation metric
	Words  string // a sentence
}

// Heeds compares a query that the reader did not write with the words of its question, clause by clause, and gives what differs. read
// is what the reader made of the question; before are the queries that the question may go on from: what is carried over from them
// need not be said.
func (ix *Index) Heeds(question string, read Result, plan *frameql.Plan, env frameql.Env, before []*frameql.Query) []Difference {
	h := heeding{ix: ix, plan: plan, tokens: ix.english.tokenise(question), spans: read.Spans}
	if read.Reading != nil {
		h.spans = read.Reading.Spans
	}
	for _, q := range before {
		h.carried(q)
	}
	h.values()
	h.numbers()
	h.period(env, before)
	h.ranking(before)
	h.grain(before)
	h.comparison(before)
	h.negation(before)
	h.metric()
	return h.found
}

// heeding is one comparison of a question with a query.
type heeding struct {
	ix     *Index
	plan   *frameql.Plan
	tokens []token
	spans  []Span
	known  []literalUse // values of the queries before
	found  []Difference
}

// literalUse is a value and the dimension that it is of, as a query names it.
type literalUse struct{ dim, value string }

func (h *heeding) differs(clause, key string, args ...any) {
	d := Difference{clause, text.Say("interpret.heeds_"+key, args...)}
	if !slices.Contains(h.found, d) {
		h.found = append(h.found, d)
	}
}

func (h *heeding) carried(q *frameql.Query) {
	h.known = append(h.known, literalsOf(q, frameql.String)...)
}

// literalsOf are the values of one kind that a query names.
func literalsOf(q *frameql.Query, kind frameql.ValueKind) []literalUse {
	var all []literalUse
	q.EachValue(func(dimension string, v *frameql.Value) {
		if v.Kind == kind {
			all = append(all, literalUse{dimension, v.Text})
		}
	})
	return all
}

// says whether a word or a phrase of a class of the lexicon stands in the question.
func (h *heeding) says(class string, ids ...string) (string, bool) {
	for i := range h.tokens {
		for n := min(h.ix.english.longest, len(h.tokens)-i); n > 0; n-- {
			for _, op := range h.ix.english.phrase(h.tokens, i, n) {
				if op.class == class && (len(ids) == 0 || slices.Contains(ids, op.id)) {
					return asWritten(h.tokens[i : i+n]), true
				}
			}
		}
	}
	return "", false
}

// values compares the values that the words name with those that the query filters by.
func (h *heeding) values() {
	used := literalsOf(h.plan.Query, frameql.String)
	var said []literalUse
	for _, s := range h.spans {
		dim, value, is := strings.Cut(s.Target, " = ")
		if s.Slot == "value" && is {
			said = append(said, literalUse{dim, strings.Trim(value, "'")})
		}
	}
	has := func(all []literalUse, value string) bool {
		return slices.ContainsFunc(all, func(u literalUse) bool { return strings.EqualFold(u.value, value) })
	}
	var strangers []literalUse
	for _, u := range used {
		if !has(said, u.value) && !has(h.known, u.value) && !h.written(u.value) && !isDay(u.value) {
			strangers = append(strangers, u)
		}
	}
	for _, s := range said {
		if has(used, s.value) {
			continue
		}
		instead := slices.IndexFunc(strangers, func(u literalUse) bool { return lastName(u.dim) == lastName(s.dim) })
		if instead < 0 {
			h.differs("value", "value_dropped", "said", s.value)
			continue
		}
		h.differs("value", "value_other", "said", s.value, "does", strangers[instead].value)
		strangers = slices.Delete(strangers, instead, instead+1)
	}
	for _, u := range strangers {
		h.differs("value", "value_added", "does", u.value)
	}
}

// isDay says whether a text is a date: periods are compared as such.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s[:min(len(s), len(time.DateOnly))])
	return err == nil
}

func lastName(dim string) string { return dim[strings.LastIndexByte(dim, '.')+1:] }

// written says whether the question has the words of a value.
func (h *heeding) written(value string) bool {
	all := ""
	for _, t := range h.tokens {
		all += valueKey(t.text) + " "
	}
	key := ""
	for _, t := range h.ix.english.tokenise(value) {
		key += valueKey(t.text) + " "
	}
	return strings.Contains(" "+all, " "+key)
}

// numbers compares the numbers of conditions.
func (h *heeding) numbers() {
	used := literalsOf(h.plan.Query, frameql.Number)
	ops := map[string]string{}
	eachComparison(h.plan.Query, func(op, number string) { ops[digitsOf(number)] = op })
	var op, number string
	for _, s := range h.spans {
		if s.Slot != "comparison" {
			continue
		}
		if _, err := strconv.ParseFloat(s.Target, 64); err != nil {
			if slices.Contains(comparing, s.Target) {
				op = s.Target
			}
			continue
		}
		number = digitsOf(s.Target)
		does, there := ops[number]
		switch {
		case !there && !slices.ContainsFunc(used, func(u literalUse) bool { return digitsOf(u.value) == number }):
			h.differs("comparison", "number_dropped", "said", s.Text)
		case there && op != "" && does != op && does != "":
			h.differs("comparison", "operator", "said", text.Say("interpret.heeds_"+op)+" "+s.Text, "does", text.Say("interpret.heeds_"+does))
		}
	}
	if number == "" {
		for n := range ops {
			if !slices.ContainsFunc(h.tokens, func(t token) bool { return t.kind == numberToken && digitsOf(t.text) == n }) && !h.written(n) {
				h.differs("comparison", "number_added", "does", n)
			}
		}
	}
}

// comparing are the comparisons with a number.
var comparing = []string{"gt", "ge", "lt", "le", "eq", "ne"}

func digitsOf(s string) string {
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// eachComparison visits the comparisons with a number in the conditions of a query.
func eachComparison(q *frameql.Query, visit func(op, number string)) {
	for _, p := range conditions(q) {
		if slices.Contains(comparing, p.Op) && p.Val != nil && p.Val.Kind == frameql.Number && p.Grain == "" {
			visit(p.Op, p.Val.Text)
		}
	}
}

// conditions are all predicates of WHERE and HAVING, also inside of others.
func conditions(q *frameql.Query) []*frameql.Pred {
	var all []*frameql.Pred
	var visit func(*frameql.Pred)
	visit = func(p *frameql.Pred) {
		if p == nil {
			return
		}
		all = append(all, p)
		for _, one := range slices.Concat(p.And, p.Or) {
			visit(one)
		}
		visit(p.Not)
		visit(p.Pred)
	}
	visit(q.Where)
	visit(q.Having)
	for _, i := range q.Select {
		if i.Expr != nil {
			visit(i.Expr.Filter)
		}
	}
	return all
}

// period compares the periods that the words name with the one of the query.
func (h *heeding) period(env frameql.Env, before []*frameql.Query) {
	var said []timex.Match
	for _, m := range timex.Find(unquoted(h.tokens), env, timex.Whole) {
		inside := func(o timex.Match) bool { return o.Start <= m.Start && m.End <= o.End }
		if slices.ContainsFunc(said, inside) || h.isNumber(m.Start, m.End) {
			continue
		}
		said = slices.DeleteFunc(said, func(o timex.Match) bool { return m.Start <= o.Start && o.End <= m.End })
		said = append(said, m)
	}
	type reach struct{ from, to time.Time }
	var does []reach
	if p := h.plan.Period; p != nil && !(p.From.IsZero() && p.To.IsZero()) {
		does = append(does, reach{p.From, p.To})
	}
	for _, c := range h.plan.Comparands {
		if !c.From.IsZero() {
			does = append(does, reach{c.From, c.To})
		}
	}
	dated := slices.ContainsFunc(literalsOf(h.plan.Query, frameql.String), func(u literalUse) bool { return isDay(u.value) }) ||
		slices.ContainsFunc(conditions(h.plan.Query), func(p *frameql.Pred) bool { return p.Grain != "" })
	same := func(m timex.Match, r reach) bool {
		return (m.Period.From.IsZero() || m.Period.From.Equal(r.from)) && (m.Period.To.IsZero() || m.Period.To.Equal(r.to))
	}
	whole := reach{}
	for i, m := range said {
		if i == 0 || m.Period.From.Before(whole.from) {
			whole.from = m.Period.From
		}
		if i == 0 || m.Period.To.After(whole.to) {
			whole.to = m.Period.To
		}
	}
	label := func() string {
		if h.plan.Period == nil {
			return ""
		}
		return h.plan.Period.Label
	}
	words := unquoted(h.tokens)
	for _, m := range said {
		met := slices.ContainsFunc(does, func(r reach) bool {
			return same(m, r) || len(said) > 1 && whole.from.Equal(r.from) && whole.to.Equal(r.to)
		})
		phrase := strings.TrimSpace(words[m.Start:m.End])
		switch {
		case met || m.Period.From.IsZero() && m.Period.To.IsZero():
		case len(does) > 0 && h.plan.Period != nil:
			h.differs("period", "period_other", "said", phrase, "does", label())
		case !dated:
			h.differs("period", "period_dropped", "said", phrase)
		default:
			h.differs("period", "period_unclear", "said", phrase)
		}
	}
	if len(said) == 0 && len(does) > 0 && !slices.ContainsFunc(before, func(q *frameql.Query) bool { return q.Time != nil }) {
		h.differs("period", "period_added", "does", label())
	}
}

// isNumber says whether a stretch was read as a number of something and not as a time.
func (h *heeding) isNumber(start, end int) bool {
	return slices.ContainsFunc(h.spans, func(s Span) bool {
		return s.Slot != "time" && s.Slot != "grain" && s.Slot != "default" && s.Start <= start && end <= s.End && s.Method == MethodExact
	})
}

// cut is what a query keeps of the members: how many, from which end.
type cut struct {
	n     int
	asc   bool
	there bool
}

func cutOf(q *frameql.Query) cut {
	switch {
	case q.Top != nil:
		return cut{q.Top.N, q.Top.Asc, true}
	case q.Limit != nil && len(q.Order) > 0:
		return cut{*q.Limit, !q.Order[0].Desc, true}
	}
	for _, p := range conditions(q) {
		if p.Op == "in_top" {
			return cut{p.N, false, true}
		}
	}
	return cut{}
}

// ranking compares "the five highest" with how many members the query keeps, and from which end.
func (h *heeding) ranking(before []*frameql.Query) {
	does := cutOf(h.plan.Query)
	n, direction, words := 0, "", ""
	for _, s := range h.spans {
		if s.Slot != "top" {
			continue
		}
		words = cmp.Or(words, s.Text)
		if k, err := strconv.Atoi(s.Target); err == nil {
			n = k
		} else {
			direction, words = s.Target, s.Text
		}
	}
	ends := map[string]bool{"high": false, "low": true}
	asc, known := ends[direction]
	switch {
	case words == "" && does.there:
		if _, ranks := h.says("ranking"); !ranks && !slices.ContainsFunc(before, func(q *frameql.Query) bool { return cutOf(q).there }) {
			h.differs("ranking", "ranking_added", "n", does.n)
		}
	case words == "":
	case !does.there:
		if !h.reducesToEnd() {
			h.differs("ranking", "ranking_dropped", "said", words)
		}
	default:
		if n > 0 && n != does.n {
			h.differs("ranking", "ranking_number", "said", n, "does", does.n)
		}
		if known && asc != does.asc {
			h.differs("ranking", "ranking_direction", "said", words, "does", text.Say("interpret.heeds_"+map[bool]string{true: "lowest", false: "highest"}[does.asc]))
		}
	}
}

// reducesToEnd says whether a query gives the least or the greatest of something as a number.
func (h *heeding) reducesToEnd() bool {
	query := h.plan.Query.String()
	return strings.Contains(query, "MAX(") || strings.Contains(query, "MIN(")
}

// grains are the calendar units by which a query splits.
func grains(q *frameql.Query) []string {
	var all []string
	for _, i := range q.Select {
		if i.Dim != nil && i.Dim.Grain != "" {
			all = append(all, i.Dim.Grain)
		} else if i.Dim != nil && slices.Contains(calendarUnits, i.Dim.Name) {
			all = append(all, i.Dim.Name)
		}
	}
	return all
}

var calendarUnits = []string{"hour", "day", "week", "month", "quarter", "year"}

// grain compares "by month" with the calendar units that the query splits by.
func (h *heeding) grain(before []*frameql.Query) {
	does, said := grains(h.plan.Query), []string{}
	for _, s := range h.spans {
		if s.Slot == "grain" {
			said = append(said, s.Target)
		}
	}
	for _, g := range said {
		switch {
		case slices.Contains(does, g):
		case len(does) > 0:
			h.differs("grain", "grain_other", "said", g, "does", does[0])
		case slices.Contains(calendarUnits, g):
			h.differs("grain", "grain_dropped", "said", g)
		}
	}
	_, steps := h.says("layers", "step year", "step quarter", "step month", "step week")
	if len(said) > 0 || len(does) == 0 || steps || slices.ContainsFunc(before, func(q *frameql.Query) bool { return len(grains(q)) > 0 }) {
		return
	}
	if _, unit := h.says("grains"); !unit {
		h.differs("grain", "grain_added", "does", does[0])
	}
}

// compares says whether a query sets something beside something.
func compares(q *frameql.Query) bool {
	several := slices.ContainsFunc(conditions(q), func(p *frameql.Pred) bool { return len(p.Vals) > 1 || len(p.Or) > 1 })
	filtered := 0
	for _, i := range q.Select {
		if i.Expr != nil {
			filtered++
		}
	}
	return len(q.Compare) > 0 || several || filtered > 1 || showsSteps(q)
}

// showsSteps says whether a query shows how a number changes.
func showsSteps(q *frameql.Query) bool {
	return slices.ContainsFunc(q.Select, func(i frameql.Item) bool {
		return i.Expr != nil && (i.Expr.Op == "-" || slices.Contains([]string{"prev", "delta", "pct_change"}, i.Expr.Fn))
	})
}

// comparison compares "against the year before" and "a versus b" with what the query sets beside each other.
func (h *heeding) comparison(before []*frameql.Query) {
	words, said := h.says("layers", "compare", "minus", "growth", "delta", "step year", "step quarter", "step month", "step week", "peer year", "peer month", "peer quarter", "peer period")
	switch q := h.plan.Query; {
	case said && !compares(q):
		h.differs("comparison", "comparison_dropped", "said", words)
	case !said && (len(q.Compare) > 0 || showsSteps(q)) && !slices.ContainsFunc(before, compares):
		h.differs("comparison", "comparison_added", "does", q.String())
	}
}

// denies says whether a query leaves something out.
func denies(q *frameql.Query) bool {
	return slices.ContainsFunc(conditions(q), func(p *frameql.Pred) bool {
		return p.Not != nil || p.Quant == "no" || p.Op == "ne" || p.Op == "is_null" || strings.HasPrefix(p.Op, "not_") ||
			p.Val != nil && p.Val.Kind == frameql.Bool && p.Val.Text == "false"
	})
}

// negation compares "not" and "without" with what the query leaves out.
func (h *heeding) negation(before []*frameql.Query) {
	words, said := h.says("negation")
	if !said {
		words, said = h.says("related", "no")
	}
	for _, s := range h.spans {
		if s.Slot == "filter" && (s.Target == "no" || s.Target == "not") {
			words, said = s.Text, true
		}
	}
	switch does := denies(h.plan.Query); {
	case said && !does:
		h.differs("negation", "negation_dropped", "said", words)
	case !said && does && !slices.ContainsFunc(before, denies):
		h.differs("negation", "negation_added")
	}
}

// metric compares the numbers that the words name with those that the query shows.
func (h *heeding) metric() {
	query := strings.ToLower(h.plan.Query.String())
	for _, s := range h.spans {
		if s.Slot != "metric" || s.Method != MethodExact && s.Method != MethodFuzzy || slices.Contains([]string{"share", "ratio"}, s.Target) {
			continue
		}
		name := s.Target
		if h.ix.metrics[name] == nil && h.ix.entities[name] == nil && !strings.Contains(name, ".") {
			continue
		}
		shown := strings.Contains(query, strings.ToLower(lastName(name))) || slices.Contains(h.plan.Metrics, name) || slices.Contains(h.plan.Dimensions, name)
		if e := h.ix.entities[name]; e != nil {
			shown = shown || slices.Contains(h.plan.Entities, name)
		}
		if !shown {
			h.differs("metric", "metric_other", "said", s.Text, "does", h.shows())
		}
	}
}

// shows names the numbers of the query.
func (h *heeding) shows() string {
	var all []string
	for _, c := range h.plan.Columns {
		if c.Role != frameql.RoleDimension && c.Role != frameql.RoleFlag {
			all = append(all, cmp.Or(c.Label, c.Name))
		}
	}
	if len(all) == 0 {
		return text.Say("interpret.heeds_no_number")
	}
	return enumerate(all)
}
