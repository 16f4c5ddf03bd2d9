package svg

import (
	"math"
)

// lines go through members that have an order. Where a number is missing a line has a gap.
type lines struct {
	d      *drawing
	values scale
	across scale // of time or numbers
}

func newLines(d *drawing) sketch {
	in := extent(d.marks, func(m mark) float64 { return m.value })
	l := &lines{d: d, across: acrossOf(d)}
	if d.edit.Scale == "log" && in[0] > 0 && in[0] <= in[1] {
		l.values = logarithmic(in[0], in[1])
	} else {
		l.values = linear(in[0], in[1], d.edit.Zero, 5)
	}
	return l
}

// acrossOf is the scale of an axis of time or numbers, which ends where the marks do.
func acrossOf(d *drawing) scale {
	if !d.timed && !d.numbered || len(d.marks) == 0 {
		return scale{}
	}
	lo, hi := d.marks[0].at, d.marks[len(d.marks)-1].at
	if d.numbered {
		s := linear(lo, hi, false, 7)
		if hi > lo {
			s.lo, s.hi = lo, hi
			for len(s.ticks) > 0 && s.ticks[0] < lo {
				s.ticks = s.ticks[1:]
			}
			for len(s.ticks) > 0 && s.ticks[len(s.ticks)-1] > hi {
				s.ticks = s.ticks[:len(s.ticks)-1]
			}
		}
		return s
	}
	if hi <= lo {
		lo, hi = lo-43200, hi+43200
	}
	return scale{lo: lo, hi: hi}
}

func (l *lines) room(width float64) (left, right, bottom, height float64) {
	left, right, bottom = numberRoom(l.values, l.d.percent()), 22, 38
	if !l.d.timed && !l.d.numbered {
		left = l.d.leftRoom(left, width)
		bottom = l.d.membersRoom(width - left - right)
	}
	return left, right, bottom, tallPanel
}

// axes draws both axes and gives where a mark stands along the lower one.
func axes(d *drawing, p *pen, in box, values, across scale) func(mark) float64 {
	d.numbersLeft(p, in, values, d.numbersTitle(), d.percent())
	inner := in
	switch {
	case d.timed:
		s := across.over(inner.left+6, inner.right())
		d.timeBelow(p, in, s)
		return func(m mark) float64 { return s.at(m.at) }
	case d.numbered:
		s := across.over(inner.left+6, inner.right())
		d.numbersBelow(p, in, s, titleOf(d.x), false)
		return func(m mark) float64 { return s.at(m.at) }
	}
	place := bandsOf(d.order, in.left, in.width)
	d.membersBelow(p, in, place)
	return func(m mark) float64 {
		x, _ := place.middle(m.name)
		return x
	}
}

const pointed = 60 // marks of one line: a longer line needs no points

func (l *lines) draw(p *pen, in box, marks []mark) {
	values := l.values.over(in.bottom(), in.top)
	x := axes(l.d, p, in, values, l.across)
	all := names(marks, func(m mark) string { return m.series })
	for _, faint := range []bool{true, false} { // the faint ones are behind the others
		for _, series := range all {
			if l.d.faint[series] == faint {
				l.line(p, values, x, seriesOf(l.d, marks, series), series)
			}
		}
	}
}

// seriesOf are the marks of a series in the order of the axis.
func seriesOf(d *drawing, marks []mark, series string) []mark {
	var all []mark
	if d.timed || d.numbered {
		for _, m := range marks {
			if m.series == series {
				all = append(all, m)
			}
		}
		return all
	}
	for _, name := range d.order {
		for _, m := range marks {
			if m.series == series && m.name == name {
				all = append(all, m)
			}
		}
	}
	return all
}

func (l *lines) line(p *pen, values scale, x func(mark) float64, marks []mark, series string) {
	class := l.d.color(series)
	stroke := "line " + class
	if l.d.dashed() && series == l.d.series[1] {
		stroke += " dashed"
	}
	var d path
	runs, run := 0, 0
	for _, m := range marks {
		if !m.has {
			run = 0
			continue
		}
		if run++; run == 1 {
			runs++
			d.to('M', x(m), values.at(m.value))
		} else {
			d.to('L', x(m), values.at(m.value))
		}
	}
	if runs == 0 {
		return
	}
	p.mark("path", series, "class", stroke, "d", d.b.String())
	if class == "faint" {
		return
	}
	dots := len(marks) <= pointed
	for i, m := range marks {
		alone := (i == 0 || !marks[i-1].has) && (i == len(marks)-1 || !marks[i+1].has)
		if !m.has || !dots && !alone {
			continue
		}
		p.mark("circle", m.tip, "class", "dot "+class, "cx", x(m), "cy", values.at(m.value), "r", 2.6)
		if l.d.edit.Labels && dots {
			p.leaf("text", m.label, "class", "label", "x", x(m), "y", math.Max(values.at(m.value)-8, 9), "text-anchor", "middle")
		}
	}
}
