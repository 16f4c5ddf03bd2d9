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
func (r *Answer) picture(f *frameql.Frame) *Picture {
	edit, drawn := r.edit(f)
	if !drawn {
		return nil
	}
	return draw(edit, f, r.name+"-c", r.Title())
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
