package analyst

import (
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// scope is what a mind is handed: the request as it was read so far.
type scope struct {
	query   *frameql.Query // the person wrote a query; nothing is left to think about
	result  interpret.Result
	hasty   bool     // "just do it": the best guess is good enough
	refused *Refused // decided before any mind was asked
	taught  bool     // it was no question: what it taught is kept, and what to use it for is asked back
}

// hash is what the interpretation of a question came to: what is to run, what is asked back, or why there is nothing of the two.
func (s scope) hash() string {
	var came struct {
		Query, Asked string
		Choices      []string
		Refused      string
	}
	switch n := (embedded{}).next(s); {
	case n.refuse != nil:
		came.Refused = n.refuse.Code + ": " + n.refuse.Message
	case n.clarify != nil:
		came.Asked = n.clarify.Question
		for _, c := range n.clarify.Options {
			came.Choices = append(came.Choices, c.Value)
		}
	case n.query != nil:
		came.Query = n.query.String()
	}
	return session.Hash(came)
}

// next is what a mind wants done: refuse, ask back, or run a query. Exactly one is set, but a question back keeps the best
// guess beside it.
type next struct {
	refuse  *Refused
	clarify *interpret.Clarification
	query   *frameql.Query
	reading *interpret.Reading // where the query came from; nil: a person wrote it
}

// embedded is the mind that needs no language model: it takes the reader's word. It has one thought per request; a mind
// that uses tools has several and is asked again with what they returned.
type embedded struct{}

func (embedded) next(s scope) next {
	reading := s.result.Reading
	switch {
	case s.refused != nil:
		return next{refuse: s.refused}
	case s.query != nil:
		return next{query: s.query}
	case s.result.Clarify != nil && (reading == nil || !s.hasty):
		return next{clarify: s.result.Clarify, reading: reading}
	case reading != nil:
		return next{query: reading.Query, reading: reading}
	case s.result.Refusal != nil:
		d := s.result.Refusal
		return next{refuse: &Refused{Code: d.Code, Message: d.Message, Repairs: listOf(d.Repairs), tied: d.Tied}}
	default:
		return next{refuse: nothingRead()}
	}
}
