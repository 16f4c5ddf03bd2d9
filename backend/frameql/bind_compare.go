package frameql

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// comparand is what the numbers are compared with: another period, or another metric.
type comparand struct {
	written *Comparand
	target  *semantic.Metric // nil: a period
	context compile.Context
}

// bindCompare binds COMPARE TO.
func (r *resolver) bindCompare() {
	for i := range r.q.Compare {
		c := &r.q.Compare[i]
		if c.Kind == "target" {
			r.bindTarget(c)
			continue
		}
		if len(r.sources) == 0 || r.q.Time != nil && r.period == nil {
			continue // told already
		}
		if len(r.times) == 0 {
			r.refuse(c, refusal("TIME_DIMENSION_REQUIRED", "frameql.nothing_to_compare"), r.withoutCompare())
			continue
		}
		ctx, ok := r.comparandContext(c)
		if !ok {
			continue
		}
		r.comparand = append(r.comparand, comparand{written: c, context: ctx})
		use := ComparandUse{Label: c.String(), From: ctx.From, To: ctx.To, Kind: c.Kind}
		if ctx.Lag {
			use.From, use.To = time.Time{}, time.Time{}
		}
		r.plan.Comparands = append(r.plan.Comparands, use)
		r.noticeUncovered(use)
	}
	r.endAtNow()
}

// endAtNow ends an unfinished period today when something is matched to its elapsed days, also where the data has rows of
// later days: both sides are the same days then.
func (r *resolver) endAtNow() {
	tomorrow := dayOf(r.settings.now).AddDate(0, 0, 1)
	if _, last, _ := r.covered(); !r.matching || last.Before(tomorrow) {
		return
	}
	shown := *r.period
	shown.To = tomorrow
	r.period, r.contexts[0].To = &shown, tomorrow
}

// String gives the canonical text of a comparand.
func (c Comparand) String() string {
	var w printer
	w.comparand(&c)
	return w.String()
}

func (r *resolver) withoutCompare() edit {
	return r.edited(text.Say("frameql.repair_without", "what", "COMPARE TO"), func(q *Query) {
		q.Compare = nil
		q.dropComparisons()
	})
}

func (r *resolver) bindTarget(c *Comparand) {
	m := r.metric(c.Metric)
	if m == nil {
		r.unknown(c.Metric, c, r.lexicon.near(c.Metric, aMetric))
		return
	}
	c.Metric = m.Name
	r.comparand = append(r.comparand, comparand{written: c, target: m})
	r.plan.Comparands = append(r.plan.Comparands, ComparandUse{Label: c.String(), Kind: c.Kind})
}

// checkCompared refuses a target beside rows that have no numbers.
func (r *resolver) checkCompared() {
	if len(r.comparand) > 0 && len(r.leaves) == 0 && len(r.problems) == 0 {
		r.refuse(r.comparand[0].written, refusal("INVALID_QUERY", "frameql.nothing_to_compare"), r.withoutCompare())
	}
}

// comparandContext gives the period of a comparand, and by how much its axis moves to lie on that of the query.
func (r *resolver) comparandContext(c *Comparand) (compile.Context, bool) {
	unit := c.Unit
	if unit == "hour" {
		r.refuse(c, refusal("INVALID_QUERY", "frameql.compared_by_hour", "comparand", c.String()), r.withoutCompare())
		return compile.Context{}, false
	}
	if unit != "" && !r.calendar.knows(unit) {
		key := "frameql.unit_unknown"
		if r.calendar.mentions(unit) {
			key = "frameql.no_fiscal_calendar"
		}
		r.refuse(c, refusal("CALENDAR_UNDEFINED", key, "unit", unit, "what", unitText(unit)), r.withoutCompare())
		return compile.Context{}, false
	}
	axis := r.finestAxis(r.grain)
	if c.Kind != "during" && (r.period == nil || r.period.From.IsZero() && r.period.To.IsZero()) {
		return r.bucketBefore(c, axis)
	}
	from, to, ok := r.comparandPeriod(c)
	if !ok || !r.lyingApart(c, axis, from, to) {
		return compile.Context{}, false
	}
	r.sayLength(c, from, to)
	ctx := compile.Context{From: from, To: to}
	if axis < 0 || r.period == nil || r.period.From.IsZero() {
		return ctx, true
	}
	u := r.keys[axis].ref.unit()
	a, b := r.calendar.start(from, u), r.calendar.start(r.period.From, u)
	if r.calendar.own(u) {
		r.inOrder(c, c.String(), r.grain)
		if ctx.Peers = r.peers(c, u); ctx.Peers != nil {
			return ctx, true
		}
	}
	ctx.Shift, ctx.Unit = r.calendar.between(a, b, u), u
	return ctx, true
}

