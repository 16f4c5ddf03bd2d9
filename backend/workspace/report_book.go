package workspace

import (
	"context"
	"io"
	"slices"
	"strconv"

	"assay/backend/analyst"
	"assay/backend/export"
	"assay/backend/report"
	"assay/backend/session"
	"assay/backend/text"
)

// bookOf is a report while it becomes a workbook. Each answer is read once; what the contents say of it is put into the order of the parts at the end.
type bookOf struct {
	report  *gathered
	book    *export.Book
	entries [][]export.BookEntry // by part
	sources []export.BookSource
	framed  int      // answers with a frame
	missing []string // sources whose rows are not there
}

// workbook writes the report as a workbook. Faults: those of each and of export.Book.
func (r *gathered) workbook(ctx context.Context, out io.Writer) error {
	book, err := export.NewBook(r.title)
	if err != nil {
		return err
	}
	b := &bookOf{report: r, book: book, entries: make([][]export.BookEntry, len(r.parts))}
	if err := r.each(ctx, r.requests(), b.take); err != nil {
		book.Drop()
		return err
	}
	for i, p := range r.parts {
		switch {
		case p.Heading != "":
			book.List(export.BookEntry{Heading: p.Heading})
		case p.Request == "":
			book.List(export.BookEntry{Text: p.Text})
		}
		for _, e := range b.entries[i] {
			book.List(e)
		}
	}
	about := r.about()
	about.Answers, about.Without = b.framed, b.missing
	var facts []export.Fact
	for _, l := range about.Lines() {
		facts = append(facts, export.Fact{Name: l.Label, Value: l.Text})
	}
	return book.Close(out, facts, b.sources)
}

// take writes the sheets of an answer, and what is known of it.
func (b *bookOf) take(p analyst.Packed, came report.Came) error {
	a, err := report.Read(p.Turn, p.Rows, report.Choice{Frames: b.report.frames}, "")
	if err != nil {
		return err
	}
	source := export.BookSource{Number: len(b.sources) + 1, Title: a.Question(), Facts: bookFacts(append([]report.Fact{a.CameFrom(came)}, a.Facts()...))}
	b.sources = append(b.sources, source)
	if framed, missing := a.Rows(); framed {
		b.framed++
		if missing {
			b.missing = append(b.missing, strconv.Itoa(source.Number))
		}
	}
	written := map[string]export.BookEntry{} // by key of the sheet
	for i, part := range b.report.parts {
		if part.Request != p.Turn.RequestID {
			continue
		}
		sheets, notes, err := a.Sheets(part.Artifact)
		if err != nil {
			return err
		}
		e := export.BookEntry{Title: a.Title(), Question: a.Question(), Source: source.Number, Rows: a.Total(), Text: a.InWords(), Notes: notes}
		if came.Imported {
			e.Notes = append(slices.Clone(notes), text.Say("report.source_imported"))
		}
		if grade := a.Grade(); grade != nil {
			e.Grade = grade.Letters
		}
		for n, sheet := range sheets {
			one, known := written[sheet.Key]
			if !known {
				if one, err = b.sheet(sheet); err != nil {
					return err
				}
				written[sheet.Key] = one
			}
			if n == 0 {
				e.Sheet, e.Notes, e.Title = one.Sheet, append(e.Notes, one.Notes...), sheet.Title
				continue
			}
			one.Source = source.Number
			b.entries[i] = append(b.entries[i], one)
		}
		b.entries[i] = append([]export.BookEntry{e}, b.entries[i]...)
	}
	return nil
}

// sheet writes one sheet, and gives the line that tells of it.
func (b *bookOf) sheet(s report.Sheet) (export.BookEntry, error) {
	f := export.BookFrame{Title: s.Title, Columns: s.Frame.Columns, Rows: s.Frame.Rows}
	if s.Chart != nil {
		f.Chart = bookChart(*s.Chart, s.Title)
	}
	name, notes, err := b.book.Frame(f)
	e := export.BookEntry{Title: s.Title, Sheet: name, Rows: int64(len(s.Frame.Rows)), Notes: notes}
	if s.Chart != nil && s.Chart.Facet != "" {
		e.Notes = append(e.Notes, text.Say("export.chart_no_type", "type", s.Chart.Type))
	}
	return e, err
}

// bookChart is a chart as a sheet may draw it; nil: small multiples are not for a sheet.
func bookChart(e session.ChartEdit, title string) *export.BookChart {
	if e.Facet != "" {
		return nil
	}
	return &export.BookChart{Type: e.Type, Title: title, X: e.X, Y: e.Y, Series: e.Color, Lying: e.Across}
}

// bookFacts are facts of a provenance card as lines of a sheet.
func bookFacts(facts []report.Fact) (all []export.BookFact) {
	for _, f := range facts {
		if words := f.Text + f.Statement; words != "" {
			all = append(all, export.BookFact{Name: f.Label, Value: words})
		}
		for _, l := range f.Lines {
			all = append(all, export.BookFact{Name: f.Label, Detail: l.Label, Value: l.Text})
		}
	}
	return all
}
