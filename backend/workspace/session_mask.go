package workspace

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"slices"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/rules/pii"
	"assay/backend/session"
)

// sessionMask replaces the personal values of a session by tokens. The same value has the same token throughout the file; the secret of the tokens is
// forgotten with the mask, so that nobody finds out which value it was.
type sessionMask struct {
	w      *Workspace
	masker pii.Masker
}

func newSessionMask(w *Workspace) *sessionMask {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret)           // never fails
	vault, err := pii.NewVault(secret) // it is long enough
	if err != nil {
		panic(err)
	}
	return &sessionMask{w, pii.Masker{Policy: w.Rules().PII, Vault: vault}}
}

// asPersonal says where the columns of a frame come from. A column that was personal when it was answered stays it, whatever the model says now.
func (w *Workspace) asPersonal(columns []frameql.Column) []pii.Column {
	all := pii.Columns(w.Knowledge().Model, columns)
	for i, c := range columns {
		if kind := w.Rules().PII.Of(all[i]); c.Personal && (kind == "" || kind == pii.None) {
			all[i].Tag = string(pii.Identifier)
		}
	}
	return all
}

func (m *sessionMask) text(s string) string { return m.masker.Text(s) }

func (m *sessionMask) state(s session.State) session.State {
	for i, f := range s.Filters {
		s.Filters[i] = m.text(f)
	}
	for i := range s.Corrections {
		s.Corrections[i].FrameQL = m.text(s.Corrections[i].FrameQL)
	}
	for i := range s.Choices {
		s.Choices[i].Words, s.Choices[i].Target = m.text(s.Choices[i].Words), m.text(s.Choices[i].Target)
	}
	return s
}

// turn masks a turn: the cells of its frames by their columns, and every text.
func (m *sessionMask) turn(p analyst.Packed) (analyst.Packed, error) {
	var err error
	if p.Columns, p.Rows, err = m.frame(p.Columns, p.Rows); err != nil {
		return p, err
	}
	p.Frames = slices.Clone(p.Frames)
	for i := range p.Frames {
		f := &p.Frames[i]
		if f.Columns, f.Rows, err = m.frame(f.Columns, f.Rows); err != nil {
			return p, err
		}
	}
	if p, err = m.cards(p); err != nil {
		return p, err
	}
	raw, err := json.Marshal(p.Turn)
	if err != nil {
		return p, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var whole map[string]any
	if err := d.Decode(&whole); err != nil {
		return p, err
	}
	if raw, err = json.Marshal(m.walk("", whole, whole["question"])); err != nil {
		return p, err
	}
	p.Turn = session.FileTurn{}
	return p, session.DecodeStrict(raw, &p.Turn, "turn")
}

// frame masks the cells of a frame by their columns, and the names of these.
func (m *sessionMask) frame(columns []frameql.Column, rows json.RawMessage) ([]frameql.Column, json.RawMessage, error) {
	if rows != nil {
		cells, err := cellsOf(rows)
		if err != nil {
			return columns, rows, err
		}
		_, masked := m.masker.Frame(m.w.asPersonal(columns), cells)
		if rows, err = json.Marshal(masked); err != nil {
			return columns, rows, err
		}
	}
	columns = slices.Clone(columns)
	for i := range columns {
		columns[i].Name = m.text(columns[i].Name)
	}
	return columns, rows, nil
}

// words are the keys whose values are names of ours, words of a list, hashes and times: nothing in them is of the data.
var words = []string{
	"id", "request_id", "session_id", "instead_of", "frame_id", "kind", "kinds", "code", "status", "outcome", "level", "type", "role", "dialect", "slot", "method",
	"severity", "by", "served_from", "additivity", "format", "better", "expected_cost", "decision", "show", "aggregate", "sort", "scale", "palette", "thumb", "recompute",
	"how", "asked", "created", "started", "at", "input", "output", "source_epochs", "metric", "dimension", "grain",
	"as", "now", "clock", "mind", "criticality", "asking", "program", "prompts", "model", "rules", "archived", "tables", "changed", "prefix",
}

// taught are the facts of a step that are objects of ours. Others may be of any form: what a tool was given, what a model replied.
var taught = []string{"corrections", "preferences", "card", "prompts", "prefix"}

// walk masks the texts of a JSON value. Where pieces of a text are marked by their bytes, the marks move with it.
func (m *sessionMask) walk(key string, x, question any) any {
	switch x := x.(type) {
	case string:
		if slices.Contains(words, key) {
			return x
		}
		return m.text(x)
	case []any:
		for i := range x {
			x[i] = m.walk(key, x[i], question)
		}
		return x
	case map[string]any:
		switch key {
		case "source_epochs", "tables":
			return x
		case "facts":
			return m.facts(x, question)
		case "trace": // names and states of steps are ours
			for _, name := range []string{"note", "facts"} {
				if v, has := x[name]; has {
					x[name] = m.walk(name, v, question)
				}
			}
			return x
		}
		if asked, is := x["question"].(string); is {
			question = asked
		}
		m.move(x["text"], x["citations"])
		m.move(question, x["spans"])
		for name := range x {
			x[name] = m.walk(name, x[name], question)
		}
		return x
	}
	return x
}

// facts masks facts of a step, a notice or a refusal. What they are called is ours, what is below them may be called like anything.
func (m *sessionMask) facts(all map[string]any, question any) map[string]any {
	for name, fact := range all {
		if slices.Contains(taught, name) {
			all[name] = m.walk(name, fact, question)
		} else {
			all[name] = m.every(fact)
		}
	}
	return all
}

// every masks every text of a JSON value, names of members too.
func (m *sessionMask) every(x any) any {
	switch x := x.(type) {
	case string:
		return m.text(x)
	case []any:
		for i := range x {
			x[i] = m.every(x[i])
		}
		return x
	case map[string]any:
		out := make(map[string]any, len(x))
		for name, value := range x {
			out[m.text(name)] = m.every(value)
		}
		return out
	}
	return x
}

// move puts the marks of a text where its pieces are when it is masked.
func (m *sessionMask) move(of, marks any) {
	s, isText := of.(string)
	list, isList := marks.([]any)
	if !isText || !isList {
		return
	}
	pieces := make([][2]int, len(list))
	for i, mark := range list {
		fields, _ := mark.(map[string]any)
		for end, name := range [2]string{"start", "end"} {
			if n, is := fields[name].(json.Number); is {
				at, _ := n.Int64()
				pieces[i][end] = int(min(max(at, 0), int64(len(s))))
			}
		}
	}
	_, moved := m.masker.TextAt(s, pieces)
	for i, mark := range list {
		if fields, is := mark.(map[string]any); is {
			fields["start"], fields["end"] = moved[i][0], moved[i][1]
		}
	}
}
