package svg

import (
	"math"

	"assay/backend/frameview"
	"assay/backend/text"
)

// histogram counts the values of a number by range.
type histogram struct {
	d      *drawing
	across scale
	step   float64
	counts map[string][]int // by facet
	values scale
}

const bins = 20

func newHistogram(d *drawing) sketch {
	in := extent(d.marks, func(m mark) float64 { return m.value })
	if in[0] > in[1] {
		return nil
	}
	h := &histogram{d: d, counts: map[string][]int{}}
	fine := linear(in[0], in[1], false, bins)
	h.step = fine.ticks[1] - fine.ticks[0]
	if d.y.Type == "integer" && h.step < 1 {
		h.step = 1
		fine.lo, fine.hi = math.Floor(fine.lo), math.Floor(fine.hi)+1
	}
	n := int(math.Round((fine.hi - fine.lo) / h.step))
	h.across = linear(fine.lo, fine.hi, false, 8)
	h.across.lo, h.across.hi = fine.lo, fine.hi
	for len(h.across.ticks) > 0 && h.across.ticks[0] < fine.lo {
		h.across.ticks = h.across.ticks[1:]
	}
	for k := len(h.across.ticks); k > 0 && h.across.ticks[k-1] > fine.hi; k-- {
		h.across.ticks = h.across.ticks[:k-1]
	}
	most := 0
	for _, m := range d.marks {
		if h.counts[m.facet] == nil {
			h.counts[m.facet] = make([]int, max(n, 1))
		}
		counts := h.counts[m.facet]
		i := min(len(counts)-1, max(0, int((m.value-fine.lo)/h.step+1e-9)))
		counts[i]++
		most = max(most, counts[i])
	}
	h.values = linear(0, float64(most), true, min(5, most))
	return h
}

func (h *histogram) room(float64) (left, right, bottom, height float64) {
	return numberRoom(h.values, false), 14, 38, tallPanel - 20
}

func (h *histogram) draw(p *pen, in box, marks []mark) {
	across, values := h.across.over(in.left, in.right()), h.values.over(in.bottom(), in.top)
	h.d.numbersLeft(p, in, values, text.Say("chart.count"), false)
	h.d.numbersBelow(p, in, across, titleOf(h.d.y), h.d.percent())
	if len(marks) == 0 {
		return
	}
	for i, n := range h.counts[marks[0].facet] {
		if n == 0 {
			continue
		}
		from, to := across.lo+float64(i)*h.step, across.lo+float64(i+1)*h.step
		left, right, top := across.at(from), across.at(to), values.at(float64(n))
		tip := text.Say("svg.bin", "from", brief(from, h.d.percent()), "to", brief(to, h.d.percent()), "rows", text.Count("svg.rows", int64(n), "n", frameview.Grouped(int64(n))))
		p.mark("rect", tip, "class", "fill s0", "x", left+0.5, "y", top, "width", math.Max(right-left-1, 0.5), "height", in.bottom()-top)
		if h.d.edit.Labels && right-left > 18 {
			p.leaf("text", frameview.Grouped(int64(n)), "class", "label", "x", (left+right)/2, "y", top-4, "text-anchor", "middle")
		}
	}
}