// lyingApart holds what every comparison keeps to: nothing is compared with itself. A comparand shares no day with the period, or, in
// rows of a time axis, lies whole buckets earlier or later, so that every bucket stands beside another one.
func (r *resolver) lyingApart(c *Comparand, axis int, from, to time.Time) bool {
	p := r.period
	if p == nil {
		p = &PeriodUse{}
	}
	ends := !p.To.IsZero() && !from.Before(p.To) || !to.IsZero() && !p.From.Before(to)
	if ends || axis >= 0 && !p.From.IsZero() && !from.IsZero() && !r.sameBucket(axis, from, p.From) {
		return true
	}
	label := p.Label
	if label == "" {
		label = Period{Kind: "all_time"}.String()
	}
	r.refuse(c, refusal("PERIOD_MISALIGNED", "frameql.comparand_overlaps", "comparand", c.String(), "period", label), r.comparandsInstead(c)...)
	return false
}

func (r *resolver) sameBucket(axis int, a, b time.Time) bool {
	u := r.keys[axis].ref.unit()
	return r.calendar.start(a, u).Equal(r.calendar.start(b, u))
}

// comparandsInstead compares with what does lie before the period, or not at all.
func (r *resolver) comparandsInstead(c *Comparand) []edit {
	written := c.String()
	with := func(other Comparand) edit {
		return r.edited(text.Say("frameql.repair_use", "name", other.String()), func(q *Query) {
			for i := range q.Compare {
				if q.Compare[i].String() == written {
					q.Compare[i] = other
				}
			}
		})
	}
	edits := []edit{with(Comparand{Kind: "previous_period"})}
	if p := r.period; p != nil && p.Grain != "year" && !p.From.IsZero() && !p.To.IsZero() && !p.To.After(p.From.AddDate(1, 0, 0)) {
		edits = append(edits, with(Comparand{Kind: "same_period_last", Unit: "year"}))
	}
	return append(edits, r.withoutCompare())
}

// sayLength says where a comparand is not as long as the period: its number is larger or smaller for that alone.
func (r *resolver) sayLength(c *Comparand, from, to time.Time) {
	p := r.period
	if p == nil || p.From.IsZero() || p.To.IsZero() || from.IsZero() || to.IsZero() || r.calendar.alike(from, to, p.From, p.To) {
		return
	}
	end := p.To
	if elapsed := r.elapsed(*p); elapsed > 0 { // what is not over is compared as far as it is
		end = p.From.Add(elapsed)
	}
	if r.calendar.alike(from, to, p.From, end) {
		return
	}
	r.assume("frameql.assume_other_length", "period", p.Label, "days", begunDays(end.Sub(p.From)), "comparand", c.String(), "other", begunDays(to.Sub(from)))
}

// alike says whether two ranges are as long: by the clock, or as so many units of the calendar.
func (c calendar) alike(from, to, from2, to2 time.Time) bool {
	if to.Sub(from) == to2.Sub(from2) {
		return true
	}
	for _, u := range []string{"year", "quarter", "month", "fiscal_year", "fiscal_quarter", "fiscal_period"} {
		if c.knows(u) && c.whole(from, to, u) && c.whole(from2, to2, u) && c.unitsOf(from, to, u) == c.unitsOf(from2, to2, u) {
			return true
		}
	}
	months := func(a, b time.Time) int { return 12*(b.Year()-a.Year()) + int(b.Month()-a.Month()) }
	return from.Day() == from2.Day() && to.Day() == to2.Day() && months(from, to) == months(from2, to2)
}

// comparandPeriod moves the period of the query.
func (r *resolver) comparandPeriod(c *Comparand) (from, to time.Time, ok bool) {
	if c.Kind == "during" {
		use, bad := r.calendar.resolve(*c.Period, r.settings.now)
		if bad != nil {
			r.refuse(c, bad, r.withoutCompare())
			return from, to, false
		}
		if name := r.daysOnly(use.From, use.To); name != "" {
			r.refuse(c, refusal("GRAIN_UNAVAILABLE", "frameql.period_within_day", "period", use.Label, "name", name), r.withoutCompare())
			return from, to, false
		}
		return use.From, use.To, true
	}
	p := *r.period
	if p.To.IsZero() { // it goes as far as the data
		if _, last, known := r.covered(); known {
			p.To = last.AddDate(0, 0, 1)
		}
	}
	if p.From.IsZero() || !p.From.Before(p.To) {
		r.refuseOpenPeriod(c)
		return from, to, false
	}
	elapsed := r.elapsed(p)
	switch c.Kind {
	case "previous_period":
		from, to = r.periodBefore(p)
	default:
		from, to = r.calendar.moved(p.From, p.To, c.Unit)
	}
	if from.IsZero() || to.IsZero() || from.Year() < 1 {
		r.refuse(c, r.calendar.beyond("PERIOD_MISALIGNED", c.String(), cmp.Or(c.Unit, p.Grain)), r.withoutCompare())
		return from, to, false
	}
	return r.matched(c, p, from, to, elapsed)
}

