package workspace

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/session"
)

// SessionContents says what a session file would hold, before it is written.
type SessionContents struct {
	Turns      int      `json:"turns"` // with every version
	Unfinished int      `json:"unfinished" doc:"Turns that still run: they are left out"`
	Frames     int      `json:"frames" doc:"Tables of answers, of what was tried for them, and within cards"`
	Rows       int64    `json:"rows"`
	Bytes      int64    `json:"bytes" doc:"About as large the file will be"`
	Tables     []string `json:"tables" nullable:"false" doc:"That its answers name"`
	Personal   []string `json:"personal" nullable:"false" doc:"Columns of its frames that hold what names one person; where the rows are left out, sentences may still quote them"`
	SQL        bool     `json:"sql" doc:"Statements stand in it, with the values that they ask for"`
	Model      []string `json:"model" nullable:"false" doc:"Files of the semantic model"`
	Signer     *string  `json:"signer" doc:"The name that its signature carries; null: it is not signed"`
	Key        string   `json:"key" doc:"The fingerprint of the key that signs it; empty: it is made with the first signature"`

	Sentences   int    `json:"sentences" doc:"Answers whose sentences stand in it: they quote figures, also where the rows are left out"`
	Memos       int    `json:"memos" doc:"Turns that were asked with a memo of the session, which stands in it"`
	Corrections int    `json:"corrections" doc:"Turns that took something back or put it right"`
	Terms       int    `json:"terms" doc:"Meanings that its person taught"`
	SharedTerms int    `json:"shared_terms" doc:"Meanings that are agreed for everybody"`
	Preferences int    `json:"preferences" doc:"How its person wants answers to look"`
	Feedback    int    `json:"feedback" doc:"Answers of which its person says something"`
	Replies     int    `json:"replies" doc:"Recorded replies of language models: a replay needs them"`
	SentTexts   int    `json:"sent_texts" doc:"Turns with what was sent to a language model elsewhere, word for word"`
	Elsewhere   int    `json:"elsewhere" doc:"Turns that came from elsewhere: a signature says nothing of them"`
	Versions    int    `json:"versions" doc:"Other versions of answers"`
	Cleared     int    `json:"cleared" doc:"Turns that were cleared away"`
	Origin      string `json:"origin" doc:"What the session that it was forked from is called; empty: it began by itself"`
}

// SessionContents says what the file of a session would hold. Faults: NotFound, Invalid (no such choice), and those of the signing key.
func (w *Workspace) SessionContents(ctx context.Context, id string, c SessionChoice) (SessionContents, error) {
	sign := c.Sign
	c.Sign = false // looking makes no key
	x, err := w.survey(ctx, id, c)
	if err == nil {
		err = x.turns(ctx, func(analyst.Packed) error { return nil })
	}
	if err != nil {
		return x.contents, err
	}
	x.settle()
	if sign {
		var k *signingKey
		if k, err = w.knownKey(); k != nil {
			x.contents.sign(k)
		} else {
			x.contents.Signer = new(string)
		}
		if c.Signer != "" {
			*x.contents.Signer = plainLine(c.Signer)
		}
	}
	return x.contents, err
}

func (c *SessionContents) sign(k *signingKey) {
	name := k.Name
	c.Signer, c.Key = &name, session.Fingerprint(k.public())
}

// look takes a turn into the survey.
func (x *surveyed) look(p analyst.Packed) error {
	t := p.Turn
	if t.FrameQL != "" {
		x.queries = append(x.queries, t.FrameQL)
	}
	x.told = append(x.told, session.Turn{Index: t.Index, Chosen: t.Chosen, Archived: t.Archived, Outcome: t.Outcome, FrameQL: t.FrameQL, Said: t.Said, Answer: t.Answer})
	x.contents.Turns++
	x.contents.Bytes += int64(len(t.Answer))/5 + 1024
	x.lookPersonal(p.Columns)
	for _, f := range p.Frames {
		x.lookPersonal(f.Columns)
	}
	if err := x.lookBeside(t); err != nil {
		return err
	}
	if x.choice.Frames != session.FramesNone {
		frames, rows, err := analyst.HeldRows(p)
		if err != nil {
			return err
		}
		x.contents.Frames += frames
		x.contents.Rows += rows
		x.contents.Bytes += int64(len(p.Rows)) / 3
		for _, f := range p.Frames {
			x.contents.Bytes += int64(len(f.Rows)) / 3
		}
	}
	return x.lookSources(t)
}

