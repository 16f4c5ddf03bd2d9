package report

import (
	"assay/backend/chart"
	"assay/backend/chart/svg"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

const (
	pictureWidth = 560       // pixels
	pictureSize  = 64 * 1024 // bytes: a picture that needs more is drawn of fewer marks
)

// picture draws the chart of an answer as its person left it; nil: it has none.
func (r *read) picture(f *frameql.Frame) *Picture {
	if r.missing || r.view.Show != "chart" && r.view.Show != "" {
		return nil
	}
	var edit session.ChartEdit
	switch c := r.answer.Chart; {
	case r.view.Chart != nil:
		edit = *r.view.Chart
	case c == nil:
		return nil
	default:
		var drawn bool
		if edit, drawn = svg.Intent(*c, f); !drawn {
			return nil
		}
	}
	return draw(edit, f, r.name+"-c", r.title())
}

// draw draws an intent within the bytes that a picture of a page may have.
func draw(edit session.ChartEdit, f *frameql.Frame, id, title string) *Picture {
	for _, most := range []int{0, 300, 80} {
		p := svg.Draw(edit, f, svg.Options{Width: pictureWidth, ID: id, Title: title, Marks: most})
		if p.SVG == "" {
			return nil
		}
		if len(p.SVG) <= pictureSize {
			return &Picture{Picture: p, Title: title}
		}
	}
	return &Picture{Picture: svg.Picture{Notes: []string{text.Say("report.picture_large", "type", chart.Name(edit.Type))}}, Title: title}
}