// elapsed gives how much of a period is over, with the whole present day, where it is not over as a whole; 0: it is.
func (r *resolver) elapsed(p PeriodUse) time.Duration {
	end := dayOf(r.settings.now).AddDate(0, 0, 1)
	if _, last, known := r.covered(); known && last.AddDate(0, 0, 1).Before(end) {
		end = last.AddDate(0, 0, 1)
	}
	if !p.To.After(end) || !p.From.Before(end) {
		if r.toDate() != "" {
			return p.To.Sub(p.From)
		}
		return 0
	}
	return end.Sub(p.From)
}

// over says whether the clock is past the end of a period; where it is compared as unfinished all the same, the data ends
// early.
func (r *resolver) over(p PeriodUse) bool { return !p.To.After(dayOf(r.settings.now)) }

// toDate gives the unit of a period that ends today by its name; empty: it is another one.
func (r *resolver) toDate() string {
	switch p := r.q.Time.Period; {
	case p.ToDay:
		return p.Unit
	case p.Kind == "ytd":
		return "year"
	case p.Kind == "qtd":
		return "quarter"
	case p.Kind == "mtd":
		return "month"
	case p.Kind == "wtd":
		return "week"
	}
	return ""
}

// periodBefore gives the period of the same length that ends where one begins: by its own units, by whole months, or by
// days.
func (r *resolver) periodBefore(p PeriodUse) (from, to time.Time) {
	if u := r.toDate(); u != "" {
		return r.calendar.step(p.From, u, -1), p.From
	}
	for _, u := range []string{p.Grain, "month"} {
		if u != "day" && r.calendar.whole(p.From, p.To, u) {
			n := r.calendar.unitsOf(p.From, p.To, u)
			return r.calendar.step(p.From, u, -n), p.From
		}
	}
	return p.From.Add(p.From.Sub(p.To)), p.From
}

// matched cuts a comparand to as many days as the period has behind it, or refuses to compare, as OPTIONS partial says.
func (r *resolver) matched(c *Comparand, p PeriodUse, from, to time.Time, elapsed time.Duration) (time.Time, time.Time, bool) {
	cut := from.Add(elapsed)
	if elapsed == 0 || !cut.Before(to) || r.settings.partial == "none" {
		return from, to, true
	}
	if r.settings.partial == "error" {
		r.refuseMisaligned(c, p, begunDays(elapsed))
		return from, to, false
	}
	r.matching = true
	key := "frameql.assume_partial"
	if r.over(p) {
		key = "frameql.assume_partial_data"
	}
	r.assume(key, "period", p.Label, "days", begunDays(elapsed), "last", p.From.Add(elapsed-time.Microsecond).Format(time.DateOnly),
		"from", from.Format(time.DateOnly), "to", cut.Add(-time.Microsecond).Format(time.DateOnly))
	return from, cut, true
}

// begunDays counts the days of a length of time, the last one also where it is a part.
func begunDays(length time.Duration) int { return int((length + 24*time.Hour - 1) / (24 * time.Hour)) }

// moved gives a period one unit earlier. One of whole months stays one; otherwise its first and its last day move, or the
// moment within a day at which it ends.
func (c calendar) moved(from, to time.Time, unit string) (time.Time, time.Time) {
	if c.whole(from, to, unit) || !c.own(unit) && from.Day() == 1 && to.Day() == 1 {
		return c.step(from, unit, -1), c.step(to, unit, -1)
	}
	if !to.Equal(dayOf(to)) {
		return c.back(from, unit, 1), c.back(to, unit, 1)
	}
	last := c.back(to.AddDate(0, 0, -1), unit, 1)
	if last.IsZero() {
		return from, last
	}
	return c.back(from, unit, 1), last.AddDate(0, 0, 1)
}

// unitsOf counts the units of a range that begins and ends with one.
func (c calendar) unitsOf(from, to time.Time, unit string) int {
	return c.between(from, to.AddDate(0, 0, -1), unit) + 1
}

