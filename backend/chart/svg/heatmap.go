package svg

import (
	"math"
	"strconv"
)

// heatmap colours each pair of members by its number. A pair without one stays empty.
type heatmap struct {
	d      *drawing
	lo, hi float64
}

// rampSteps is how many colours a number can have.
const rampSteps = 9

func rampClass(i int) string { return "r" + strconv.Itoa(i) }

func newHeatmap(d *drawing) sketch {
	in := extent(d.marks, func(m mark) float64 { return m.value })
	return &heatmap{d, in[0], in[1]}
}

// ends are the least and the largest number as the legend writes them.
func (h *heatmap) ends() []string {
	if h.lo > h.hi {
		return []string{"", ""}
	}
	return []string{rough(h.lo, h.d.percent()), rough(h.hi, h.d.percent())}
}

func (h *heatmap) step(v float64) int {
	if h.hi <= h.lo {
		return rampSteps / 2
	}
	return min(rampSteps-1, max(0, int((v-h.lo)/(h.hi-h.lo)*rampSteps)))
}

func (h *heatmap) room(width float64) (left, right, bottom, height float64) {
	left = h.d.leftRoom(namesRoom(h.d.series, width), width)
	return left, 4, h.d.membersRoom(width - left - 4), math.Max(60, barStep*float64(len(h.d.series)))
}

func (h *heatmap) draw(p *pen, in box, marks []mark) {
	across, down := bandsOf(h.d.order, in.left, in.width), bandsOf(h.d.series, in.top, in.height)
	h.d.membersBelow(p, in, across)
	namesLeft(p, in, down)
	for _, m := range marks {
		x, found := across.middle(m.name)
		y, also := down.middle(m.series)
		if !found || !also || !m.has {
			continue
		}
		step := h.step(m.value)
		p.mark("rect", m.tip, "class", "cell "+rampClass(step), "x", x-across.step/2, "y", y-down.step/2, "width", across.step, "height", down.step)
		label := rough(m.value, h.d.percent())
		if h.d.edit.Labels && wide(label, tiny) < across.step-4 && down.step > 11 {
			class := "on-low"
			if step > rampSteps/2 {
				class = "on-high"
			}
			p.leaf("text", label, "class", class, "x", x, "y", y+3.5, "text-anchor", "middle")
		}
	}
}
