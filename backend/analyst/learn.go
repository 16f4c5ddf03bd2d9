package analyst

import (
	"context"
	"slices"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

// learn keeps what a turn corrects of the one before: "no, net revenue" behind a question for sales says what sales means to the person, and "no, exclude beverages" which rows do not
// count. It is used in that person's questions from the next one on. A change of mind teaches nothing: who asked for freight by its name and wants revenue after all means no
// other freight, and neither does who taught the word before. What cannot be kept costs nothing of the answer.
func (r *run) learn(ctx context.Context) error {
	c, ok := r.lesson()
	if !ok {
		return r.learnOfChange(ctx)
	}
	_, err := r.step(ctx, "learn", func(s *session.Step) error {
		t, err := r.a.keep(ctx, r.actor, c)
		switch code := fault.CodeOf(err); {
		case code == fault.Canceled:
			return err
		case err != nil:
			s.Note = sentence(err).Error()
			return nil
		}
		r.answer.Learned = t
		s.Note = text.Say("analyst.learned", "term", t.Correction.Term)
		return nil
	})
	return err
}

// lesson is what the turn corrects of the one before; false: nothing.
func (r *run) lesson() (knowledge.Correction, bool) {
	c := knowledge.Correction{
		Author: r.actor.ID, Sort: knowledge.Factual, Detection: knowledge.ByCorrection, Quote: r.stored.Question, RequestID: r.stored.RequestID, SessionID: r.stored.SessionID,
	}
	if r.req.again != nil || r.actor.Kind != rules.Human || r.follow == nil || !slices.Contains(r.follow.Kinds, interpret.PatchCorrect) || r.consulted {
		return c, false
	}
	i := slices.IndexFunc(r.heard, func(t interpret.Turn) bool { return t.Turn == r.follow.From })
	if i < 0 {
		return c, false
	}
	word, target := onlyNumber(r.heard[i].Spans)
	if word == "" {
		return c, false
	}
	c.Term = word
	if said := knowledge.ReadWords(r.stored.Question, word); said.Sort == knowledge.Gotcha && said.Term == c.Term {
		c.Means, c.Sort = said.Means, said.Sort
		return c, true
	}
	if !slices.Contains(r.follow.Kinds, interpret.PatchMetric) {
		return c, false
	}
	spans := r.answer.Understood.Spans
	means, now := onlyNumber(spans)
	if means == "" || knowledge.Key(means) == knowledge.Key(word) || r.splitsBy(spans) {
		return c, false
	}
	c.Means = means
	return c, knowledge.Refines(means, word) || !r.namesNumber(word) && r.akin(target, now)
}

// splitsBy says whether the words of the turn ask for an order or a split by its number, and not for another number.
func (r *run) splitsBy(spans []interpret.Span) bool {
	return slices.ContainsFunc(spans, func(s interpret.Span) bool {
		return s.Slot == "metric" && knowledge.Splits(r.stored.Question, s.Start)
	})
}

// namesNumber says whether a word is what a number of the model is called: it means that, whatever else its person asks for.
func (r *run) namesNumber(word string) bool {
	return slices.ContainsFunc(r.knowledge.Model.Metrics, func(x semantic.Metric) bool {
		return !x.Hidden && (knowledge.Key(x.Label) == knowledge.Key(word) || knowledge.Key(x.Name) == knowledge.Key(word))
	})
}

// akin says whether two numbers of the model are of one family and one unit: an everyday word that was read as one may mean the other.
func (r *run) akin(one, other string) bool {
	x, y := r.knowledge.Model.Metric(one), r.knowledge.Model.Metric(other)
	return x != nil && y != nil && x.Family != "" && x.Family == y.Family && x.Unit == y.Unit
}

// onlyNumber gives the words of the one number that a question names, and what they were read as; empty when it names none, or several.
func onlyNumber(spans []interpret.Span) (word, target string) {
	for _, s := range spans {
		switch {
		case s.Slot != "metric":
		case word != "":
			return "", ""
		default:
			word, target = s.Text, s.Target
		}
	}
	return word, target
}
