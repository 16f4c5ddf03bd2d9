package analyst

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/llm"
	"assay/backend/prose"
	"assay/backend/session"
)

const (
	followupsProposed = 4
	followupsTokens   = 300
	followupsRows     = 12
	followupsWait     = 20 * time.Second
	mostCatalogue     = 4000 // runes of what can be asked about
)

// followupsSchema is the reply that is asked for.
var followupsSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["questions"],"properties":{"questions":{"type":"array","maxItems":4,"items":{"type":"string","maxLength":160}}}}`)

// followupScene is what a model goes on from.
type followupScene struct {
	Plan      *frameql.Plan
	Frame     *frameql.Frame
	Question  string
	Catalogue string             // what can be asked about: names of measures and dimensions
	Offered   []session.Followup // by the program
	Mask      func(string) (string, int)
	Wait      time.Duration // 0: followupsWait
	// Read is the built-in reader: the canonical query that a question comes to, and a title for it. false: it is not read whole, or does not resolve.
	Read func(question string) (canonical, title string, ok bool)
}

// proposed is what came of asking a model for questions.
type proposed struct {
	Model   string
	Asked   int
	Dropped int // questions that do not hold
	Failed  string
	Usage   llm.Usage
}

// followupsBy lets a model propose what may be asked next. A question is taken only when the built-in reader makes a query of all of it that resolves and is
// not the one that was answered or offered, when its numbers stand in the question or in the answer, and when it is plain text. Titles are the program's.
// Whatever goes wrong is no error: there are no questions of the model then.
func followupsBy(ctx context.Context, m llm.Model, s followupScene) ([]session.Followup, proposed) {
	if m == nil || s.Read == nil {
		return []session.Followup{}, proposed{}
	}
	wait := s.Wait
	if wait <= 0 {
		wait = followupsWait
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	out := proposed{Model: m.Card().Model, Asked: 1}
	reply, err := sendWithin(ctx, m, s.request(), nil)
	out.Usage = reply.Usage
	if out.Failed = noText(reply, err); out.Failed != "" {
		return []session.Followup{}, out
	}
	var said struct {
		Questions []string `json:"questions"`
	}
	if json.Unmarshal([]byte(reply.Text), &said) != nil {
		out.Dropped = 1
		return []session.Followup{}, out
	}
	taken := []session.Followup{}
	known := []string{s.Plan.Query.String()}
	for _, f := range s.Offered {
		if canonical, _, ok := s.Read(f.Question); ok {
			known = append(known, canonical)
		}
	}
	for i, question := range said.Questions {
		if i >= followupsProposed {
			out.Dropped += len(said.Questions) - i
			break
		}
		canonical, title, ok := s.hold(question)
		if !ok || slices.Contains(known, canonical) {
			out.Dropped++
			continue
		}
		known = append(known, canonical)
		taken = append(taken, session.Followup{Title: title, Question: strings.TrimSpace(question)})
	}
	return taken, out
}

// hold says whether a question may be offered.
func (s followupScene) hold(question string) (canonical, title string, ok bool) {
	question = strings.TrimSpace(question)
	if question == "" || len(question) > longestNextWords || !prose.Harmless(question) || strings.ContainsAny(question, "\n*#{}|\\") || !s.numbersKnown(question) {
		return "", "", false
	}
	return s.Read(question)
}

// numbersKnown says whether every number of a question stands in the one before or in the answer to it.
func (s followupScene) numbersKnown(question string) bool {
	var known []string
	for _, n := range numerals(question) {
		if known == nil {
			known = numerals(s.Question)
			for _, row := range s.Frame.Rows[:min(len(s.Frame.Rows), followupsRows)] {
				for i, c := range s.Frame.Columns {
					if c.Role == frameql.RoleDimension {
						known = append(known, numerals(memberWords(row[i], c))...)
					}
				}
			}
		}
		if !slices.Contains(known, n) {
			return false
		}
	}
	return true
}

// numerals are the runs of digits of a text.
func numerals(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsNumber(c) })
}

func (s followupScene) request() llm.Request {
	sight := seen(s.Frame, s.Plan, followupsRows, s.Mask)
	question, masked := masking(s.Mask, s.Question)
	catalogue := shortened(s.Catalogue, mostCatalogue)
	offered := []string{}
	for _, f := range s.Offered {
		words, hidden := masking(s.Mask, f.Question)
		offered, masked = append(offered, words), masked+hidden
	}
	sight.Data["question"], sight.Data["catalogue"], sight.Data["offered"] = shortened(question, 500), catalogue, offered
	raw, err := json.Marshal(map[string]any{"data": sight.Data})
	if err != nil {
		raw = []byte(`{"data":{"rows":[]}}`)
	}
	return llm.Request{
		Task:     llm.Followups,
		System:   []llm.Block{{Name: "L1", Text: followupsPrompt, Stable: true}},
		Messages: []llm.Message{{Role: llm.User, Text: string(raw)}},
		Schema:   followupsSchema, SchemaName: "questions",
		MaxTokens: followupsTokens,
		Carries: []llm.Carried{
			{Kind: "question", Columns: []string{}, Bytes: len(question), Masked: masked},
			{Kind: "catalogue", Columns: []string{}, Bytes: len(catalogue)},
			{Kind: "rows", Rows: sight.Rows, Columns: sight.Columns, Bytes: len(raw), Masked: sight.Masked},
		},
	}
}
