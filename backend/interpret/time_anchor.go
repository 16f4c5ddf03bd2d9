package interpret

// anchor reads since, after, before and until a date, and "from March on": ranges with one open end.
func (r *timeReader) anchor(i int) (periodMatch, bool) {
	type word struct {
		words []string
		build func(p period) period
	}
	from := func(p period) period { return period{from: p.from, open: true} }
	after := func(p period) period { return period{from: p.to, open: true} }
	before := func(p period) period { return period{to: p.from, open: true} }
	until := func(p period) period { return period{to: p.to, open: true} }
	for _, w := range []word{
		{[]string{"on", "or", "after"}, from},
		{[]string{"starting", "from"}, from},
		{[]string{"starting", "in"}, from},
		{[]string{"beginning", "in"}, from},
		{[]string{"ever", "since"}, from},
		{[]string{"as", "of"}, from},
		{[]string{"since"}, from},
		{[]string{"starting"}, from},
		{[]string{"later", "than"}, after},
		{[]string{"after"}, after},
		{[]string{"following"}, after},
		{[]string{"prior", "to"}, before},
		{[]string{"earlier", "than"}, before},
		{[]string{"before"}, before},
		{[]string{"on", "or", "before"}, until},
		{[]string{"no", "later", "than"}, until},
		{[]string{"up", "to"}, until},
		{[]string{"up", "until"}, until},
		{[]string{"until"}, until},
		{[]string{"till"}, until},
		{[]string{"through"}, until},
	} {
		if !r.seq(i, w.words...) {
			continue
		}
		j := i + len(w.words)
		if w.words[0] == "since" || w.words[0] == "ever" {
			if r.is(j, "the") && r.seq(j+1, "beginning", "of") {
				j += 3
			} else if r.seq(j, "beginning", "of") || r.seq(j, "start", "of") {
				j += 2
			}
		}
		m, ok := r.simple(j)
		if !ok || m.from.IsZero() {
			return periodMatch{}, false
		}
		p := w.build(m.period)
		p.grain, p.notes, p.relative = m.grain, m.notes, m.relative
		return periodMatch{p, j - i + m.n}, true
	}
	// from March on, March onwards, 1997 and later
	start := i
	if r.is(i, "from") {
		i++
	}
	m, ok := r.simple(i)
	if !ok || m.from.IsZero() {
		return periodMatch{}, false
	}
	j := i + m.n
	n := 0
	switch {
	case r.is(j, "onward", "onwards"):
		n = 1
	case r.is(j, "on") && i > start:
		n = 1
	case r.seq(j, "and", "later"), r.seq(j, "or", "later"), r.seq(j, "and", "after"), r.seq(j, "till", "now"), r.seq(j, "until", "now"), r.seq(j, "until", "today"):
		n = 2
	}
	if n == 0 {
		return periodMatch{}, false
	}
	p := from(m.period)
	p.grain, p.notes, p.relative = m.grain, m.notes, m.relative
	return periodMatch{p, j + n - start}, true
}

// between reads "between X and Y", "from X to Y", "X to Y", "X - Y", "X through Y". The last unit is included.
func (r *timeReader) between(i int) (periodMatch, bool) {
	start := i
	joiners := []string{"to", "-", "–", "—", "through", "until", "till", "thru"}
	switch {
	case r.is(i, "between"):
		i++
		joiners = []string{"and", "to", "-"}
	case r.is(i, "from"):
		i++
	}
	first, n, ok := r.endpoint(i)
	if !ok {
		return periodMatch{}, false
	}
	j := i + n
	if !r.is(j, joiners...) {
		return periodMatch{}, false
	}
	j++
	last, k, ok := r.endpoint(j)
	if !ok {
		return periodMatch{}, false
	}
	first = r.borrow(first, last)
	if !last.to.After(first.from) {
		return periodMatch{}, false
	}
	p := spanning(first.from, last.to, last.grain)
	p.notes = append(append(p.notes, first.notes...), last.notes...)
	p.relative = first.relative || last.relative
	return periodMatch{p, j + k - start}, true
}

// endpoint reads one end of a range; a bare day number ("from 3 to 12 March") is completed by borrow.
func (r *timeReader) endpoint(i int) (period, int, bool) {
	if m, ok := r.simple(i); ok && !m.from.IsZero() {
		return m.period, m.n, true
	}
	j := i
	if r.is(j, "the") {
		j++
	}
	if d := r.dayNumber(j); d > 0 {
		return period{grain: "bare day", from: day(1, 1, d), to: day(1, 1, d+1)}, j - i + 1, true
	}
	return period{}, 0, false
}

// borrow completes a first end from the last one: the year of "March to May 1997", the month of "3 to 12 March".
func (r *timeReader) borrow(first, last period) period {
	if first.grain == "bare day" && last.grain == "day" {
		return literal("day", day(last.from.Year(), int(last.from.Month()), first.from.Day()))
	}
	if len(first.notes) == 0 || len(last.notes) > 0 && !last.from.Before(first.from) {
		return first // it says its year itself, or both lie in the year that was assumed
	}
	year := last.from.Year()
	moved := day(year, int(first.from.Month()), first.from.Day())
	if moved.After(last.from) {
		moved = moved.AddDate(-1, 0, 0)
	}
	p := literal(first.grain, moved)
	p.relative = last.relative
	return p
}
