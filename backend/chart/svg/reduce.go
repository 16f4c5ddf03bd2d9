package svg

import (
	"cmp"
	"math"
	"slices"

	"assay/backend/chart"
	"assay/backend/frameview"
	"assay/backend/text"
)

const (
	mostSeries = 8
	mostLines  = 60
	mostBars   = 50
	fewestBars = 5
	mostSlices = 12
	mostPoints = 1000
)

// reduce puts marks into order and leaves no more of them than can be seen, and says so.
func (d *drawing) reduce() {
	d.series = names(d.marks, func(m mark) string { return m.series })
	if d.edit.Facet != "" {
		d.reduceFacets()
	}
	d.reduceSeries()
	switch d.edit.Type {
	case chart.Scatter:
		d.keep(func(m mark) bool { return m.has && m.placed })
		d.raster()
		return
	case chart.Histogram:
		d.keep(func(m mark) bool { return m.has })
		return
	case chart.Line, chart.Area:
		if d.timed || d.numbered {
			d.keep(func(m mark) bool { return m.placed })
			slices.SortStableFunc(d.marks, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
			d.thin()
			return
		}
	case chart.Pie:
		d.keep(func(m mark) bool { return m.has && m.value > 0 })
	}
	if d.timed {
		slices.SortStableFunc(d.marks, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	}
	d.reduceMembers()
}

func (d *drawing) keep(good func(mark) bool) {
	d.marks = slices.DeleteFunc(d.marks, func(m mark) bool { return !good(m) })
}

func (d *drawing) reduceFacets() {
	d.facets = names(d.marks, func(m mark) string { return m.facet })
	if len(d.facets) <= mostFaces {
		return
	}
	d.notes = append(d.notes, text.Say("svg.facets_left_out", "shown", mostFaces, "all", frameview.Grouped(int64(len(d.facets)))))
	largest := largestFirst(d.marks, func(m mark) string { return m.facet })[:mostFaces]
	d.facets = slices.DeleteFunc(d.facets, func(name string) bool { return !slices.Contains(largest, name) })
	d.keep(func(m mark) bool { return slices.Contains(largest, m.facet) })
}

// reduceSeries leaves as many series as there are colours; of lines the others stay, faint.
func (d *drawing) reduceSeries() {
	colors := mostSeries
	if d.edit.Type == chart.Heatmap { // its series are members
		if colors = len(d.series); d.most < mostPoints {
			colors = max(mostSeries, int(math.Sqrt(float64(d.most))))
		}
	}
	if len(d.series) <= colors {
		return
	}
	largest := largestFirst(d.marks, func(m mark) string { return m.series })
	all := frameview.Grouped(int64(len(largest)))
	shown := largest[:colors]
	if d.edit.Type == chart.Line {
		largest = largest[:min(len(largest), mostLines)]
		for _, name := range largest[mostSeries:] {
			d.faint[name] = true
		}
		d.notes = append(d.notes, text.Say("svg.lines_faint", "colored", mostSeries, "shown", len(largest), "all", all))
		d.keep(func(m mark) bool { return slices.Contains(largest, m.series) })
	} else {
		d.notes = append(d.notes, text.Say("svg.series_left_out", "shown", colors, "all", all))
		d.keep(func(m mark) bool { return slices.Contains(shown, m.series) })
	}
	d.series = slices.DeleteFunc(d.series, func(name string) bool { return !slices.Contains(shown, name) })
}

// reduceMembers orders the members along the axis and leaves the largest; the rest of a pie becomes one slice.
func (d *drawing) reduceMembers() {
	d.order = names(d.marks, func(m mark) string { return m.name })
	sums := map[string]float64{}
	for _, m := range d.marks {
		sums[m.name] += m.value
	}
	by := func(a, b string) int { return cmp.Compare(sums[a], sums[b]) }
	switch d.edit.Sort {
	case "descending":
		slices.SortStableFunc(d.order, func(a, b string) int { return by(b, a) })
	case "ascending":
		slices.SortStableFunc(d.order, by)
	case "name":
		slices.Sort(d.order)
	}
	most := mostBars
	if d.most < mostPoints {
		most = min(most, max(fewestBars, d.most/max(1, len(d.series))))
	}
	if d.edit.Type == chart.Pie {
		most = mostSlices
	}
	if all := len(d.order); all > most {
		largest := slices.Clone(d.order)
		slices.SortStableFunc(largest, func(a, b string) int { return cmp.Compare(math.Abs(sums[b]), math.Abs(sums[a])) })
		if d.edit.Type == chart.Pie {
			d.rest(largest, most-1)
			return
		}
		largest = largest[:most]
		d.notes = append(d.notes, text.Say("svg.largest", "shown", most, "all", frameview.Grouped(int64(all))))
		d.order = slices.DeleteFunc(d.order, func(name string) bool { return !slices.Contains(largest, name) })
		d.keep(func(m mark) bool { return slices.Contains(largest, m.name) })
	}
}

// rest puts the slices together that would be too thin.
func (d *drawing) rest(largest []string, most int) {
	n := len(largest) - most
	largest = largest[:most]
	name := text.Say("svg.rest", "n", n)
	sums := map[string]float64{}
	for _, m := range d.marks {
		if !slices.Contains(largest, m.name) {
			sums[m.facet] += m.value
		}
	}
	d.order = slices.DeleteFunc(d.order, func(name string) bool { return !slices.Contains(largest, name) })
	d.keep(func(m mark) bool { return slices.Contains(largest, m.name) })
	d.order = append(d.order, name)
	for _, facet := range d.facets {
		if sum, found := sums[facet]; found {
			m := mark{name: name, facet: facet, value: sum, has: true, label: frameview.Figure(sum, d.y)}
			m.tip = text.Say("svg.tip_number", "metric", name, "n", withUnit(m.label, d.y))
			d.marks = append(d.marks, m)
		}
	}
	d.notes = append(d.notes, text.Say("svg.slices_together", "n", n))
}

// raster counts very many points in the cells of a grid.
func (d *drawing) raster() {
	all := len(d.marks)
	if all <= d.most {
		return
	}
	fine := math.Sqrt(float64(d.most) / mostPoints)
	across, down := max(6, int(60*fine)), max(4, int(40*fine))
	xs, ys := extent(d.marks, func(m mark) float64 { return m.at }), extent(d.marks, func(m mark) float64 { return m.value })
	type cell struct {
		x, y          int
		series, facet string
	}
	place := func(v float64, in [2]float64, n int) int {
		if in[1] <= in[0] {
			return 0
		}
		return min(n-1, int((v-in[0])/(in[1]-in[0])*float64(n)))
	}
	middle := func(i int, in [2]float64, n int) float64 { return in[0] + (float64(i)+0.5)/float64(n)*(in[1]-in[0]) }
	index := map[cell]int{}
	var points []mark
	for _, m := range d.marks {
		c := cell{place(m.at, xs, across), place(m.value, ys, down), m.series, m.facet}
		i, found := index[c]
		if !found {
			i = len(points)
			index[c] = i
			points = append(points, mark{at: middle(c.x, xs, across), value: middle(c.y, ys, down), placed: true, has: true, series: m.series, facet: m.facet})
		}
		points[i].count++
	}
	for i := range points {
		points[i].tip = text.Count("svg.rows", int64(points[i].count), "n", frameview.Grouped(int64(points[i].count)))
	}
	d.marks = points
	d.notes = append(d.notes, text.Say("svg.counted", "all", frameview.Grouped(int64(all))))
}

// thin draws a line of very many points through the averages of neighbours.
func (d *drawing) thin() {
	all := len(d.marks)
	if all <= d.most {
		return
	}
	size := (all + d.most - 1) / d.most
	lines := map[[2]string][]mark{}
	var keys [][2]string
	for _, m := range d.marks {
		key := [2]string{m.series, m.facet}
		if _, found := lines[key]; !found {
			keys = append(keys, key)
		}
		lines[key] = append(lines[key], m)
	}
	d.marks = nil
	for _, key := range keys {
		for part := range slices.Chunk(lines[key], size) {
			sum, n := 0.0, 0
			for _, m := range part {
				if m.has {
					sum, n = sum+m.value, n+1
				}
			}
			m := part[0]
			m.label, m.tip, m.has = "", "", n > 0
			if m.has {
				m.value = sum / float64(n)
			}
			d.marks = append(d.marks, m)
		}
	}
	slices.SortStableFunc(d.marks, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	d.notes = append(d.notes, text.Say("svg.averaged", "all", frameview.Grouped(int64(all)), "size", size))
}

// names are the different names of marks, in the order in which they come.
func names(marks []mark, of func(mark) string) []string {
	var all []string
	seen := map[string]bool{}
	for _, m := range marks {
		if name := of(m); !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return all
}

func largestFirst(marks []mark, of func(mark) string) []string {
	sums := map[string]float64{}
	for _, m := range marks {
		sums[of(m)] += math.Abs(m.value)
	}
	all := names(marks, of)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	return all
}

// extent is the least and the largest of the values that are there; without any the first is above the second.
func extent(marks []mark, of func(mark) float64) [2]float64 {
	in := [2]float64{math.Inf(1), math.Inf(-1)}
	for _, m := range marks {
		if m.has {
			in[0], in[1] = math.Min(in[0], of(m)), math.Max(in[1], of(m))
		}
	}
	return in
}
