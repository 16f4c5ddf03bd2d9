package svg

import (
	"math"
	"strconv"
)

// areas fill what is under a line; several series lie on each other.
type areas struct {
	d      *drawing
	values scale
	across scale
}

func newAreas(d *drawing) sketch {
	lo, hi := 0.0, 0.0
	sums := map[[2]string]float64{}
	for _, m := range d.marks {
		if m.has {
			key := [2]string{m.facet, placeKey(d, m)}
			sums[key] += m.value
			lo, hi = math.Min(lo, sums[key]), math.Max(hi, sums[key])
		}
	}
	return &areas{d: d, values: linear(lo, hi, true, 5), across: acrossOf(d)}
}

// placeKey tells one place along the axis from another.
func placeKey(d *drawing, m mark) string {
	if d.timed || d.numbered {
		return strconv.FormatFloat(m.at, 'g', -1, 64)
	}
	return m.name
}

func (a *areas) room(width float64) (left, right, bottom, height float64) {
	l := lines{a.d, a.values, a.across}
	return l.room(width)
}

func (a *areas) draw(p *pen, in box, marks []mark) {
	values := a.values.over(in.bottom(), in.top)
	x := axes(a.d, p, in, values, a.across)
	under := map[string]float64{}
	for _, series := range names(marks, func(m mark) string { return m.series }) {
		var run []mark
		flush := func() {
			a.run(p, values, x, run, under, series)
			run = nil
		}
		for _, m := range seriesOf(a.d, marks, series) {
			if !m.has {
				flush()
				continue
			}
			run = append(run, m)
		}
		flush()
	}
}

// run draws one stretch without gaps and lays it under those that follow.
func (a *areas) run(p *pen, values scale, x func(mark) float64, run []mark, under map[string]float64, series string) {
	if len(run) == 0 {
		return
	}
	var edge, body path
	step := byte('M')
	for _, m := range run {
		top := values.at(under[placeKey(a.d, m)] + m.value)
		edge.to(step, x(m), top)
		body.to(step, x(m), top)
		step = 'L'
	}
	for i := len(run) - 1; i >= 0; i-- {
		body.to('L', x(run[i]), values.at(under[placeKey(a.d, run[i])]))
	}
	body.to('Z')
	class := a.d.color(series)
	p.mark("path", series, "class", "area "+class, "d", body.b.String())
	p.empty("path", "class", "line "+class, "d", edge.b.String())
	for _, m := range run {
		key := placeKey(a.d, m)
		under[key] += m.value
		if len(run) <= pointed {
			p.mark("circle", m.tip, "class", "hit", "cx", x(m), "cy", values.at(under[key]), "r", 5.0)
		}
		if a.d.edit.Labels && len(a.d.series) < 2 && len(run) <= pointed {
			p.leaf("text", m.label, "class", "label", "x", x(m), "y", math.Max(values.at(under[key])-7, 9), "text-anchor", "middle")
		}
	}
}
