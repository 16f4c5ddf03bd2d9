package svg

import (
	"math"
	"math/big"

	"assay/backend/frameview"
	"assay/backend/text"
)

// pie shows parts of a whole as slices of a ring. A slice says its share; of very thin ones there is no room for it.
type pie struct{ d *drawing }

func newPie(d *drawing) sketch { return &pie{d} }

func (*pie) room(float64) (left, right, bottom, height float64) { return 0, 0, 4, 250 }

const leastShare = 0.025

func (c *pie) draw(p *pen, in box, marks []mark) {
	whole := 0.0
	for _, m := range marks {
		whole += m.value
	}
	if whole <= 0 || whole > huge {
		return
	}
	c.d.titleAbove(p, in, titleOf(c.d.y))
	x, y := in.left+in.width/2, in.top+in.height/2
	outer := math.Min(in.width, in.height)/2 - 24
	inner := outer * 0.54
	at := 0.0
	for i, name := range c.d.order {
		for _, m := range marks {
			if m.name != name {
				continue
			}
			share := m.value / whole
			words := shareWords(share)
			p.mark("path", m.tip+" · "+words, "class", "slice s"+string(rune('0'+i%mostSeries)), "d", ring(x, y, inner, outer, at, at+share))
			if share >= leastShare {
				sin, cos := math.Sincos((at + share/2) * 2 * math.Pi)
				anchor := "start"
				if sin < -0.2 {
					anchor = "end"
				} else if sin < 0.2 {
					anchor = "middle"
				}
				p.leaf("text", words, "class", "key", "x", x+(outer+9)*sin, "y", y-(outer+9)*cos+4, "text-anchor", anchor)
			}
			at += share
		}
	}
}

func shareWords(share float64) string {
	r := new(big.Rat)
	r.SetFloat64(math.Round(share*1000) / 1000)
	return text.Say("analyst.percent", "n", frameview.Percentage(r))
}

// ring is the path of a part of a ring between two turns, from the top to the right. A whole ring has two halves, because an arc cannot
// end where it begins.
func ring(x, y, inner, outer, from, to float64) string {
	var d path
	point := func(radius, turn float64) (float64, float64) {
		sin, cos := math.Sincos(turn * 2 * math.Pi)
		return x + radius*sin, y - radius*cos
	}
	arc := func(radius, end, sweep float64) {
		ex, ey := point(radius, end)
		d.to('A', radius, radius, 0, 0, sweep, ex, ey)
	}
	middle := (from + to) / 2
	sx, sy := point(outer, from)
	d.to('M', sx, sy)
	arc(outer, middle, 1)
	arc(outer, to, 1)
	ix, iy := point(inner, to)
	d.to('L', ix, iy)
	arc(inner, middle, 0)
	arc(inner, from, 0)
	d.to('Z')
	return d.b.String()
}
