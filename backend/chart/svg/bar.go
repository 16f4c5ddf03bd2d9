package svg

import (
	"math"
	"slices"

	"assay/backend/chart"
)

const (
	barStep   = 22.0
	tallPanel = 260.0
)

// bars compare members: standing or lying, alone, on each other, or beside each other.
type bars struct {
	d       *drawing
	lying   bool
	stacked bool
	grouped bool
	values  scale
}

func newStanding(d *drawing) sketch { return newBars(d, false) }
func newLying(d *drawing) sketch    { return newBars(d, true) }

func newBars(d *drawing, lying bool) *bars {
	b := &bars{d: d, lying: lying}
	several := len(d.series) > 1
	b.stacked = d.edit.Type == chart.Stacked || d.edit.Type == chart.Bar && several
	b.grouped = d.edit.Type == chart.Grouped && several
	lo, hi := 0.0, 0.0
	up, down := map[[2]string]float64{}, map[[2]string]float64{}
	for _, m := range d.marks {
		if !m.has {
			continue
		}
		end := m.value
		if key := [2]string{m.facet, m.name}; b.stacked {
			if m.value >= 0 {
				up[key] += m.value
				end = up[key]
			} else {
				down[key] += m.value
				end = down[key]
			}
		}
		lo, hi = math.Min(lo, end), math.Max(hi, end)
	}
	b.values = linear(lo, hi, true, 5)
	return b
}

func (b *bars) room(width float64) (left, right, bottom, height float64) {
	if !b.lying {
		left = b.d.leftRoom(numberRoom(b.values, b.d.percent()), width)
		return left, 4, b.d.membersRoom(width - left - 4), tallPanel
	}
	step := barStep
	if b.grouped {
		step *= math.Max(1, float64(len(b.d.series))*0.6)
	}
	right = 14
	if b.d.edit.Labels && !b.stacked {
		right = 64
	}
	return namesRoom(b.d.order, width), right, 38, math.Max(60, step*float64(len(b.d.order)))
}

func (b *bars) draw(p *pen, in box, marks []mark) {
	var place bands
	values := b.values
	if b.lying {
		place = bandsOf(b.d.order, in.top, in.height)
		values = values.over(in.left, in.right())
		b.d.numbersBelow(p, in, values, b.d.numbersTitle(), b.d.percent())
		namesLeft(p, in, place)
		b.d.titleAbove(p, box{0, in.top, in.left + in.width, in.height}, titleOf(b.d.x))
	} else {
		place = bandsOf(b.d.order, in.left, in.width)
		values = values.over(in.bottom(), in.top)
		b.d.numbersLeft(p, in, values, b.d.numbersTitle(), b.d.percent())
		b.d.membersBelow(p, in, place)
	}
	thick, each := place.thick(), 1
	if b.grouped {
		each = len(b.d.series)
		thick = math.Min(place.step*0.84, 40*float64(each)) / float64(each)
	}
	up, down := map[string]float64{}, map[string]float64{}
	for _, m := range b.inOrder(marks) {
		middle, found := place.middle(m.name)
		if !found || !m.has {
			continue
		}
		from, to := 0.0, m.value
		if b.stacked {
			sums := up
			if m.value < 0 {
				sums = down
			}
			from, to = sums[m.name], sums[m.name]+m.value
			sums[m.name] = to
		}
		start := middle - thick*float64(each)/2
		if b.grouped {
			start += thick * float64(max(0, slices.Index(b.d.series, m.series)))
		}
		b.bar(p, m, values.at(from), values.at(to), start, thick)
	}
}

// inOrder stands the parts of a stack as the legend does.
func (b *bars) inOrder(marks []mark) []mark {
	if !b.stacked {
		return marks
	}
	all := slices.Clone(marks)
	slices.SortStableFunc(all, func(x, y mark) int {
		return slices.Index(b.d.series, x.series) - slices.Index(b.d.series, y.series)
	})
	return all
}

// bar draws one bar from a pixel to a pixel of the axis of numbers.
func (b *bars) bar(p *pen, m mark, from, to, start, thick float64) {
	length := math.Abs(to - from)
	class := "fill " + b.d.color(m.series)
	if b.stacked {
		class += " part"
	}
	least := math.Min(from, to)
	if b.lying {
		p.mark("rect", m.tip, "class", class, "x", least, "y", start, "width", math.Max(length, 0.5), "height", thick, "rx", 1.0)
	} else {
		p.mark("rect", m.tip, "class", class, "x", start, "y", least, "width", thick, "height", math.Max(length, 0.5), "rx", 1.0)
	}
	if !b.d.edit.Labels {
		return
	}
	if b.stacked {
		m.label = rough(m.value, b.d.percent())
	}
	words := wide(m.label, tiny)
	switch {
	case b.stacked && (b.lying && length < words+6 || !b.lying && (length < 14 || thick < words)), b.lying && thick < 9, !b.lying && !b.stacked && thick < words*0.7:
	case b.stacked && b.lying:
		p.leaf("text", m.label, "class", "inside", "x", least+length/2, "y", start+thick/2+3.5, "text-anchor", "middle")
	case b.stacked:
		p.leaf("text", m.label, "class", "inside", "x", start+thick/2, "y", least+length/2+3.5, "text-anchor", "middle")
	case b.lying && to < from:
		p.leaf("text", m.label, "class", "label", "x", from+4, "y", start+thick/2+3.5)
	case b.lying:
		p.leaf("text", m.label, "class", "label", "x", to+4, "y", start+thick/2+3.5)
	case to > from:
		p.leaf("text", m.label, "class", "label", "x", start+thick/2, "y", from-4, "text-anchor", "middle")
	default:
		p.leaf("text", m.label, "class", "label", "x", start+thick/2, "y", to-4, "text-anchor", "middle")
	}
}
