package prose

// what a token is.
type what int

const (
	word   what = iota // of the lists
	stop               // . ; ends a sentence
	pause              // , : and dashes
	open               // (
	shut               // )
	value              // a number that the program prints
	member             // a member of a dimension, by reference or by its name
	label              // the name of columns
)

// token is one piece of a text.
type token struct {
	what       what
	text       string // of a word: in lower case
	class      string // of a word: its section
	claims     bool   // of a word: it is one that claims
	start, end int    // in the source

	formula Formula // of a value
	columns []int   // of a member: its dimension; of a label: the columns that are called so
	rows    []int   // of a member: where it stands
	literal bool    // of a member: it was written out
	cited   int     // of a member: the row that it is cited to

	used   bool     // of a member: something is said of it
	behind []*token // of a value: the members that stand right behind it
	right  bool     // of a member: it stands behind its value, as in "12 in March"
	span   int      // of a member: 1 and 2 are the ends of "from March to May"
	size   bool     // of a value: a direction or a comparison says its sign, which is not printed
	placed bool     // of a value: it is known which members it belongs to
}

func (t *token) is(texts ...string) bool {
	if t == nil || t.what != word {
		return false
	}
	for _, s := range texts {
		if t.text == s {
			return true
		}
	}
	return false
}

func (t *token) of(classes ...string) bool {
	if t == nil || t.what != word {
		return false
	}
	for _, s := range classes {
		if t.class == s {
			return true
		}
	}
	return false
}

// sentences are the runs of tokens between stops.
func (l *lock) sentences() [][]*token {
	var all [][]*token
	var one []*token
	for i := range l.tokens {
		t := &l.tokens[i]
		if t.what != stop {
			one = append(one, t)
			continue
		}
		if len(one) > 0 {
			all = append(all, one)
		}
		one = nil
	}
	if len(one) > 0 {
		all = append(all, one)
	}
	if len(all) > mostSentences {
		l.violate(Length, all[mostSentences][0].start, all[mostSentences][0].end)
	}
	return all
}

// filter are the tokens of some kinds, in their order.
func filter(tokens []*token, keep func(*token) bool) []*token {
	var out []*token
	for _, t := range tokens {
		if keep(t) {
			out = append(out, t)
		}
	}
	return out
}

func classed(tokens []*token, classes ...string) []*token {
	return filter(tokens, func(t *token) bool { return t.of(classes...) })
}

func kept(tokens []*token, kind what) []*token {
	return filter(tokens, func(t *token) bool { return t.what == kind })
}

// before is the token in front of one, brackets aside; nil: there is none.
func before(tokens []*token, t *token) *token {
	var last *token
	for _, other := range tokens {
		if other == t {
			return last
		}
		if other.what != open && other.what != shut {
			last = other
		}
	}
	return nil
}

// after is the token behind one; nil: there is none.
func after(tokens []*token, t *token) *token {
	for i, other := range tokens {
		if other == t && i+1 < len(tokens) {
			return tokens[i+1]
		}
	}
	return nil
}
