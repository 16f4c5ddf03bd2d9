package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// Choice says how a turn is laid out.
type Choice struct {
	Frames   session.Frames // none: every frame, also within an artifact, is told of without its rows
	Rows     int            // of a table at most; see RowsOf
	Number   int            // of the turn among those that are shown, from 1
	Versions int            // others of the turn, which are not shown
	Numbers  map[int]int    // of the turns that are shown, by their index in the session: what goes on from one says so
}

// Answer is a turn that is laid out, whatever came of it.
type Answer struct {
	turn    session.FileTurn
	answer  *analyst.Answer // nil: there is none
	choice  Choice
	name    string // of its elements in the page
	view    session.View
	made    []session.FileArtifact // cards by themselves
	facts   []analyst.Fact
	missing bool   // the rows of its frame were left out
	table   *Table // where its rows stand; nil: nowhere
	celled  bool   // cell by cell as the frame has them
	glance  string // the name of what stands in place of the table
	beside  string // the part of a report that the table stands in; empty: its own
}

// Read reads a turn as it travelled, with the rows of its frame, a list of lists; nil: they stand in the answer, or nowhere.
func Read(t session.FileTurn, rows json.RawMessage, c Choice, name string) (*Answer, error) {
	r := &Answer{turn: t, choice: c, name: name, view: session.View{Show: "chart"}}
	if len(t.Answer) > 0 && string(t.Answer) != "null" {
		r.answer = &analyst.Answer{}
		if err := decode(t.Answer, r.answer); err != nil {
			return nil, fmt.Errorf("answer: %w", err)
		}
	}
	if r.answer != nil && r.answer.Frame != nil {
		if err := r.fill(rows); err != nil {
			return nil, fmt.Errorf("rows: %w", err)
		}
	}
	for _, a := range t.Artifacts {
		if a.Body == nil {
			continue
		}
		switch a.Kind {
		case session.KindView:
			if err := decode(a.Body, &r.view); err != nil {
				return nil, fmt.Errorf("view: %w", err)
			}
		case session.KindProvenance:
			var p analyst.Provenance
			if err := decode(a.Body, &p); err != nil {
				return nil, fmt.Errorf("provenance: %w", err)
			}
			r.facts = p.Facts
		default:
			if cardOf(a.Kind) != nil {
				r.made = append(r.made, a)
			}
		}
	}
	return r, nil
}

// fill gives the frame of an answer its rows.
func (r *Answer) fill(rows json.RawMessage) error {
	f := r.answer.Frame
	if r.choice.Frames == session.FramesNone {
		r.missing, f.Rows, r.answer.MetricCard = true, nil, nil
		return nil
	}
	if rows != nil {
		f.Rows = nil
		if err := decode(rows, &f.Rows); err != nil {
			return err
		}
	}
	for i, row := range f.Rows {
		if len(row) != len(f.Columns) {
			return fmt.Errorf("row %d has %d cells of %d", i+1, len(row), len(f.Columns))
		}
	}
	r.missing = len(f.Rows) == 0 && (f.RowCount > 0 || f.Truncated != nil && f.Truncated.TotalRows > 0) // of a file without them
	return nil
}

// decode keeps the digits of numbers.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// longestTitle is what a heading shows of a question, in letters.
const longestTitle = 300

// headed is a text as a heading shows it.
func headed(s string) string {
	if runes := []rune(s); len(runes) > longestTitle {
		return string(runes[:longestTitle]) + "…"
	}
	return s
}

// Turn is a turn of a session laid out, with everything that came of it.
type Turn struct {
	Section Section
	Rows    bool // it has an answer with a frame
	Missing bool // whose rows are not in it
}

// LayOut lays out a turn as it travelled, with the rows of its frame; nil: they stand in its answer, or were left out. An error says what of the turn does
// not read.
func LayOut(t session.FileTurn, rows json.RawMessage, c Choice) (Turn, error) {
	r, err := Read(t, rows, c, "q"+strconv.Itoa(c.Number))
	if err != nil {
		return Turn{}, err
	}
	s := Section{ID: r.name, Place: t.Place, Number: strconv.Itoa(c.Number), Title: t.Question, Asked: Moment(t.Asked)}
	s.Code, s.Grade = t.Given != nil && t.Given.As == session.AsSQL, r.Grade()
	if s.Blocks, err = r.blocks(); err != nil {
		return Turn{}, err
	}
	if strings.TrimSpace(s.Title) == "" {
		s.Title = text.Say("report.no_question")
	}
	if short := headed(s.Title); short != s.Title {
		s.Title = short
		if r.card() == nil { // which has all of it
			s.Blocks = slices.Insert(s.Blocks, 0, Block{Prose: []Passage{{Kind: "p", Pieces: []Piece{{Text: t.Question}}}}})
		}
	}
	framed, missing := r.Rows()
	return Turn{Section: s, Rows: framed, Missing: missing}, nil
}

