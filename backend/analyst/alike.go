package analyst

import (
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
)

// Stated is a correction with what it means in a model, for comparing it with others.
type Stated struct {
	knowledge.Correction
	key     string             // of its term
	meaning *knowledge.Meaning // nil: the model has none
}

// State finds what a correction means in the model. Relative periods are counted from now.
func (k Knowledge) State(c knowledge.Correction, now time.Time) Stated {
	s := Stated{Correction: c, key: k.Index.KeyOf(c.Term)}
	if says, ok := k.Index.Compile(interpret.Correction{Term: c.Term, Means: c.Means}, nil, k.Env(now, 0)); ok && s.key != "" {
		m := meaningOf(s.key, says)
		s.meaning = &m
	}
	return s
}

// Relate says how two corrections stand to each other: by what they mean, where both mean something, and else by their words. Corrections of different terms say nothing of each other,
// and neither does a sentence that is no correction.
func (s Stated) Relate(to Stated) knowledge.Relation {
	switch {
	case s.key != to.key || s.key == "":
		return knowledge.Unrelated
	case s.meaning != nil && to.meaning != nil:
		return knowledge.Relate(*s.meaning, *to.meaning)
	}
	return knowledge.RelateWords(s.Correction, to.Correction)
}

// Likeness is how much two corrections of one term say the same, 0 to 1: all or nothing where both mean something in the model, else by their words; see knowledge.LikenessOfWords.
func (s Stated) Likeness(to Stated) float64 {
	switch r := s.Relate(to); {
	case r == knowledge.Same:
		return 1
	case r != knowledge.Rival || s.meaning != nil && to.meaning != nil:
		return 0
	}
	return knowledge.LikenessOfWords(s.Correction, to.Correction)
}

// meaningOf is what a compiled correction says, as it is compared: a number of some rows is a condition on that number.
func meaningOf(term string, c interpret.Compiled) knowledge.Meaning {
	m := knowledge.Meaning{Term: term, Period: c.Period}
	switch {
	case c.Names != nil: // one name for another
		m.Formula = &frameql.Expr{Metric: strings.Join(c.Names, " ")}
	case len(c.Keep) == 1:
		m.Keep = c.Keep[0]
	case len(c.Keep) > 1:
		m.Keep = &frameql.Pred{Or: c.Keep}
	case c.Formula != nil && c.Formula.Metric != "" && c.Formula.Filter != nil && c.Formula.At == nil:
		m.On, m.Keep = c.Formula.Metric, c.Formula.Filter
	default:
		m.Formula = c.Formula
	}
	return m
}
