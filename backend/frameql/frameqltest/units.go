package frameqltest

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// bucket is one unit of a calendar of one's own: from <= day < to.
type bucket struct {
	from, to time.Time
	label    string
}

// unitsOf lists the units of a calendar that are neither those of the common one nor made of months: by walking over the days
// of its pattern, or over the rows of its table. It does not look at what the model has computed.
func (w *World) unitsOf(c *semantic.Calendar) map[string][]bucket {
	switch {
	case c.Pattern != "":
		return patternUnits(c)
	case c.Table != "":
		return w.tableUnits(c)
	}
	return nil
}

// tableUnits reads a table of days: a unit goes on as long as its value does.
func (w *World) tableUnits(c *semantic.Calendar) map[string][]bucket {
	t := w.Tables[c.Table]
	if t == nil {
		panic(outside{"table " + c.Table})
	}
	all := map[string][]bucket{}
	for unit, column := range c.Units {
		at := t.column(column)
		var list []bucket
		for _, row := range t.Rows {
			day := row[t.column(c.DateColumn)].(time.Time)
			if n := len(list); n == 0 || list[n-1].label != Show(row[at]) {
				list = append(list, bucket{from: day, label: Show(row[at])})
			}
			list[len(list)-1].to = day.AddDate(0, 0, 1)
		}
		all[unit] = list
	}
	return all
}

// The years that the oracle knows of a calendar of patterns.
const (
	firstYear = 1965
	lastYear  = 2030
)

