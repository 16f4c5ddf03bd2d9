package frameqltest

import (
	"slices"
	"strings"
)

// memberTime gives the time that a row of the query has because it holds a member: one order, which has one day. Empty: rows
// have buckets, several days, or are compared.
func (g *queryDrawing) memberTime() string {
	e := g.explicitTime()
	if e == "" || g.axis || g.compare != "" || g.facts[0] == "taggings" || !slices.Contains(g.grain, e[:strings.IndexByte(e, '.')]) {
		return ""
	}
	return e
}

// memberBucket draws a bucket of that time.
func (g *queryDrawing) memberBucket() string {
	unit := g.of(g.units()...)
	if g.chance(50) {
		return unit
	}
	return g.memberTime() + "." + unit
}

// ofMember draws a number of the bucket in which a member lies; empty: rows are no members with a time.
func (g *queryDrawing) ofMember() string {
	if g.memberTime() == "" {
		return ""
	}
	g.plain = false
	at := g.memberBucket()
	if others := slices.DeleteFunc(slices.Clone(g.dims), func(d string) bool { return g.w.Model.Entity(d) != nil }); len(others) > 0 && g.chance(25) {
		at += ", " + g.of(others...)
	}
	switch m := g.metric(false); g.between(0, 3) {
	case 0:
		return "SHARE(" + m + ", AT (" + at + "))"
	case 1:
		return "RANK(" + m + ", AT (" + at + "))"
	default:
		return "(" + m + " AT (" + at + ")" + g.ignoring() + ")"
	}
}

// dated adds the bucket of each member as a column.
func (g *queryDrawing) dated(items *[]string, at *bool) {
	if g.memberTime() == "" || !g.chance(40) {
		return
	}
	*items, *at = append([]string{g.memberBucket()}, *items...), true
}