// blocks are all parts of a turn, in reading order.
func (r *Answer) blocks() ([]Block, error) {
	blocks := r.standing()
	a := r.answer
	if a != nil {
		framed := r.framed() // before the narration, which leads to its cells
		blocks = append(blocks, r.told()...)
		if reading := r.reading(); reading != nil {
			blocks = append(blocks, Block{Reading: reading})
		}
		if a.Clarification != nil {
			blocks = append(blocks, Block{Choices: clarified(a.Clarification)})
		}
		if a.Refusal != nil {
			blocks = append(blocks, Block{Choices: refused(a.Refusal)})
		}
		blocks = append(blocks, framed...)
		if a.Explanation != nil {
			blocks = append(blocks, explained(a.Explanation, a.Plan)...)
		}
		if box := r.recommended(); box != nil {
			blocks = append(blocks, Block{Box: box})
		}
	}
	for i, artifact := range r.made {
		box, err := cardOf(artifact.Kind)(artifact, r.name+"-m"+strconv.Itoa(i), r.choice)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", artifact.Kind, err)
		}
		blocks = append(blocks, Block{Box: box})
	}
	if card := r.card(); card != nil {
		blocks = append(blocks, Block{Card: card})
	}
	return blocks, nil
}

// standing says how a turn stands that has no answer, and which of several versions it is.
func (r *Answer) standing() []Block {
	var notes []Note
	if e := r.turn.Elsewhere; e != nil {
		notes = append(notes, Note{"caution", elsewhere(e)})
	}
	switch t := r.turn; t.Outcome {
	case session.Interrupted:
		notes = append(notes, Note{"caution", text.Say("report.interrupted")})
	case session.Canceled:
		notes = append(notes, Note{"info", text.Say("report.canceled")})
	case session.Failed:
		if t.Fault != nil {
			notes = append(notes, Note{"critical", strings.TrimSpace(t.Fault.Message + " " + t.Fault.Hint)})
		}
	}
	if n := r.choice.Versions; n > 0 {
		notes = append(notes, Note{"info", text.Count("report.versions", int64(n), "n", n)})
	}
	if len(notes) == 0 {
		return nil
	}
	return []Block{{Notes: notes}}
}

// reading says how the question was understood, where the answer shows something of it.
func (r *Answer) reading() *Reading {
	u := r.answer.Understood
	if u == nil || r.answer.Refusal != nil || r.answer.Clarification != nil {
		return nil
	}
	out := &Reading{Text: u.Reading, Notes: slices.Clone(u.Assumptions)}
	if len(u.Unread) > 0 {
		out.Notes = append(out.Notes, text.Say("report.unread", "words", strings.Join(u.Unread, ", ")))
	}
	if u.Derived != nil && r.choice.Numbers[u.Derived.From] > 0 {
		out.Notes = append(out.Notes, text.Say("report.derived", "turn", r.choice.Numbers[u.Derived.From]))
	}
	if out.Text == "" && len(out.Notes) == 0 {
		return nil
	}
	return out
}

// framed lays out the frame of an answer: what is worth knowing about it, its picture and its rows.
func (r *Answer) framed() []Block {
	f := r.answer.Frame
	if f == nil {
		return nil
	}
	var blocks []Block
	if notes := r.notes(f); len(notes) > 0 {
		blocks = append(blocks, Block{Notes: notes})
	}
	if compared := comparedWithin(f); compared != nil && r.view.Show == "comparison" && !r.missing {
		if r.table = compareFrames(*compared, r.name+"-t", r.Title(), r.choice.Rows); r.table != nil {
			return append(blocks, Block{Table: r.table})
		}
	}
	table := r.rows(f)
	r.table, r.celled = table, true
	pair := &Pair{Table: table, Picture: r.picture(f), Number: r.number(f)}
	switch {
	case pair.Picture == nil && pair.Number == nil:
		return append(blocks, Block{Table: table})
	case pair.Number != nil && len(table.Columns) == 1 && table.Held == 1: // the number says what the table would
		r.table, r.glance = nil, r.name+"-n"
		pair.Number.ID = r.glance
		return append(blocks, Block{Number: pair.Number})
	}
	pair.Wide = len(table.Columns) > mostBeside
	return append(blocks, Block{Pair: pair})
}

// mostBeside columns of a table have room beside a picture.
const mostBeside = 4

func (r *Answer) rows(f *frameql.Frame) *Table {
	t := tableOf(f, r.name+"-t", r.Title(), r.choice.Rows, r.leads(f))
	if r.missing {
		if t.Held = f.RowCount; f.Truncated != nil {
			t.Held = f.Truncated.TotalRows
		}
		t.Note, t.Empty = text.Say("report.rows_left_out"), ""
	}
	return t
}

// severityOf is a severity that a page knows: a file may say anything.
func severityOf(s string) string {
	if s == "caution" || s == "critical" {
		return s
	}
	return "info"
}

// notes are the findings and notices of an answer, each once.
func (r *Answer) notes(f *frameql.Frame) []Note {
	var notes []Note
	add := func(severity, words string) {
		if !slices.ContainsFunc(notes, func(n Note) bool { return n.Text == words }) {
			notes = append(notes, Note{severityOf(severity), words})
		}
	}
	for _, n := range f.Notices {
		add(n.Severity, n.Text)
	}
	for _, n := range r.answer.Findings {
		if n.Status == "finding" && n.Code != "TRUNCATED" { // the table says it
			add(n.Severity, n.Message)
		}
	}
	if len(f.Rows) == 0 && !r.missing && f.Population != nil {
		for _, k := range f.Population.PerFilter {
			add("info", text.Count("report.filter_keeps", k.Kept, "filter", k.Filter, "n", k.Kept))
		}
	}
	return notes
}
