package compile

// apart says whether some axis of a grain is not made of whole buckets of the finest one, as months are not of weeks. What
// they have in common is the day: buckets are found from days then, never one from the other.
func (c *compiler) apart(grain []int) bool {
	f := c.finest(grain)
	for _, k := range grain {
		if c.key(k).Axis && !nested(c.key(f).Cut, c.key(k).Cut) {
			return true
		}
	}
	return false
}

// cutsFrom says whether a key is cut from the finest axis of a grain. A finer one is not, which the other keys determine, as an
// order its day.
func (c *compiler) cutsFrom(k int, grain []int) bool {
	f := c.finest(grain)
	if !c.key(k).Axis || f < 0 {
		return false
	}
	fine, coarse := c.key(f).Cut, c.key(k).Cut
	return c.closure(k, []int{f}) || cutDays(fine) <= cutDays(coarse) && nested(fine, coarse)
}

// nested says whether every bucket of the coarse cut begins where one of the fine cut does.
func nested(fine, coarse *Scalar) bool {
	switch {
	case fine.Text == "hour" || fine.Text == "day" || fine.Signature() == coarse.Signature():
		return true
	case len(fine.Buckets) > 0 || len(coarse.Buckets) > 0:
		starts := map[int64]bool{}
		for _, b := range fine.Buckets {
			starts[b.From.Unix()] = true
		}
		if len(fine.Buckets) == 0 || len(coarse.Buckets) == 0 {
			return false
		}
		first, last := fine.Buckets[0].From, fine.Buckets[len(fine.Buckets)-1].From // either may list more than the other, which says nothing
		for _, b := range coarse.Buckets {
			if !b.From.Before(first) && !b.From.After(last) && !starts[b.From.Unix()] {
				return false
			}
		}
		return true
	case fine.Text == "week" || coarse.Text == "week":
		return false
	}
	months := monthsOf(fine.Text)
	return months > 0 && monthsOf(coarse.Text)%months == 0 && (coarse.Shift-fine.Shift)%months == 0
}

// byDay is the cut to days by the clock of another cut.
func byDay(cut *Scalar) *Scalar {
	return &Scalar{Op: "trunc", Text: "day", Zone: cut.Zone, From: cut.From}
}

// countingDays gives of each combination of buckets the day at which a row counts: the first of at_start, else the last.
func (r *relating) countingDays(days *step, m TimeMap) *step {
	s := selects(kindSpine, "counting_days", days)
	s.grouped = true
	typ := days.col("day").typ
	day := ref(0, "day", typ)
	for _, k := range r.grain {
		if key := r.c.key(k); key.Axis {
			s.cols = append(s.cols, column{name: r.c.keyNames[k], key: true, typ: cutType(key.Cut), x: recut(key.Cut, day)})
		}
	}
	reducer := "max"
	if m.Kind == "at_start" {
		reducer = "min"
	}
	s.cols = append(s.cols, column{name: "day", typ: typ, agg: &aggregate{reducer: reducer, arg: day}})
	return s
}

// day gives the day of the query on which a day of the context lies: buckets of a calendar that lists them are moved with their days,
// each of which keeps its place.
func (c Context) day(finest, day *Scalar) *Scalar {
	if len(finest.Buckets) == 0 || len(c.Peers) > 0 {
		return c.bucket(byDay(finest), day)
	}
	s := recut(finest, day)
	s.N, s.Param = c.Shift, "place"
	return s
}
