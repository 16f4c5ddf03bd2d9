package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// Replay says what came of asking the turns of a session again, in their order.
type Replay struct {
	SessionID string     `json:"session_id"`
	Title     string     `json:"title"`
	At        time.Time  `json:"at"`
	Clock     string     `json:"clock" enum:"recorded,now" doc:"From when relative dates were counted: as they were then, or anew"`
	Turns     []Replayed `json:"turns" nullable:"false"`
	Same      int        `json:"same"`
	Differ    int        `json:"differ"`
	Failed    int        `json:"failed" doc:"Could not be asked again"`
}

// How a turn that was asked again stands.
const (
	StandsSame   = "same"   // the outcome, every cell, the narration and the chart
	StandsDiffer = "differ" // see Step
	StandsFailed = "failed" // it could not be asked again
)

// Replayed is a turn that was asked again.
type Replayed struct {
	Turn       int            `json:"turn"`
	RequestID  string         `json:"request_id"`
	Question   string         `json:"question"`
	Stands     string         `json:"stands" enum:"same,differ,failed"`
	Step       string         `json:"step" doc:"The first step that gave something else; empty: none did"`
	Words      string         `json:"words" doc:"How it differs, or why it failed: a sentence; empty: it does not"`
	Since      []string       `json:"since" nullable:"false" doc:"What is not as it was then: sentences"`
	Steps      []ReplayedStep `json:"steps" nullable:"false"`
	Change     *FrameChange   `json:"change" doc:"Of the frame; null: one of the two has none, or its rows are not there to compare"`
	Comparison *Comparison    `json:"comparison" doc:"The two frames side by side, where they differ and have a number in common"`
}

// ReplayedStep is a step that was done again.
type ReplayedStep struct {
	Name   string    `json:"name"`
	Stands string    `json:"stands" enum:"same,differ,caused,missing,added,unknown" doc:"differ: other output of the same input; caused: of another input; missing: it was not done again; added: it was not done then; unknown: no hash was kept"`
	Beside bool      `json:"beside" doc:"What it gives stands beside the answer, and was given up when it took too long: it does not count"`
	Input  [2]string `json:"input" doc:"Hashes: then, now"`
	Output [2]string `json:"output" doc:"Hashes: then, now"`
}

// beside are the steps whose output stands beside the answer. They are given a bounded time, so that what they give may depend on the machine.
var beside = []string{"probe", "card", "followups", "check"}

// untold are the steps that say nothing of the answer: they write down what is done.
var untold = []string{"intake", "audit", "close"}

// CompareTurns compares a recorded turn with what came of asking it again.
func CompareTurns(then, now Turn) Replayed {
	r := Replayed{
		Turn: then.Index, RequestID: then.RequestID, Question: then.Question, Stands: StandsSame,
		Since: since(then.MadeBy, now.MadeBy), Steps: compareSteps(then.Trace, now.Trace),
	}
	before, after := toldBy(then), toldBy(now)
	for _, table := range slices.Sorted(epochsThatDiffer(before.Frame, after.Frame)) {
		r.Since = append(r.Since, text.Say("session.since_table", "table", table))
	}
	r.compareFrames(then, before.Frame, after.Frame)
	r.settle(before.Frame, after.Frame)
	byTheSame := sameWriter(then.MadeBy, now.MadeBy)
	if !byTheSame && !sameWords(before.Narration, after.Narration, true) && sameWords(before.Narration, after.Narration, false) {
		r.Since = append(r.Since, text.Say("session.since_words"))
	}
	r.Words = r.difference(before, after, byTheSame)
	if r.Words == "" {
		return r
	}
	r.Stands = StandsDiffer
	first := slices.IndexFunc(r.Steps, func(s ReplayedStep) bool { return !s.Beside && s.Stands != StandsSame && s.Stands != "unknown" })
	switch {
	case first >= 0:
		r.Step = r.Steps[first].Name
	default:
		r.Step = before.stepThatDiffers(after, r.Change, byTheSame)
	}
	return r
}

