package interpret

import (
	"maps"
	"math"
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// The methods by which a slot is filled.
const (
	MethodExact   = "exact"   // the words name it
	MethodFuzzy   = "fuzzy"   // the words nearly name it
	MethodSynonym = "synonym" // they mean the same in general English
	MethodBroader = "broader" // they are more general than the only thing here that they cover
	MethodNearby  = "nearby"  // they are more special, or more general than several things here
	MethodDefault = "default" // nothing names it; it is what is usually meant
	MethodModel   = "model"   // a language model named it, and it is one of the allowed values
	MethodInvalid = "invalid" // a language model named it, and nothing here is called so
)

// SlotConfidence is the confidence of one slot: the fixed number of the method by which it was filled, times the confidence
// weight that the model declares for what it was filled with. It decides whether the slot is confirmed or asked; the
// calibrated confidence of the whole query is another number.
func SlotConfidence(method string, weight float64) float64 {
	return math.Round(confidenceOf(method)*weight*1e4) / 1e4 // a product that is 0.85 but for the last bit is 0.85
}

// Tier is what a confidence of a slot leads to.
type Tier byte

// The tiers. A confidence on the boundary belongs to the better one.
const (
	TierSilent  Tier = iota // from 0.85: applied
	TierConfirm             // from 0.6: applied, and the answer says how it was read
	TierAsk                 // below: asked before anything runs
)

const (
	silentFrom  = 0.85
	confirmFrom = 0.6
)

// TierOf gives the tier of a confidence.
func TierOf(confidence float64) Tier {
	switch {
	case confidence >= silentFrom:
		return TierSilent
	case confidence >= confirmFrom:
		return TierConfirm
	default:
		return TierAsk
	}
}

// weightOf is the confidence weight of what a slot was filled with.
func (t target) weight() float64 {
	switch {
	case t.metric != nil:
		return t.metric.Weight()
	case t.dim != nil:
		return t.dim.Weight()
	default:
		return 1
	}
}

// meaning says in words what a slot was filled with.
func (ix *Index) meaning(t target, slot string) string {
	switch {
	case t.value != nil:
		return text.Say("interpret.meaning_value", "value", *t.value, "dimension", ix.dimensionLabel(t.entity, t.dim))
	case isEntity(t) && slot == "metric":
		return text.Say("interpret.meaning_count", "entity", ix.targetLabel(t))
	default:
		return ix.targetLabel(t)
	}
}

// confirmations word the slots of a reading that are applied and confirmed in the answer, in the order of the question.
func confirmations(spans []Span) []string {
	var out []string
	for _, s := range spans {
		if TierOf(s.Confidence) != TierConfirm {
			continue
		}
		if c := text.Say("interpret.confirm_slot", "words", s.Text, "meaning", s.means()); !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func (s Span) means() string {
	if s.meaning != "" {
		return s.meaning
	}
	return s.Target
}

// unsure gives the slot of a reading that must be asked before it runs: the one that is least sure, and that the person has
// not settled in this session.
func unsure(spans []Span, settled []Settled) (least Span, ok bool) {
	for _, s := range spans {
		known := slices.ContainsFunc(settled, func(o Settled) bool { return o.Words == fold(s.Text) && o.Target == s.Target })
		if TierOf(s.Confidence) == TierAsk && !known && (!ok || s.Confidence < least.Confidence) {
			least, ok = s, true
		}
	}
	return least, ok
}

// askSlot asks about one slot: the reading with the best guess first, then readings that put something else there.
func (ix *Index) askSlot(r Request, t thought, s Span) Result {
	best := t.resolved[0]
	others := slices.DeleteFunc(slices.Clone(t.resolved[1:]), func(c candidate) bool { return !c.differsIn(best, s.piece) })
	if len(others) == 0 {
		others = ix.otherMetrics(best, s, r.Env)
	}
	if len(others) > 0 {
		for i := range others {
			others[i].score = best.score // how good they are is what is asked
		}
		t.resolved = append([]candidate{best}, others...)
	}
	res := ix.clarify(r, t, text.Say("interpret.ask_slot", "words", s.Text, "meaning", s.means()))
	res.Clarify.GuessConfidence = math.Min(res.Clarify.GuessConfidence, s.Confidence)
	return res
}

// differsIn says whether two readings of one tiling put different things into a slot.
func (c candidate) differsIn(o candidate, piece int) bool {
	mine, ok := c.picks[piece]
	theirs, also := o.picks[piece]
	return ok && also && len(c.draft.pieces) == len(o.draft.pieces) && c.draft.pieces[piece].from == o.draft.pieces[piece].from && mine.name() != theirs.name()
}

// otherMetrics gives readings with another metric of the same rows in the place of one: those of its family first, then the
// most prominent ones.
func (ix *Index) otherMetrics(best candidate, s Span, env frameql.Env) []candidate {
	own := best.picks[s.piece].metric
	if own == nil {
		return nil
	}
	kin := slices.DeleteFunc(ix.prominence(), func(m *semantic.Metric) bool { return m == own || ix.base(m) != ix.base(own) })
	slices.SortStableFunc(kin, func(a, b *semantic.Metric) int {
		switch {
		case a.Family == b.Family || a.Family != own.Family && b.Family != own.Family:
			return 0
		case a.Family == own.Family:
			return -1
		default:
			return 1
		}
	})
	var out []candidate
	for _, m := range kin {
		t := target{metric: m}
		picks, l := maps.Clone(best.picks), best.lead
		picks[s.piece] = t
		if l.slot == s.piece {
			l.t, l.event = t, ix.event(m, l.rows)
		}
		c := best.draft.compose(l, picks, best.score)
		if c.broken {
			continue
		}
		plan := frameql.Try(c.query, env)
		if plan == nil {
			continue
		}
		c.plan, c.query = plan, plan.Query
		if c.text = c.query.String(); c.text != best.text {
			out = append(out, c)
		}
		if len(out) == mostAlternatives {
			break
		}
	}
	return out
}
