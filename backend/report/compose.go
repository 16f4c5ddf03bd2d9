package report

import (
	"slices"
	"strconv"

	"assay/backend/session"
	"assay/backend/text"
)

// Part is a part of a report, as a person put it together: a heading, a text, or an answer, of which one artifact may be meant alone.
type Part struct {
	Heading  string
	Text     string // a small part of Markdown: see Prose
	Request  string // of the answer
	Artifact string // its id; empty: the whole answer
}

// Composer lays out a report. It is given each answer once, however many parts are taken from it, and keeps no rows beyond those that are shown.
type Composer struct {
	parts    []Part
	frames   session.Frames
	rows     int
	sections [][]Section // by part
	numbers  map[string]int
	sources  []Section
	framed   int      // answers with a frame
	missing  []string // sources whose rows are not there
}

// NewComposer begins a report of parts, in their order.
func NewComposer(parts []Part, frames session.Frames) *Composer {
	c := &Composer{parts: parts, frames: frames, sections: make([][]Section, len(parts)), numbers: map[string]int{}}
	under := false
	for i, p := range parts {
		id := "i" + strconv.Itoa(i+1)
		switch {
		case p.Heading != "":
			under = true
			c.sections[i] = []Section{{ID: id, Blocks: []Block{{Heading: &Heading{Text: p.Heading}}}}}
		case p.Request == "":
			c.sections[i] = []Section{{ID: id, Blocks: []Block{{Prose: Prose(p.Text)}}}}
		default:
			c.sections[i] = []Section{{ID: id, Under: under}}
			if c.numbers[p.Request] == 0 {
				c.numbers[p.Request] = len(c.numbers) + 1
			}
		}
	}
	c.rows, c.sources = RowsOf(len(c.numbers)), make([]Section, len(c.numbers))
	return c
}

// Came says where an answer was taken from.
type Came struct {
	Session  string // its title
	Imported bool   // it came with a file
}

// Take lays out what a report takes from an answer. The rows are those of its frame; nil: they stand in the turn. An error says what of the turn does not
// read, or that an artifact is not there.
func (c *Composer) Take(t session.FileTurn, rows []byte, came Came) error {
	number := c.numbers[t.RequestID]
	var shown *Answer // the first part that shows rows: what is told beside it leads there
	for _, whole := range []bool{true, false} {
		for i, p := range c.parts {
			if p.Request != t.RequestID || c.showsRows(p, t) != whole {
				continue
			}
			name := c.sections[i][0].ID
			r, err := Read(t, rows, Choice{Frames: c.frames, Rows: c.rows}, name)
			if err != nil {
				return err
			}
			if !whole && shown != nil {
				r.table, r.celled, r.glance, r.beside = shown.table, shown.celled, shown.glance, shown.name
			} else if !whole {
				r.glance = "s" + strconv.Itoa(number)
			}
			if err := c.lay(i, r, number); err != nil {
				return err
			}
			if whole && shown == nil {
				shown = r
			}
			if c.sources[number-1].ID == "" {
				c.sources[number-1] = r.source(number, came)
				c.count(r, number)
			}
		}
	}
	return nil
}

func (c *Composer) count(r *Answer, number int) {
	framed, missing := r.Rows()
	if framed {
		c.framed++
	}
	if missing {
		c.missing = append(c.missing, strconv.Itoa(number))
	}
}

// showsRows says whether a part shows the rows of its answer.
func (c *Composer) showsRows(p Part, t session.FileTurn) bool {
	if p.Artifact == "" {
		return true
	}
	kind := kindOf(t, p.Artifact)
	return kind == session.KindFrame || kind == session.KindView
}

func kindOf(t session.FileTurn, artifact string) session.Kind {
	at := slices.IndexFunc(t.Artifacts, func(a session.FileArtifact) bool { return a.ID == artifact })
	if at < 0 {
		return ""
	}
	return t.Artifacts[at].Kind
}

// lay puts what a part shows into its section.
func (c *Composer) lay(i int, r *Answer, number int) error {
	s := &c.sections[i][0]
	var err error
	if c.parts[i].Artifact == "" {
		s.Title, s.Grade = headed(r.Title()), r.Grade()
		s.Blocks, err = r.answerBlocks()
	} else {
		s.Blocks, err = r.artifactBlocks(c.parts[i].Artifact)
		if e := r.turn.Elsewhere; e != nil {
			s.Blocks = append([]Block{{Notes: []Note{{"caution", elsewhere(e)}}}}, s.Blocks...)
		}
	}
	refer(s.Blocks, number)
	return err
}