// told is what a turn says to a person.
type told struct {
	Outcome       string
	SQL           string         `json:"sql"`
	Frame         *frameql.Frame `json:"frame"`
	Narration     *Narration     `json:"narration"`
	Chart         *Chart         `json:"chart"`
	Refusal       *struct{ Code, Message string }
	Clarification *struct{ Question string }
	Understood    *struct {
		FrameQL string `json:"frame_ql"`
	}
	Risk *struct {
		Reasons []string `json:"reasons"`
	}
}

func toldBy(t Turn) told {
	var is told
	d := json.NewDecoder(bytes.NewReader(t.Answer))
	d.UseNumber() // digits count
	if d.Decode(&is) != nil {
		is = told{}
	}
	is.Outcome = t.Outcome
	return is
}

// since says which versions are others.
func since(then, now *MadeBy) []string {
	all := []string{}
	if then == nil || now == nil {
		return all
	}
	for _, v := range []struct{ key, then, now string }{
		{"session.since_program", then.Program, now.Program},
		{"session.since_mind", then.Mind, now.Mind},
		{"session.since_prompts", then.Prompts, now.Prompts},
		{"session.since_model", then.Model, now.Model},
		{"session.since_rules", then.Rules, now.Rules},
	} {
		if v.then != v.now {
			all = append(all, text.Say(v.key, "then", v.then, "now", v.now))
		}
	}
	if !then.Clock.Equal(now.Clock) {
		all = append(all, text.Say("session.since_clock", "then", then.Clock.Format(time.DateOnly), "now", now.Clock.Format(time.DateOnly)))
	}
	return all
}

func epochsThatDiffer(then, now *frameql.Frame) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if then == nil || now == nil {
			return
		}
		for table, epoch := range then.SourceEpochs {
			if now.SourceEpochs[table] != epoch && !yield(table) {
				return
			}
		}
	}
}

// compareSteps puts the steps of two traces side by side, in the order of the first: the second of a name with the second of that name.
func compareSteps(then, now []Step) []ReplayedStep {
	all := []ReplayedStep{}
	seen := map[string]int{}
	used := map[int]bool{}
	for _, s := range then {
		if slices.Contains(untold, s.Name) {
			continue
		}
		seen[s.Name]++
		again, at := nth(now, s.Name, seen[s.Name])
		used[at] = true
		all = append(all, compareStep(s, again))
	}
	for i, s := range now {
		if !used[i] && !slices.Contains(untold, s.Name) {
			all = append(all, ReplayedStep{Name: s.Name, Stands: "added", Beside: slices.Contains(beside, s.Name), Input: [2]string{"", s.Input}, Output: [2]string{"", s.Output}})
		}
	}
	return all
}

// nth gives the n-th step of a name, counted from 1; nil: there is none.
func nth(steps []Step, name string, n int) (*Step, int) {
	for i := range steps {
		if steps[i].Name == name {
			if n--; n == 0 {
				return &steps[i], i
			}
		}
	}
	return nil, -1
}

func compareStep(then Step, now *Step) ReplayedStep {
	s := ReplayedStep{Name: then.Name, Beside: slices.Contains(beside, then.Name), Stands: "missing", Input: [2]string{then.Input, ""}, Output: [2]string{then.Output, ""}}
	if now == nil {
		return s
	}
	s.Input[1], s.Output[1] = now.Input, now.Output
	switch {
	case then.Output == "" || now.Output == "":
		s.Stands = "unknown"
	case then.Output == now.Output:
		s.Stands = StandsSame
	case then.Input != now.Input:
		s.Stands = "caused"
	default:
		s.Stands = StandsDiffer
	}
	return s
}

// compareFrames compares what the two turns show, cell by cell.
func (r *Replayed) compareFrames(then Turn, before, after *frameql.Frame) {
	if before == nil || after == nil || rowsLeftOut(before) {
		return
	}
	change := ChangeOf(before, after)
	r.Change = &change
	if !change.Same {
		r.Comparison = SideBySide(
			ComparedFrame{Label: text.Say("session.as_then", "date", then.Asked.Format(time.DateOnly)), RequestID: then.RequestID, Frame: *before},
			ComparedFrame{Label: text.Say("session.as_now"), Frame: *after},
		)
	}
}

