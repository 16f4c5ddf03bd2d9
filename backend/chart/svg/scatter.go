package svg

import (
	"math"
	"strings"

	"assay/backend/frameview"
)

// points set two numbers against each other. Many points are counted in a raster; the size of one says how many it is.
type points struct {
	d              *drawing
	across, values scale
	most           int // of one point of a raster
}

func newPoints(d *drawing) sketch {
	s := &points{d: d}
	axis := func(of func(mark) float64) scale {
		in := extent(d.marks, of)
		if d.edit.Scale == "log" && in[0] > 0 && in[0] <= in[1] {
			return logarithmic(in[0], in[1])
		}
		return linear(in[0], in[1], d.edit.Zero, 6)
	}
	s.across, s.values = axis(func(m mark) float64 { return m.at }), axis(func(m mark) float64 { return m.value })
	for _, m := range d.marks {
		s.most = max(s.most, m.count)
	}
	return s
}

func (s *points) room(float64) (left, right, bottom, height float64) {
	return numberRoom(s.values, s.d.percent()), 22, 38, tallPanel + 20
}

func (s *points) draw(p *pen, in box, marks []mark) {
	across, values := s.across.over(in.left, in.right()), s.values.over(in.bottom(), in.top)
	s.d.numbersLeft(p, in, values, titleOf(s.d.y), s.d.percent())
	s.d.numbersBelow(p, in, across, titleOf(s.d.x), s.d.x.Format == frameview.Percent)
	for _, m := range marks {
		radius := 4.0
		if s.most > 0 {
			radius = 1.5 + 5*math.Sqrt(float64(m.count)/float64(s.most))
		}
		p.mark("circle", m.tip, "class", "point "+s.d.color(m.series), "cx", across.at(m.at), "cy", values.at(m.value), "r", radius)
		if s.d.edit.Labels && s.most == 0 {
			name, _, _ := strings.Cut(m.tip, ", ")
			p.words(name, 90, tiny, "class", "label", "x", across.at(m.at), "y", values.at(m.value)-8, "text-anchor", "middle")
		}
	}
}