// lookSources notes which tables an answer names and reads.
func (x *surveyed) lookSources(t session.FileTurn) error {
	var a struct {
		SQL   string `json:"sql"`
		Frame *struct {
			SQL     string            `json:"sql"`
			BaseSQL string            `json:"base_sql"`
			Epochs  map[string]string `json:"source_epochs"`
		} `json:"frame"`
	}
	if err := json.Unmarshal(t.Answer, &a); err != nil || a.Frame == nil {
		x.contents.SQL = x.contents.SQL || a.SQL != ""
		return err
	}
	x.contents.SQL = x.contents.SQL || a.Frame.SQL != ""
	maps.Copy(x.epochs, a.Frame.Epochs)
	for table, epoch := range a.Frame.Epochs {
		if a.Frame.SQL == "" || strings.Contains(a.Frame.SQL+a.Frame.BaseSQL, table) {
			x.read[table] = epoch
		}
	}
	return nil
}

// lookPersonal notes which columns of a frame hold what names one person.
func (x *surveyed) lookPersonal(columns []frameql.Column) {
	personal := x.w.personalColumns(columns)
	for i, c := range columns {
		name := c.Dimension
		if name == "" {
			name = c.Name
		}
		if personal[i] != "" && !slices.Contains(x.contents.Personal, name) {
			x.contents.Personal = append(x.contents.Personal, name)
		}
	}
}

// lookBeside counts what a turn holds that is no question, no query and no table.
func (x *surveyed) lookBeside(t session.FileTurn) error {
	beside, err := analyst.BesideOf(t)
	if err != nil {
		return err
	}
	c := &x.contents
	c.Sentences += asCount(beside.Sentences)
	c.Memos += asCount(t.Given != nil && t.Given.Memo != "")
	c.Feedback += asCount(t.Feedback != nil)
	c.Elsewhere += asCount(t.Elsewhere != nil)
	c.Versions += asCount(!t.Chosen)
	c.Cleared += asCount(t.Archived != nil)
	if x.choice.Frames != session.FramesNone {
		c.Replies += beside.Replies
		c.SentTexts += asCount(len(analyst.TextsSent(t.Trace).Requests) > 0)
	}
	for _, one := range beside.Taught {
		key := one.ID
		if key == "" { // of the context files
			key = one.Term
		}
		if x.taught[key] {
			continue
		}
		x.taught[key] = true
		switch {
		case one.Kind != "":
			c.Preferences++
		case one.Agreed:
			c.SharedTerms++
		default:
			c.Terms++
		}
	}
	return nil
}

func asCount(is bool) int {
	if is {
		return 1
	}
	return 0
}

// settle says what follows from all turns.
func (x *surveyed) settle() {
	x.state = analyst.StateOf(x.told)
	x.contents.Tables = slices.Sorted(maps.Keys(x.epochs))
	x.contents.Corrections = len(analyst.StateOf(everyTurn(x.told)).Corrections)
	if x.head.Origin != nil {
		x.contents.Origin = x.head.Origin.Title
	}
	if !x.choice.Model {
		return
	}
	x.model = x.w.modelOf(x.queries, slices.Sorted(maps.Keys(x.read)))
	for path, raw := range x.model {
		x.contents.Model = append(x.contents.Model, path)
		x.contents.Bytes += int64(len(raw)) / 3
	}
	slices.Sort(x.contents.Model)
}

// everyTurn gives turns as if each version stood: the file holds all of them.
func everyTurn(turns []session.Turn) []session.Turn {
	all := slices.Clone(turns)
	for i := range all {
		all[i].Chosen, all[i].Archived = true, nil
	}
	return all
}
