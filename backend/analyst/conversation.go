package analyst

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// said is what a turn leaves behind for the ones after it. It is kept with the turn, so that a session that is opened
// again goes on where it was.
type said struct {
	Follow  *interpret.Follow  `json:"follow,omitempty"`
	Members *shownMembers      `json:"members,omitempty"`
	Spans   []interpret.Span   `json:"spans,omitempty"`
	Choices []interpret.Choice `json:"choices,omitempty"`
	Number  string             `json:"number,omitempty"`  // that the frame shows, when it shows nothing else
	Foreign bool               `json:"foreign,omitempty"` // refused, and it had nothing to do with the data
	Tables  []string           `json:"tables,omitempty"`  // that the engine read for the frame
	Shown   int                `json:"shown,omitempty"`   // which artifact of the turn is its frame, counted from 1: a mind may recall it; 0: none
	Rows    int                `json:"rows,omitempty"`    // of the frame
	Offered []string           `json:"offered,omitempty"` // questions to go on with: who asks one did not write it
}

// shownMembers are those whom a frame shows, by the values of one of its columns.
type shownMembers struct {
	Entity    string   `json:"entity"`
	Dimension string   `json:"dimension"` // of the entity
	Numbers   bool     `json:"numbers,omitempty"`
	Split     bool     `json:"split,omitempty"` // a row stands for a value of the dimension and not for a member of the entity
	Values    []string `json:"values"`
}

// history is the conversation so far, as the reader wants it. Turns that this version cannot read are passed over.
func (r *run) history(ctx context.Context) (interpret.History, error) {
	turns, err := r.conversation(ctx)
	if err != nil {
		return interpret.History{}, err
	}
	var h interpret.History
	for _, t := range turns {
		var left said
		if len(t.Said) > 0 && json.Unmarshal(t.Said, &left) != nil {
			left = said{}
		}
		query, err := frameql.Parse(t.FrameQL)
		if err != nil {
			query = nil
		}
		switch Outcome(t.Outcome) {
		case OutcomeAnswer, OutcomeConfirm:
			if query == nil {
				continue
			}
			query.Explain = false
			turn := interpret.Turn{Turn: t.Index, Query: query, Members: r.shown(left.Members), Spans: left.Spans, Number: left.Number}
			if left.Follow != nil {
				turn.Undone = left.Follow.Undone
				h.Settled = append(h.Settled, left.Follow.Settled...)
			}
			h.Turns, h.Open = append(h.Turns, turn), nil
		case OutcomeClarify:
			h.Open = &interpret.Open{Question: t.Question, Guess: query, Choices: left.Choices}
		case OutcomeRefuse:
			if h.Open == nil || !left.Foreign { // small talk does not close a question that was asked back
				h.Open = &interpret.Open{Question: t.Question, Foreign: left.Foreign}
			}
		}
	}
	r.heard = h.Turns
	slices.Reverse(h.Settled) // the latest choice counts
	if r.oldDays > 0 {
		r.outlived = &h
		return interpret.History{}, nil
	}
	return h, nil
}

// conversation gives the turns before the request, and notes which of them it may go on from: none, when they are too old.
func (r *run) conversation(ctx context.Context) ([]session.Turn, error) {
	turns, err := r.a.deps.Memory.Conversation(ctx, r.answer.SessionID, r.place)
	if err != nil {
		return nil, err
	}
	r.context = []int{}
	if r.oldDays = r.outlivedBy(turns); r.oldDays > 0 {
		return turns, nil
	}
	r.absent = r.absentOf(turns)
	for _, t := range turns {
		r.context = append(r.context, t.Index)
	}
	return turns, nil
}

// leave gives what the turn leaves behind.
func (r *run) leave() json.RawMessage {
	left := said{Follow: r.follow}
	if u := r.answer.Understood; u != nil {
		left.Spans = u.Spans
	}
	switch r.answer.Outcome {
	case OutcomeAnswer, OutcomeConfirm:
		left.Members, left.Number, left.Tables = r.members(), r.number(), r.tablesRead()
		left.Shown, left.Rows = r.frameArtifact()
		for _, f := range r.answer.Followups {
			left.Offered = append(left.Offered, f.Question)
		}
	case OutcomeClarify:
		left.Choices = append(left.Choices, *r.answer.Clarification.BestGuess)
		left.Choices = append(left.Choices, r.answer.Clarification.Options...)
	case OutcomeRefuse:
		left.Foreign = interpret.Foreign(r.answer.Refusal.Code) && !r.answer.Refusal.tied
	}
	raw, err := json.Marshal(left)
	if err != nil {
		return nil // nothing in it has no JSON form
	}
	return raw
}

