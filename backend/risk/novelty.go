package risk

import "assay/backend/text"

// Nearest is the golden query that is most like a question. Of 0 means that there are none, so that nothing is known.
type Nearest struct {
	Similarity float64 `json:"similarity"` // 0 to 1
	Question   string  `json:"question"`   // as it was confirmed
	Of         int     `json:"of"`         // how many golden queries were looked at
	Compared   string  `json:"compared"`   // a sentence: who said how alike they are; empty: the embedder that is built in, as was chosen
}

// HighNovelty is the novelty from which the epochs of the data and the version of the model are checked anew before anything
// is planned: what nobody confirmed before must at least rest on what is there now.
const HighNovelty = 0.7

// Novelty is 1 - the best similarity; nil while there are no golden queries.
func Novelty(n Nearest) (novelty *float64, reason string) {
	near := valid(&n.Similarity)
	if n.Of <= 0 || near == nil {
		return nil, text.Say("risk.novelty_unknown")
	}
	novelty = known(1 - *near)
	if *near == 0 {
		reason = text.Count("risk.novelty_none_like", int64(n.Of), "value", figure(*novelty), "n", n.Of)
	} else {
		reason = text.Count("risk.novelty", int64(n.Of), "value", figure(*novelty), "question", n.Question, "similarity", figure(*near), "n", n.Of)
	}
	if n.Compared != "" {
		reason += " " + n.Compared
	}
	return novelty, reason
}
