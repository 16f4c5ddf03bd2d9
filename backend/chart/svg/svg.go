// Package svg draws a chart intent over its frame as SVG that stands alone: no script, no address, no font, no style of its own.
//
//	session.Chart ─ Intent ─▶ session.ChartEdit ┐
//	                                    frame ──┴─ Draw ─▶ Picture{SVG, Notes}
//	                                                 page: Style() with the colours, light and dark
//
// Colours are classes, so that the page that holds a picture gives them. A picture has a name and a description that is made of the
// data, and every mark says its numbers. All of it is pure: the same intent and frame give the same bytes. Text of the data is always
// text: it is escaped where it is written (pen), and no name of an element or attribute is made of data.
package svg

import (
	"fmt"
	"slices"

	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/session"
)

// Options of a picture. Zero values are the defaults in parentheses.
type Options struct {
	Width float64 // pixels (720)
	ID    string  // of its elements, one of a kind in the page: letters, digits, hyphens ("chart")
	Title string  // for a person (what is drawn)
	Marks int     // about as many are drawn at most, where the type of the chart can put several into one (1000)
}

// Picture is a chart as drawn.
type Picture struct {
	SVG   string   // one element; empty: there is nothing to draw
	Notes []string // what was left out, put together or could not be drawn as wanted, in sentences
}

// Draw draws an intent over its frame. What the frame does not carry gives an empty picture: no number, no rows, a column that is not
// there. Total rows are left out.
func Draw(edit session.ChartEdit, f *frameql.Frame, o Options) Picture {
	if o.Width == 0 {
		o.Width = 720
	}
	if o.ID == "" {
		o.ID = "chart"
	}
	if o.Marks == 0 {
		o.Marks = mostPoints
	}
	d := marksOf(edit, f, o.Marks)
	if len(d.marks) == 0 {
		return Picture{Notes: d.notes}
	}
	s := d.sketch()
	if s == nil {
		return Picture{Notes: d.notes}
	}
	return Picture{SVG: d.picture(s, o), Notes: d.notes}
}

// sketch is one type of chart over all marks of a drawing.
type sketch interface {
	// room is what axes take on each side of a panel of a width, and how high the panel is within them.
	room(width float64) (left, right, bottom, height float64)
	// draw draws some of the marks, those of one panel, into a box.
	draw(p *pen, in box, marks []mark)
}

// box is a rectangle in pixels.
type box struct{ left, top, width, height float64 }

func (b box) right() float64  { return b.left + b.width }
func (b box) bottom() float64 { return b.top + b.height }

// sketch makes the type of chart that is wanted; nil: there is none of that name.
func (d *drawing) sketch() sketch {
	switch d.edit.Type {
	case chart.Bar, chart.Stacked, chart.Grouped:
		if d.edit.Across {
			return newLying(d)
		}
		return newStanding(d)
	case chart.Line:
		return newLines(d)
	case chart.Area:
		return newAreas(d)
	case chart.Scatter:
		return newPoints(d)
	case chart.Pie:
		return newPie(d)
	case chart.Histogram:
		return newHistogram(d)
	case chart.Box:
		return newBoxes(d)
	case chart.Heatmap:
		return newHeatmap(d)
	}
	return nil
}

const (
	small     = 11.0 // size of letters
	tiny      = 10.0
	gap       = 20.0 // between panels
	headRoom  = 22.0 // above a panel: the title of its axis
	faceRoom  = 18.0 // above a panel: what it is of
	lineRoom  = 18.0 // one line of a legend
	mostFaces = 12
)

// picture puts the legend above the panels and the panels side by side.
func (d *drawing) picture(s sketch, o Options) string {
	legend := d.legend(s, o.Width)
	columns := 1
	if len(d.facets) > 1 {
		columns = min(len(d.facets), max(1, min(3, int(o.Width/230))))
	}
	each := (o.Width - gap*float64(columns-1)) / float64(columns)
	left, right, bottom, height := s.room(each)
	top := legend.height + headRoom
	tall := headRoom
	if d.edit.Facet != "" {
		height, tall = min(height, 150), headRoom+faceRoom
	}
	tall += height + bottom
	lines := (len(d.facets) + columns - 1) / columns
	total := legend.height + float64(lines)*tall + float64(lines-1)*8

	p := &pen{}
	title := o.Title
	if title == "" {
		title = d.title()
	}
	p.open("svg", "xmlns", "http://www.w3.org/2000/svg", "class", "chart "+d.palette(), "viewBox", fmt.Sprintf("0 0 %s %s", number(o.Width), number(total)),
		"width", o.Width, "height", total, "role", "img", "aria-labelledby", o.ID+"-title "+o.ID+"-words")
	p.leaf("title", title, "id", o.ID+"-title")
	p.leaf("desc", d.description(), "id", o.ID+"-words")
	legend.draw(p)
	for i, facet := range d.facets {
		x, y := float64(i%columns)*(each+gap), float64(i/columns)*(tall+8)
		in := box{x + left, top + y, max(each-left-right, 10), height}
		marks := d.marks
		if d.edit.Facet != "" {
			in.top += faceRoom
			p.words(facet, each-8, small, "class", "face", "x", x, "y", legend.height+y+12)
			marks = slices.DeleteFunc(slices.Clone(d.marks), func(m mark) bool { return m.facet != facet })
		}
		s.draw(p, in, marks)
	}
	p.close("svg")
	return p.out.String()
}

// palette is the class that chooses the colours.
func (d *drawing) palette() string {
	if slices.Contains([]string{"accent", "warm", "cool", "gray"}, d.edit.Palette) {
		return "colors-" + d.edit.Palette
	}
	return "colors-category"
}