// members lists whom the frame shows: by the key, else by the first column of the members' own; nil when it has neither,
// or shows too many.
func (r *run) members() *shownMembers {
	f := r.answer.Frame
	if f == nil || r.plan == nil || f.Truncated != nil || len(f.Rows) > interpret.MostMembers {
		return nil
	}
	if r.plan.Query.At == nil {
		return r.splits()
	}
	if len(r.plan.Query.At.Dims) != 1 {
		return nil
	}
	e := r.knowledge.Model.Entity(r.plan.Query.At.Dims[0].Name)
	if e == nil {
		return nil
	}
	var found *shownMembers
	for i, c := range f.Columns {
		name, own := strings.CutPrefix(c.Dimension, e.Name+".")
		key := len(e.Key) == 1 && e.Key[0] == name
		if !own || found != nil && !key {
			continue
		}
		if m := (shownMembers{Entity: e.Name, Dimension: name}); m.fill(f, i) {
			found = &m
		}
	}
	return found
}

// splits lists the values that the frame is split by; nil when it is split by several things, or by time.
func (r *run) splits() *shownMembers {
	column := -1
	for i, c := range r.answer.Frame.Columns {
		if c.Role != "dimension" {
			continue
		}
		if column >= 0 || c.Grain != "" {
			return nil
		}
		column = i
	}
	if column < 0 {
		return nil
	}
	entity, name, ok := strings.Cut(r.answer.Frame.Columns[column].Dimension, ".")
	m := shownMembers{Entity: entity, Dimension: name, Split: true}
	if !ok || !m.fill(r.answer.Frame, column) {
		return nil
	}
	return &m
}

// number gives the number that the frame consists of; empty when there is more to it.
func (r *run) number() string {
	f := r.answer.Frame
	if f == nil || len(f.Rows) != 1 || len(f.Columns) != 1 {
		return ""
	}
	switch f.Columns[0].Type {
	case "integer", "decimal", "float":
	default:
		return ""
	}
	number := ""
	switch v := f.Rows[0][0].(type) {
	case nil:
	case float64:
		number = strconv.FormatFloat(v, 'f', -1, 64)
	default:
		number = fmt.Sprint(v)
	}
	if strings.HasPrefix(number, "-") {
		return "" // a sentence has no words for it
	}
	return number
}

// shown gives members as the reader wants them, when no two of their entity are called alike.
func (r *run) shown(m *shownMembers) *interpret.Members {
	if m == nil {
		return nil
	}
	e := r.knowledge.Model.Entity(m.Entity)
	if e == nil || !m.Split && !r.tellsApart(e.Name, e.Key, m.Dimension) {
		return nil
	}
	out := &interpret.Members{Dimension: qualified(m.Entity, m.Dimension)}
	kind := frameql.String
	if m.Numbers {
		kind = frameql.Number
	}
	for _, v := range m.Values {
		out.Values = append(out.Values, frameql.Value{Kind: kind, Text: v})
	}
	return out
}

// tellsApart says whether no two members of an entity agree in a dimension.
func (r *run) tellsApart(entity string, key []string, name string) bool {
	if len(key) == 1 && key[0] == name {
		return true
	}
	if r.knowledge.Unique != nil {
		if unique, known := r.knowledge.Unique(entity, []string{name}); known {
			return unique
		}
	}
	if r.knowledge.Values == nil || r.knowledge.Rows == nil {
		return false
	}
	values, complete := r.knowledge.Values(qualified(entity, name)) // as many values as rows
	return complete && len(values) > 0 && int64(len(values)) == r.knowledge.Rows(entity)
}

// fill takes the values of a column; false when one of them has no literal.
func (m *shownMembers) fill(f *frameql.Frame, column int) bool {
	switch f.Columns[column].Type {
	case "text":
	case "integer":
		m.Numbers = true
	default:
		return false
	}
	for _, row := range f.Rows {
		if row[column] == nil {
			return false
		}
		m.Values = append(m.Values, fmt.Sprint(row[column]))
	}
	return true
}

// derived says how the answer goes on from the conversation, for the window and for scripts.
func (u *Understood) derived(f *interpret.Follow) {
	if f == nil {
		return
	}
	u.Carried, u.Dropped = listOf(f.Carried), listOf(f.Dropped)
	u.Derived = &Derived{Kinds: f.Kinds, From: f.From}
	u.Settled = listOf(f.Settled)
}
