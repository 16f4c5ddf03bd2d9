package svg

import (
	"math"
	"slices"

	"assay/backend/frameview"
	"assay/backend/text"
)

// boxes show how the values of a number lie within each member: the middle half in the box, its middle as a line, whiskers to the last
// value within one and a half of its length, what lies beyond as dots.
type boxes struct {
	d      *drawing
	values scale
}

func newBoxes(d *drawing) sketch {
	in := extent(d.marks, func(m mark) float64 { return m.value })
	b := &boxes{d: d}
	if d.edit.Scale == "log" && in[0] > 0 && in[0] <= in[1] {
		b.values = logarithmic(in[0], in[1])
	} else {
		b.values = linear(in[0], in[1], d.edit.Zero, 5)
	}
	return b
}

func (b *boxes) room(width float64) (left, right, bottom, height float64) {
	left = b.d.leftRoom(numberRoom(b.values, b.d.percent()), width)
	return left, 4, b.d.membersRoom(width - left - 4), tallPanel
}

const mostBeyond = 40 // dots of one box

func (b *boxes) draw(p *pen, in box, marks []mark) {
	values, place := b.values.over(in.bottom(), in.top), bandsOf(b.d.order, in.left, in.width)
	b.d.numbersLeft(p, in, values, titleOf(b.d.y), b.d.percent())
	b.d.membersBelow(p, in, place)
	thick := math.Min(place.thick(), 34)
	for _, name := range b.d.order {
		var all []float64
		for _, m := range marks {
			if m.name == name && m.has {
				all = append(all, m.value)
			}
		}
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		x, _ := place.middle(name)
		b.box(p, values, name, all, x, thick)
	}
}

func (b *boxes) box(p *pen, values scale, name string, sorted []float64, x, thick float64) {
	low, middle, high := quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)
	reach := 1.5 * (high - low)
	first := sorted[slices.IndexFunc(sorted, func(v float64) bool { return v >= low-reach })]
	last := first
	for _, v := range sorted {
		if v <= high+reach {
			last = v
		}
	}
	figure := func(v float64) string { return frameview.Figure(v, b.d.y) }
	tip := text.Say("svg.box", "name", name, "n", len(sorted), "median", figure(middle), "low", figure(low), "high", figure(high))
	p.empty("line", "class", "whisker s0", "x1", x, "x2", x, "y1", values.at(first), "y2", values.at(low))
	p.empty("line", "class", "whisker s0", "x1", x, "x2", x, "y1", values.at(high), "y2", values.at(last))
	for _, end := range []float64{first, last} {
		p.empty("line", "class", "whisker s0", "x1", x-thick/4, "x2", x+thick/4, "y1", values.at(end), "y2", values.at(end))
	}
	p.mark("rect", tip, "class", "box s0", "x", x-thick/2, "y", values.at(high), "width", thick, "height", math.Max(values.at(low)-values.at(high), 1), "rx", 1.0)
	p.empty("line", "class", "median", "x1", x-thick/2, "x2", x+thick/2, "y1", values.at(middle), "y2", values.at(middle))
	dots := 0
	for _, v := range sorted {
		if (v < first || v > last) && dots < mostBeyond {
			dots++
			p.mark("circle", text.Say("svg.tip_number", "metric", name, "n", withUnit(figure(v), b.d.y)), "class", "point s0", "cx", x, "cy", values.at(v), "r", 2.4)
		}
	}
	if b.d.edit.Labels {
		p.leaf("text", figure(middle), "class", "label", "x", x, "y", values.at(high)-5, "text-anchor", "middle")
	}
}