// patternUnits counts weeks from one end of a year to the next.
func patternUnits(c *semantic.Calendar) map[string][]bucket {
	all := map[string][]bucket{}
	add := func(unit, label string, from time.Time, weeks int) time.Time {
		to := from.AddDate(0, 0, 7*weeks)
		all[unit] = append(all[unit], bucket{from, to, label})
		return to
	}
	for year := firstYear; year <= lastYear; year++ {
		from, end := yearEnd(c.YearEnds, year-1).AddDate(0, 0, 1), yearEnd(c.YearEnds, year).AddDate(0, 0, 1)
		number := year
		if c.LabelYear == "start" { // a year that begins around New Year is of the year to come
			number = ruled(c.YearEnds, year-1).AddDate(0, 0, 1).Year()
		}
		name := "FY" + strconv.Itoa(number)
		weeks := 0
		for at := from; at.Before(end); weeks++ {
			at = add("fiscal_week", name+"-W"+two(weeks+1), at, 1)
		}
		add("fiscal_year", name, from, weeks)
		at, period := from, 0
		for quarter := range 4 {
			begin, long := at, 0
			for _, n := range strings.Split(c.Pattern, "-") {
				length, _ := strconv.Atoi(n)
				if period++; period == 12 { // which has the 53rd week
					length += weeks - 52
				}
				at = add("fiscal_period", name+"-P"+two(period), at, length)
				long += length
			}
			add("fiscal_quarter", name+"-Q"+strconv.Itoa(quarter+1), begin, long)
		}
	}
	return all
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// ruled is the day of a year that a rule is about: the end of a month, or the day that it names.
func ruled(rule string, year int) time.Time {
	words := strings.Fields(strings.ToLower(rule))
	month := time.January
	day := 0
	for _, word := range words {
		for m := time.January; m <= time.December; m++ {
			if strings.EqualFold(m.String(), word) {
				month = m
			}
		}
		if n, err := strconv.Atoi(word); err == nil {
			day = n
		}
	}
	if day > 0 {
		return date(year, month, day)
	}
	return date(year, month+1, 1).AddDate(0, 0, -1)
}

// yearEnd looks for the last day of a year, day by day: "last saturday of january", "saturday nearest to january 31".
func yearEnd(rule string, year int) time.Time {
	at := ruled(rule, year)
	is := func(day time.Time) bool {
		return strings.Contains(strings.ToLower(rule), strings.ToLower(day.Weekday().String()))
	}
	for n := 0; ; n++ {
		if before := at.AddDate(0, 0, -n); is(before) {
			return before
		}
		if after := at.AddDate(0, 0, n); strings.Contains(strings.ToLower(rule), "nearest") && is(after) {
			return after
		}
	}
}

// place gives the index of the bucket that holds a time.
func (c calendar) place(t time.Time, unit string) int {
	for i, b := range c.buckets[unit] {
		if !t.Before(b.from) && t.Before(b.to) {
			return i
		}
	}
	panic(outside{t.String() + " lies outside of the calendar"})
}

// isUnit says whether a name is a unit of time.
func (c calendar) isUnit(name string) bool {
	for _, unit := range timeGrains {
		if unit == name {
			return true
		}
	}
	return len(c.buckets[name]) > 0
}

// fineness orders units; of two that are cut out of each other the smaller number is the finer one.
func fineness(unit string) int {
	switch unit {
	case "hour":
		return 0
	case "day":
		return 1
	case "week", "fiscal_week":
		return 2
	case "month", "fiscal_period", "sales_period":
		return 3
	case "quarter", "fiscal_quarter":
		return 4
	default:
		return 5
	}
}

// within gives the cuts of time that a finer one determines in every calendar.
func within(unit string) []string {
	return map[string][]string{
		"hour": timeGrains, "day": timeGrains[2:], "month": {"quarter", "year"}, "quarter": {"year"}, "fiscal_quarter": {"fiscal_year"},
		"fiscal_week": {"fiscal_period", "sales_period", "fiscal_quarter", "fiscal_year"}, "fiscal_period": {"fiscal_quarter", "fiscal_year"}, "sales_period": {"fiscal_year"},
	}[unit]
}

// within adds the cuts of this calendar: a fiscal year is made of months only where months say where it begins.
func (c calendar) within(unit string) []string {
	all := slices.Clone(within(unit))
	switch {
	case unit == "hour" || unit == "day":
		for own := range c.buckets {
			all = append(all, own)
		}
	case unit == "month" && c.fiscal > 0:
		all = append(all, "fiscal_quarter", "fiscal_year")
	}
	return all
}

// peers says beside which bucket of the query a bucket of a comparand lies that is found by its place in a coarser unit; the
// 53rd week of a year has none. ok is false where they are no such units: they move by a number of buckets.
func (c calendar) peers(axis, unit string) (peerOf func(time.Time) (time.Time, bool), ok bool) {
	if len(c.buckets[axis]) == 0 || len(c.buckets[unit]) == 0 || axis == unit || fineness(axis) >= fineness(unit) {
		return nil, false
	}
	of := map[time.Time]time.Time{}
	for parent := 1; parent < len(c.buckets[unit]); parent++ {
		mine, before := c.parts(axis, c.buckets[unit][parent]), c.parts(axis, c.buckets[unit][parent-1])
		for i := range min(len(mine), len(before)) {
			of[mine[i].from] = before[i].from
		}
	}
	return func(t time.Time) (time.Time, bool) {
		peer, has := of[t]
		return peer, has
	}, true
}

func (c calendar) parts(unit string, of bucket) (all []bucket) {
	for _, b := range c.buckets[unit] {
		if !b.from.Before(of.from) && b.from.Before(of.to) {
			all = append(all, b)
		}
	}
	return all
}

// nowhere is the bucket of a row of a comparand that lies beside no bucket of the query.
type nowhere struct{}

// there gives the bucket of a comparand that lies beside a bucket of the query.
func (v *evaluation) there(ctx *context, t time.Time) (at time.Time, ok bool) {
	switch {
	case ctx.peers != nil:
		return ctx.peers(t)
	case ctx.shift != 0:
		return v.cal.move(t, ctx.unit, -ctx.shift), true
	}
	return t, true
}

// here gives the bucket of the query beside which a bucket of a comparand lies that has peers.
func (v *evaluation) here(ctx *context, t time.Time) any {
	for _, b := range v.cal.buckets[ctx.unit] {
		if peer, ok := ctx.peers(b.from); ok && peer.Equal(t) {
			return b.from
		}
	}
	return nowhere{}
}

// moveWithin moves a day by whole buckets: it keeps its place, which a shorter bucket may not have.
func (c calendar) moveWithin(t time.Time, unit string, n int) (moved time.Time, has bool) {
	all := c.buckets[unit]
	i := c.place(t, unit)
	if i+n < 0 || i+n >= len(all) {
		panic(outside{"step outside of the calendar"})
	}
	moved = all[i+n].from.Add(t.Sub(all[i].from))
	return moved, moved.Before(all[i+n].to)
}

// readUnits takes the units of a calendar of one's own apart from the names of times, which only a model can tell.
func (v *evaluation) readUnits(x reflect.Value) {
	split := func(name, grain *string) {
		at := strings.LastIndexByte(*name, '.')
		if *grain == "" && at > 0 && len(v.cal.buckets[(*name)[at+1:]]) > 0 {
			*name, *grain = (*name)[:at], (*name)[at+1:]
		}
	}
	switch x.Kind() {
	case reflect.Pointer:
		if !x.IsNil() {
			v.readUnits(x.Elem())
		}
	case reflect.Slice:
		for i := range x.Len() {
			v.readUnits(x.Index(i))
		}
	case reflect.Struct:
		switch of := x.Addr().Interface().(type) {
		case *frameql.Dim:
			split(&of.Name, &of.Grain)
			return
		case *frameql.Pred:
			split(&of.Dim, &of.Grain)
		}
		for i := range x.NumField() {
			v.readUnits(x.Field(i))
		}
	}
}
