package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"

	"assay/backend/chart/svg"
	"assay/backend/fault"
	"assay/backend/text"
)

//go:embed page.html
var pageSource string

// The style of a page: its colours, light and dark; what every page has; tables; cards and provenance; widths, and paper.
//
//go:embed page_tokens.css page.css page_tables.css page_cards.css page_media.css
var styles embed.FS

//go:embed page.js
var pageScript string

// style is all of the page's style: its own, and that of the pictures.
var style = func() string {
	all := ""
	for _, name := range []string{"page_tokens.css", "page.css", "page_tables.css", "page_cards.css", "page_media.css"} {
		part, err := styles.ReadFile(name)
		if err != nil {
			panic(err) // it is a part of the program
		}
		all += string(part)
	}
	return all + svg.Style("@media screen and (prefers-color-scheme: dark)")
}()

// policy lets the page use its own style and script, by their hashes, and nothing else: no address, no picture, no form.
var policy = "default-src 'none'; style-src " + hashed(style) + "; script-src " + hashed(pageScript) + "; base-uri 'none'; form-action 'none'"

// Policy is the content security policy of a page, for whoever serves one: it stands in the page too.
func Policy() string { return policy }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"say":    func(key string) string { return text.Say(key) },
	"sign":   sign,
	"refers": func(n int) string { return text.Say("report.refers", "n", n) },
	"drawn":  drawn,
}).Parse(pageSource))

// drawn is the one thing of a page that is markup before html/template sees it: chart/svg escapes every text of the data itself, and names of elements and
// attributes are literals there.
func drawn(p svg.Picture) template.HTML { return template.HTML(p.SVG) }

// sign stands before a note or a check, so that colour alone says nothing.
func sign(of string) string {
	switch of {
	case "caution", "finding":
		return "▲"
	case "critical":
		return "■"
	case "passed":
		return "✓"
	case "could_not_check":
		return "?"
	case "not_applicable":
		return "–"
	}
	return "·"
}

// Contents lists the sections that have a name, where a list of them helps.
func (d *Document) Contents() []Section {
	var named []Section
	for _, s := range d.Sections {
		if s.Title == "" && len(s.Blocks) > 0 && s.Blocks[0].Heading != nil {
			s.Title = s.Blocks[0].Heading.Text
		}
		if s.Title != "" {
			named = append(named, s)
		}
	}
	if len(named) < 3 {
		return nil
	}
	return named
}

// Closing says what a reader may hold the page to.
func (d *Document) Closing() string {
	if len(d.Sources) > 0 {
		return text.Say("report.closing_report")
	}
	return text.Say("report.closing_session")
}

// Class is that of a cell in its column.
func (c Cell) Class(column Column) string {
	class := ""
	for _, one := range []struct {
		name string
		is   bool
	}{{"n", column.Numbers}, {"z", c.Null}, {c.Tone, c.Tone != "" && c.Tone != "even"}} {
		if one.is {
			if class != "" {
				class += " "
			}
			class += one.name
		}
	}
	return class
}

// Hint is what a cell says beyond what it shows: all of its digits, or why it is empty.
func (c Cell) Hint() string {
	if c.Why != "" {
		return c.Why
	}
	return c.Exact
}

const (
	pageSize   = 1_900_000 // bytes of a page of a few answers
	answerSize = 95_000    // that each answer may add where there are more
	fewestRows = 10        // of a table, however large the page gets
	roomForAll = 8000      // rows of all tables of a page
)

// RowsOf is how many rows of a table are laid out in a page of so many answers.
func RowsOf(answers int) int { return max(fewestRows, min(mostRows, roomForAll/max(1, answers))) }

// WritePage writes a document as a page. A page of up to twenty answers has less than two megabytes: where its tables need more, each shows fewer rows, and
// says so. The errors are those of out.
func WritePage(out io.Writer, d *Document) error {
	tables := 0
	d.tables(func(*Table) { tables++ })
	room := max(pageSize, tables*answerSize)
	var written bytes.Buffer
	for rows := mostRows; ; rows = max(fewestRows, min(rows/2, rows*room/written.Len())) {
		written.Reset()
		d.tables(func(t *Table) { t.Shown = rows })
		if err := page.Execute(&written, struct {
			Document *Document
			Policy   string
			Style    template.CSS
			Script   template.JS
		}{d, policy, template.CSS(style), template.JS(pageScript)}); err != nil {
			return fault.Wrap(fault.Internal, "write page", text.Say("report.page_broken"), "", err)
		}
		if written.Len() <= room || rows <= fewestRows {
			break
		}
	}
	_, err := written.WriteTo(out)
	return err
}
