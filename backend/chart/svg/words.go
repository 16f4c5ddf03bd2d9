package svg

import (
	"strings"

	"assay/backend/chart"
	"assay/backend/frameview"
	"assay/backend/text"
)

// title says what is drawn where nobody gave a title.
func (d *drawing) title() string {
	if d.x.Name == "" || d.edit.Type == chart.Histogram {
		return titleOf(d.y)
	}
	return text.Say("svg.title", "metric", titleOf(d.y), "by", frameview.Label(d.x))
}

// description says in words what the picture shows: its type, how much of it there is, the least and the largest.
func (d *drawing) description() string {
	var least, most *mark
	n := 0
	for i := range d.marks {
		m := &d.marks[i]
		if !m.has {
			continue
		}
		if n++; least == nil || m.value < least.value {
			least = m
		}
		if most == nil || m.value > most.value {
			most = m
		}
	}
	all := []string{text.Say("svg.describes", "type", chart.Name(d.edit.Type), "what", d.title(), "marks", text.Count("svg.values", int64(n), "n", frameview.Grouped(int64(n))))}
	if len(d.series) > 1 {
		all = append(all, text.Say("svg.describes_series", "n", len(d.series), "names", strings.Join(d.series[:min(len(d.series), mostSeries)], ", ")))
	}
	if most != nil && most.tip != "" && d.edit.Type != chart.Histogram {
		all = append(all, text.Say("svg.describes_most", "tip", most.tip))
		if least.tip != "" && least.value < most.value {
			all = append(all, text.Say("svg.describes_least", "tip", least.tip))
		}
	}
	if missing := len(d.marks) - n; missing > 0 {
		all = append(all, text.Count("svg.describes_missing", int64(missing), "n", missing))
	}
	return strings.Join(all, " ")
}
