package svg

import (
	"slices"

	"assay/backend/chart"
)

// legend says what the colours are.
type legend struct {
	height  float64
	entries []legendEntry
	ramp    []string // the least and the largest number, of a heat map; nil: it is none
	title   string
}

type legendEntry struct {
	name, class string
	x, y        float64
	room        float64
}

// legend places the series, or the slices of a pie, in lines above the panels.
func (d *drawing) legend(s sketch, width float64) legend {
	if h, ok := s.(*heatmap); ok {
		return legend{height: 2 * lineRoom, ramp: h.ends(), title: titleOf(d.y)}
	}
	named, limit := d.series, 170.0
	if d.edit.Type == chart.Pie {
		named = d.order
	}
	if d.edit.Type == chart.Box || d.edit.Type == chart.Histogram || len(named) < 2 && (d.edit.Color == "" || d.edit.Type == chart.Pie) {
		return legend{}
	}
	var l legend
	x, y := 0.0, 12.0
	for i, name := range named {
		room := min(wide(name, small), limit) + 2
		if x > 0 && x+15+room > width {
			x, y = 0, y+lineRoom
		}
		class := "s" + string(rune('0'+i%mostSeries))
		if i == 1 && d.dashed() {
			class += " dashed"
		}
		l.entries = append(l.entries, legendEntry{name, class, x, y, room})
		x += 15 + room + 16
	}
	l.height = y + 12
	return l
}

func (l legend) draw(p *pen) {
	if l.ramp != nil {
		p.words(l.title, 300, small, "class", "axis", "x", 0.0, "y", 11.0)
		left := wide(l.ramp[0], small) + 6
		p.leaf("text", l.ramp[0], "class", "tick", "x", 0.0, "y", 27.0)
		for i := range rampSteps {
			p.empty("rect", "class", rampClass(i), "x", left+float64(i)*12, "y", 18.0, "width", 12.0, "height", 10.0)
		}
		p.leaf("text", l.ramp[1], "class", "tick", "x", left+rampSteps*12+6, "y", 27.0)
		return
	}
	for _, e := range l.entries {
		if class := e.class; len(class) > 2 {
			p.empty("line", "class", "line "+class, "x1", e.x, "x2", e.x+11, "y1", e.y-4, "y2", e.y-4)
		} else {
			p.empty("rect", "class", "fill "+class, "x", e.x, "y", e.y-9, "width", 10.0, "height", 10.0, "rx", 2.0)
		}
		p.words(e.name, e.room, small, "class", "key", "x", e.x+15, "y", e.y)
	}
}

// color is the class of a series; of a faint one "faint".
func (d *drawing) color(series string) string {
	i := slices.Index(d.series, series)
	if i < 0 {
		if d.faint[series] {
			return "faint"
		}
		i = 0
	}
	return "s" + string(rune('0'+i%mostSeries))
}

// dashed says whether the second line is what the first one is compared with.
func (d *drawing) dashed() bool {
	return d.edit.Type == chart.Line && d.compared && d.edit.Color == "" && len(d.series) == 2
}