// settle lets the comparison of two frames stand before the hashes of them: those of the same frames differ where one has 1.50 and the other 1.5, 0 and -0, or a
// double on each side of a rounding. The step that gave the frame gave the same then, and what came of it came of the same.
func (r *Replayed) settle(before, after *frameql.Frame) {
	ran := slices.IndexFunc(r.Steps, ReplayedStep.ran)
	if ran < 0 || r.Change == nil || !r.Change.Same || !alike(before, after) || slices.ContainsFunc(r.Steps[ran+1:], ReplayedStep.ran) {
		return
	}
	shown := r.Steps[ran].Output
	for i := range r.Steps {
		switch s := &r.Steps[i]; {
		case i == ran && (s.Stands == StandsDiffer || s.Stands == "caused"):
			s.Stands = StandsSame
		case s.Stands == "caused" && s.Input == shown:
			s.Stands = StandsDiffer
		}
	}
}

func (s ReplayedStep) ran() bool { return s.Name == "execute" }

// alike says whether two frames agree in what their hashes hold beside their cells.
func alike(a, b *frameql.Frame) bool {
	sameType := func(x, y frameql.Column) bool { return x.Type == y.Type }
	cut, alsoCut := a.Truncated, b.Truncated
	return slices.EqualFunc(a.Columns, b.Columns, sameType) && (cut == nil) == (alsoCut == nil) && (cut == nil || *cut == *alsoCut)
}

// rowsLeftOut says whether the rows of a frame did not come along with its session.
func rowsLeftOut(f *frameql.Frame) bool {
	return len(f.Rows) == 0 && f.Truncated != nil && f.Truncated.Cap == 0
}

// difference says how two turns differ for a person; empty: they do not. byTheSame is what sameWriter says of them.
func (r *Replayed) difference(then, now told, byTheSame bool) string {
	switch {
	case then.Outcome != now.Outcome:
		return text.Say("session.differs_outcome", "then", text.Say("session.outcome_"+then.Outcome), "now", text.Say("session.outcome_"+now.Outcome), "why", now.why())
	case then.query() != now.query():
		return text.Say("session.differs_query", "then", then.query(), "now", now.query())
	case then.Refusal != nil && now.Refusal != nil && *then.Refusal != *now.Refusal:
		return text.Say("session.differs_refusal", "then", then.Refusal.Message, "now", now.Refusal.Message)
	case then.Clarification != nil && now.Clarification != nil && *then.Clarification != *now.Clarification:
		return text.Say("session.differs_clarification", "then", then.Clarification.Question, "now", now.Clarification.Question)
	case r.Change != nil && !r.Change.Same:
		return r.Change.Words()
	case r.Change == nil && r.output("execute"): // the rows are not there, their hash is
		if then.Frame != nil && slices.ContainsFunc(then.Frame.Columns, func(c frameql.Column) bool { return c.Type == "float" }) {
			return text.Say("session.differs_hash_doubles")
		}
		return text.Say("session.differs_hash")
	case !sameWords(then.Narration, now.Narration, byTheSame):
		return text.Say("session.differs_narration", "then", then.Narration.words(), "now", now.Narration.words())
	case !sameChart(then.Chart, now.Chart):
		return text.Say("session.differs_chart", "then", then.Chart.name(), "now", now.Chart.name())
	}
	return ""
}

// output says whether a step gave something else.
func (r *Replayed) output(name string) bool {
	return slices.ContainsFunc(r.Steps, func(s ReplayedStep) bool { return s.Name == name && (s.Stands == StandsDiffer || s.Stands == "caused") })
}

// same says whether a step is known to have given the same.
func (r *Replayed) same(name string) bool {
	return slices.ContainsFunc(r.Steps, func(s ReplayedStep) bool { return s.Name == name && s.Stands == StandsSame })
}

