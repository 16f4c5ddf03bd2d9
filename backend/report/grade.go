package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/backend/text"
)

// Grade is a small stamped mark: letters in a cartouche whose line differs with what they prove, never by colour alone.
type Grade struct {
	Letters string
	Label   string // what they mean
	Strike  string // open double solid faint bad
}

// gradeOf says how a grade is struck. An unknown one counts as none.
func gradeOf(level string) *Grade {
	switch level {
	case "A":
		return &Grade{"A", text.Say("window.grade.a"), "open"}
	case "AA":
		return &Grade{"AA", text.Say("window.grade.aa"), "double"}
	case "AAA":
		return &Grade{"AAA", text.Say("window.grade.aaa"), "solid"}
	case "contradicted":
		return &Grade{"≠", text.Say("window.grade.contradicted"), "bad"}
	}
	return &Grade{"–", text.Say("window.grade.none"), "faint"}
}

// Width of the mark in pixels; it is 20 high.
func (g Grade) Width() int { return 12 + max(1, utf8.RuneCountInString(g.Letters))*8 }

// Middle is where its letters stand.
func (g Grade) Middle() int { return g.Width() / 2 }

// Outline is its line, and Inner the second one of those that have two.
func (g Grade) Outline() string { return octagon(0.75, float64(g.Width())) }

// Inner is the second line; empty: it has none.
func (g Grade) Inner() string {
	if g.Strike != "double" && g.Strike != "solid" {
		return ""
	}
	return octagon(2.75, float64(g.Width()))
}

// octagon is a box of 20 pixels height with cut corners.
func octagon(inset, over float64) string {
	const cut = 5
	right, bottom := over-inset, 20-inset
	var points []string
	for _, p := range [][2]float64{
		{inset + cut, inset},
		{right - cut, inset},
		{right, inset + cut},
		{right, bottom - cut},
		{right - cut, bottom},
		{inset + cut, bottom},
		{inset, bottom - cut},
		{inset, inset + cut},
	} {
		points = append(points, strconv.FormatFloat(p[0], 'f', -1, 64)+","+strconv.FormatFloat(p[1], 'f', -1, 64))
	}
	return strings.Join(points, " ")
}