// refer lets the first thing of a part that can carry it lead to its source.
func refer(blocks []Block, number int) {
	refs := []int{number}
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Told != nil:
			b.Told.Refs = refs
		case b.Choices != nil:
			b.Choices.Refs = refs
		case b.Table != nil:
			b.Table.Refs = refs
		case b.Picture != nil:
			b.Picture.Refs = refs
		case b.Number != nil:
			b.Number.Refs = refs
		case b.Box != nil:
			b.Box.Refs = refs
		case b.Pair != nil && b.Pair.Table != nil:
			b.Pair.Table.Refs = refs
		default:
			continue
		}
		return
	}
}

// Document is the whole report.
func (c *Composer) Document(title string, about About) *Document {
	about.Frames, about.Answers, about.Without = c.frames, c.framed, c.missing
	return &Document{Title: title, About: about, Sections: slices.Concat(c.sections...), Sources: c.sources}
}

// answerBlocks are all parts of an answer but its provenance, which a report has at its end.
func (r *Answer) answerBlocks() ([]Block, error) {
	blocks, err := r.blocks()
	return slices.DeleteFunc(blocks, func(b Block) bool { return b.Card != nil }), err
}

// artifactBlocks show one artifact of an answer by itself.
func (r *Answer) artifactBlocks(id string) ([]Block, error) {
	at := slices.IndexFunc(r.turn.Artifacts, func(a session.FileArtifact) bool { return a.ID == id })
	if at < 0 || r.answer == nil {
		return nil, errOdd
	}
	artifact, a := r.turn.Artifacts[at], r.answer
	if maker := cardOf(artifact.Kind); maker != nil {
		box, err := maker(artifact, r.name, r.choice)
		return []Block{{Box: box}}, err
	}
	switch artifact.Kind {
	case session.KindFrame, session.KindView:
		if a.Frame == nil {
			return nil, errOdd
		}
		if artifact.Kind == session.KindView {
			return r.framed(), nil
		}
		r.table, r.celled = r.rows(a.Frame), true
		r.table.Named = true
		return []Block{{Table: r.table}}, nil
	case session.KindChart:
		return r.pictured()
	case session.KindNarration:
		return r.told(), nil
	case session.KindProvenance:
		if card := r.card(); card != nil {
			return []Block{{Card: card}}, nil
		}
	case session.KindClarification:
		if a.Clarification != nil {
			return []Block{{Choices: clarified(a.Clarification)}}, nil
		}
	case session.KindRefusal:
		if a.Refusal != nil {
			return []Block{{Choices: refused(a.Refusal)}}, nil
		}
	case session.KindExplanation:
		if a.Explanation != nil {
			return explained(a.Explanation, a.Plan), nil
		}
	case session.KindFollowups:
		lines := &Lines{Title: text.Say("report.followups")}
		for _, f := range a.Followups {
			lines.Lines = append(lines.Lines, Line{Text: f.Question})
		}
		return []Block{{Lines: lines}}, nil
	}
	return nil, errOdd
}

// pictured is the chart of an answer by itself, or the number that stands in its place.
func (r *Answer) pictured() ([]Block, error) {
	f := r.answer.Frame
	if f == nil || r.answer.Chart == nil {
		return nil, errOdd
	}
	if r.missing {
		return leftOut(), nil
	}
	r.view.Show, r.view.Title = "chart", ""
	if p := r.picture(f); p != nil {
		p.Named = true
		return []Block{{Picture: p}}, nil
	}
	if n := r.number(f); n != nil {
		return []Block{{Number: n}}, nil
	}
	return []Block{{Notes: []Note{{"info", text.Say("report.nothing_drawn")}}}}, nil
}

// source is an answer among those that the numbers of a report come from.
func (r *Answer) source(number int, came Came) Section {
	s := Section{ID: "s" + strconv.Itoa(number), Number: strconv.Itoa(number), Title: headed(r.turn.Question), Grade: r.Grade(), Facts: r.Facts()}
	s.Facts = slices.Insert(s.Facts, 0, r.CameFrom(came))
	return s
}

// Title is what the answer is called: by its person, by its reading, by its question.
func (r *Answer) Title() string {
	switch {
	case r.view.Title != "":
		return r.view.Title
	case r.answer != nil && r.answer.Understood != nil && r.answer.Understood.Reading != "":
		return r.answer.Understood.Reading
	case r.turn.Question != "":
		return r.turn.Question
	}
	return text.Say("report.no_question")
}

// Grade is how it was graded; nil: it was not.
func (r *Answer) Grade() *Grade {
	if r.answer == nil || r.answer.Verification == nil || r.answer.Frame == nil {
		return nil
	}
	return gradeOf(r.answer.Verification.Level)
}