// bucketBefore is a comparison without a period: every bucket of the axis beside the one a unit earlier.
func (r *resolver) bucketBefore(c *Comparand, axis int) (compile.Context, bool) {
	if axis < 0 {
		r.refuseAxisRequired(c, c.String())
		return compile.Context{}, false
	}
	if !r.inOrder(c, c.String(), r.grain) {
		return compile.Context{}, false
	}
	u := r.keys[axis].ref.unit()
	unit := c.Unit
	if c.Kind == "previous_period" {
		unit = u
	}
	ctx := compile.Context{Lag: true, Shift: 1, Unit: unit}
	switch n := r.calendar.count(u, unit); {
	case n > 0:
		ctx.Shift, ctx.Unit = n, u
	case r.calendar.own(u) && r.calendar.own(unit) && r.calendar.coarsens(u, unit):
		ctx.Peers, ctx.Shift, ctx.Unit = r.ordinalPeers(u, unit, r.calendar.fiscal.Buckets[u]), 0, u
	case u == "day" && !r.calendar.own(unit):
	default:
		r.refuse(c, refusal("PERIOD_MISALIGNED", "frameql.not_aligned", "unit", unitText(unit), "axis", unitText(u)),
			r.edited(text.Say("frameql.repair_use", "name", "PREVIOUS PERIOD"), func(q *Query) {
				for k := range q.Compare {
					if q.Compare[k].String() == c.String() {
						q.Compare[k] = Comparand{Kind: "previous_period"}
					}
				}
			}), r.withoutCompare())
		return ctx, false
	}
	return ctx, true
}

// count gives how many of a unit make another one, always; 0: it differs.
func (c calendar) count(unit, of string) int {
	if unit == of {
		return 1
	}
	if c.own(unit) || c.own(of) {
		return 0
	}
	switch a, b := monthsOf(unit), monthsOf(of); {
	case a > 0: // 1, 3 or 12, of which each divides the next
		return b / a
	case unit == "week" && b == 12:
		return 52
	case unit == "day" && of == "week":
		return 7
	case unit == "hour" && of == "day":
		return 24
	case of == "week": // an hour
		return 168
	}
	return 0
}

// peers pairs the buckets of a calendar of buckets: within a coarser unit by their place in it, so that a 53rd week has
// none. nil: they move by a number of buckets.
func (r *resolver) peers(c *Comparand, u string) []compile.Bucket {
	if u == c.Unit || !r.calendar.coarsens(u, c.Unit) {
		return nil
	}
	var within []semantic.CalendarBucket
	for _, x := range r.calendar.fiscal.Buckets[u] {
		if x.To.After(r.period.From) && (r.period.To.IsZero() || x.From.Before(r.period.To)) {
			within = append(within, x)
		}
	}
	return r.ordinalPeers(u, c.Unit, within)
}

func (r *resolver) ordinalPeers(u, coarse string, of []semantic.CalendarBucket) []compile.Bucket {
	cal, all := r.calendar, r.calendar.fiscal.Buckets[u]
	pairs := []compile.Bucket{}
	for _, x := range of {
		parent := cal.start(x.From, coarse)
		before := cal.step(parent, coarse, -1)
		first, mine := cal.bucket(before, u), cal.bucket(x.From, u) // first is -1 where the calendar has no unit before
		peer := first + mine - cal.bucket(parent, u)
		if first >= 0 && peer < len(all) && all[peer].From.Before(parent) {
			pairs = append(pairs, compile.Bucket{From: all[peer].From, To: x.From})
		}
	}
	return pairs
}

// neighbouring is the context of the bucket n places before.
func (r *resolver) neighbouring(u string, n int) compile.Context {
	c := compile.Context{Shift: n, Unit: u, Lag: true}
	from, to := r.contexts[0].From, r.contexts[0].To
	if !from.IsZero() {
		c.From = r.calendar.step(r.calendar.start(from, u), u, -n)
	}
	if !to.IsZero() {
		c.To = r.calendar.start(to.Add(-time.Microsecond), u) // of the last bucket, whose beginning is the end of the one before
		if n > 1 {
			c.To = r.calendar.step(c.To, u, 1-n)
		}
	}
	return c
}

// dropComparisons leaves out the columns that compare.
func (q *Query) dropComparisons() {
	q.Select = slices.DeleteFunc(q.Select, func(it Item) bool { return it.Expr.compares() })
	q.Order = slices.DeleteFunc(q.Order, func(o Order) bool {
		return o.Expr.compares() || strings.Contains(o.Out, "_previous") || strings.Contains(o.Out, "_target") || strings.Contains(o.Out, "_change")
	})
}

// compares says whether an expression looks at another period.
func (e *Expr) compares() bool {
	if e == nil {
		return false
	}
	return e.Fn == "prev" || e.Fn == "delta" || e.Fn == "pct_change" || e.Of.compares() || slices.ContainsFunc(e.Args, (*Expr).compares)
}