// stepThatDiffers names the step by what it gave, where no hashes were kept.
func (t told) stepThatDiffers(now told, change *FrameChange, byTheSame bool) string {
	switch {
	case t.Outcome != now.Outcome && now.Refusal == nil && now.Clarification == nil:
		return "plan"
	case t.Outcome != now.Outcome, t.query() != now.query(), t.Refusal != nil, t.Clarification != nil:
		return "interpret"
	case change != nil && !change.Same:
		return "execute"
	case !sameWords(t.Narration, now.Narration, byTheSame):
		return "narrate"
	}
	return "chart"
}

func (t told) query() string {
	if t.Understood == nil {
		return ""
	}
	return t.Understood.FrameQL
}

// why is what a turn says for not answering.
func (t told) why() string {
	switch {
	case t.Refusal != nil:
		return t.Refusal.Message
	case t.Clarification != nil:
		return t.Clarification.Question
	case t.Risk != nil && t.Outcome != "answer":
		return strings.Join(t.Risk.Reasons, " ")
	}
	return ""
}

// sameWriter says whether the same program wrote two turns, with the same prompts: what a model replied is played again, so that its words are the same too.
func sameWriter(then, now *MadeBy) bool {
	return then != nil && now != nil && then.Program == now.Program && then.Mind == now.Mind && then.Prompts == now.Prompts
}

// sameWords says whether two narrations say the same. Where they were not written by the same, those of a model are not compared word by word: each was checked
// against its frame, and the frames are compared.
func sameWords(then, now *Narration, byTheSame bool) bool {
	if then == nil || now == nil {
		return then == now
	}
	return then.Text == now.Text || !byTheSame && (then.By == "model" || now.By == "model")
}

func (n *Narration) words() string {
	if n == nil {
		return ""
	}
	return n.Text
}

func (c *Chart) name() string {
	if c == nil {
		return text.Say("session.no_chart")
	}
	return c.Type
}

// sameChart compares two charts by what they draw. The frame that they draw is named for its data, and compared by itself.
func sameChart(a, b *Chart) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type && a.X == b.X && slices.Equal(a.Y, b.Y) && a.Color == b.Color && (isNull(a.VegaLite) || isNull(b.VegaLite) || sameJSON(a.VegaLite, b.VegaLite))
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && Hash(x) == Hash(y)
}

// Words say how far a frame moved; empty: it did not.
func (c FrameChange) Words() string {
	var all []string
	say := func(n int, key string) {
		if n > 0 {
			all = append(all, text.Count(key, int64(n), "n", n))
		}
	}
	switch {
	case c.Same:
		return ""
	case c.Columns:
		return text.Say("session.change_columns")
	}
	say(c.Added, "session.change_added")
	say(c.Removed, "session.change_removed")
	say(c.Cells, "session.change_cells")
	if c.Order {
		all = append(all, text.Say("session.change_order"))
	}
	words := text.Say("session.change", "parts", strings.Join(all, ", "))
	if l := c.Largest; l != nil {
		words += " " + l.words()
	}
	return words
}

func (l CellChange) words() string {
	where := l.Column
	if l.Row != "" {
		where = l.Row + ", " + l.Column
	}
	from, to := figure(l.Before), figure(l.Now)
	if l.Relative == nil {
		return text.Say("session.change_largest", "where", where, "from", from, "to", to)
	}
	return text.Say("session.change_largest_by", "where", where, "from", from, "to", to, "percent", Percent(*l.Relative))
}

// figure is a cell with all its digits, those of a number in groups: what changed in the last one is to be seen.
func figure(cell any) string {
	s, _ := cellText(cell, false)
	n, ok := frameview.Number(cell)
	if !ok || strings.ContainsAny(s, "eE") {
		return s
	}
	_, fraction, _ := strings.Cut(s, ".")
	return frameview.Fixed(n, len(fraction))
}

// Percent writes a fraction as a signed percentage with two significant digits or whole percents: +3.2 %, -120 %, +0.0012 %.
func Percent(x float64) string {
	p := x * 100
	if abs(p) >= 10 {
		return fmt.Sprintf("%+.0f %%", p)
	}
	return fmt.Sprintf("%+.2g %%", p)
}
