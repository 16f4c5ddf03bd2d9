package interpret

import (
	"strconv"
	"strings"
)

// readStatistics reads several statistics of one thing where some are said by size: "the highest, lowest and average
// price", "the oldest and youngest age".
func readStatistics(d *draft) {
	for i := 0; i < len(d.pieces); i++ {
		var reducers []string
		ranks, at := 0, i
		for {
			r := d.extreme(at)
			if r == "" {
				break
			}
			if !d.is(at, aggregatePiece) {
				ranks++
			}
			reducers = append(reducers, r)
			j := at + 1
			for d.is(j, gluePiece, "and") {
				j++
			}
			joined := j > at+1
			at = j
			if !joined {
				break
			}
		}
		if len(reducers) < 2 || ranks == 0 || d.is(at-1, gluePiece, "and") {
			continue
		}
		last := at
		for d.is(at, gluePiece, "in") {
			at++
		}
		if len(d.names(at, func(t target) bool { return isNumeric(t) || isTemporal(t) || isMetric(t) })) == 0 || len(d.entities(at)) > 0 {
			continue
		}
		for _, r := range reducers {
			m := d.measureOf(at, r)
			if m == nil {
				return
			}
			m.near = d.neighborAfter(at)
			d.measures = append(d.measures, *m)
		}
		for k := i; k < last; k++ {
			if !d.is(k, gluePiece) {
				d.take(k, "aggregate", d.extreme(k))
			}
		}
		d.take(at, "metric", d.measures[len(d.measures)-1].options[0].name())
		i = at
	}
}

// extreme gives the reducer that a word of size or a statistic stands for; an adjective that names its attribute counts
// when that is named again: "oldest and youngest age".
func (d *draft) extreme(i int) string {
	if d.free(i) && d.is(i, adjectivePiece) {
		direction, _, _ := strings.Cut(d.pieces[i].id, " ")
		return map[string]string{"high": "max", "low": "min"}[direction]
	}
	if d.free(i) && d.is(i, aggregatePiece, "stddev") {
		return "stddev"
	}
	return d.statistic(i)
}

// readPercentile reads "the 90th percentile of freight", "p95 freight".
func readPercentile(d *draft) {
	for i := range d.pieces {
		at, level := -1, ""
		switch {
		case d.is(i, layerPiece, "percentile") && i > 0:
			level, at = percentileOf(d.tokens[d.pieces[i].from-1].norm), i+1
		case d.free(i) && d.is(i, unknownPiece):
			w := d.tokens[d.pieces[i].from].norm
			if rest, ok := strings.CutPrefix(w, "p"); ok {
				level, at = percentileOf(rest), i+1
			}
		}
		if level == "" {
			continue
		}
		for d.is(at, gluePiece, "in") {
			at++
		}
		m := d.measureOf(at, "percentile")
		if m == nil || m.star || m.reduce == "" {
			continue
		}
		m.level, m.near = level, d.neighborAfter(at)
		d.measures = append(d.measures, *m)
		d.take(i, "aggregate", "percentile")
		d.take(at, "metric", m.options[0].name())
		if d.is(i, layerPiece) && d.free(i-1) && !d.is(i-1, namePiece) {
			d.take(i-1, "aggregate", level)
		}
	}
}

// percentileOf gives a percentile as a fraction: 90th, 90.
func percentileOf(w string) string {
	for _, ending := range []string{"th", "st", "nd", "rd"} {
		w = strings.TrimSuffix(w, ending)
	}
	n, err := strconv.Atoi(w)
	if err != nil || n <= 0 || n >= 100 {
		return ""
	}
	return strings.TrimRight("0."+strconv.Itoa(n + 100)[1:], "0")
}
