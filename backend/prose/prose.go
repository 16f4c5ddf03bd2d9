// Package prose is the number lock: what a language model writes about a frame reaches a person only where the program can print every number of
// it and check every claim.
//
// A model writes plain English with references in braces, and no numbers. Lock reads it in this order:
//
//	scan     characters, references, names of the frame, words of three lists: free, claiming, refused; any other word is refused
//	bind     each value to the members that stand around it, which must be those of its row
//	claims   directions, comparisons, extremes, totals: each is worked out from the cells
//	print    the references, by the program, with a citation for each
//
// A text that fails anywhere is refused as a whole, with the reasons. Nothing is mended: the narration by template, which is right, stands in its place.
//
// References (rows are counted from 0 as in the frame; total is the row of the grand total):
//
//	{r3.revenue}                          a cell, with its unit; a member or a date when the column is a dimension
//	{count}                               the number of rows
//	{sum(c)} {mean(c)} {max(c)} {min(c)}  over the members' rows of column c; sum and mean where it is additive
//	{share(r1.c)} {rank(r1.c)}            of the sum of the column; the place among its rows, the highest is number 1
//	{diff(a,b)} {pct(a,b)} {ratio(a,b)}   a - b, (a - b) / b, a / b for two cells of one unit
//
// Arithmetic is exact; only what is printed is rounded, as any other number of an answer is.
package prose

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
)

// Bounds of a text.
const (
	mostRunes      = 900 // more than 150 tokens of a narration ever are
	mostReferences = 30
	mostSentences  = 6
)

// Scene is what a text may speak of.
type Scene struct {
	Frame   *frameql.Frame
	Plan    *frameql.Plan                                // of the frame: whether it shows all members; nil: it does
	Refuses []string                                     // words that a memo refuses
	Member  func(cell any, column frameql.Column) string // how a member is printed; nil: frameview.Member
}

// Locked is a text of which every number is the program's.
type Locked struct {
	Text      string
	Citations []session.Citation // in the order of the text, without overlaps
}

// Kind says why something in a text is refused.
type Kind string

// The kinds of violation.
const (
	Length      Kind = "length"      // too long, empty, or too many references
	Character   Kind = "character"   // what no sentence needs: controls, letters of other scripts outside of names, symbols
	Digit       Kind = "digit"       // of any script, and whatever is read as one
	NumberWord  Kind = "number_word" // one, dozen, half, twice, hundert
	Ordinal     Kind = "ordinal"     // third, last
	Date        Kind = "date"        // March, monthly
	Unit        Kind = "unit"        // percent, dollars, and what would change a unit
	Markup      Kind = "markup"      // Markdown, HTML, code
	Address     Kind = "address"     // of a page or of a person
	Reference   Kind = "reference"   // it leads nowhere, or its arithmetic has no meaning
	Word        Kind = "word"        // in none of the lists
	Causal      Kind = "causal"
	Future      Kind = "future"
	Universal   Kind = "universal"
	Negation    Kind = "negation"
	Vague       Kind = "vague" // about, sharply, best: what no cell says
	Memo        Kind = "memo"  // a memo refuses it
	Member      Kind = "member"
	Column      Kind = "column"
	Structure   Kind = "structure" // numbers stand so that they could be read together, or as something else
	Direction   Kind = "direction"
	Comparative Kind = "comparison"
	Superlative Kind = "superlative"
	Trend       Kind = "trend"
	Total       Kind = "total" // sum, average, share, rank: the word without the reference, or the other way around
)

// Violation is one thing that keeps a text from being shown.
type Violation struct {
	Kind  Kind
	At    int    // byte of the text
	Words string // of the text, shortened
}

// String is the violation as a model gets to read it.
func (v Violation) String() string { return string(v.Kind) + ": " + v.Words }

// Lock gives a text with its references printed, or why it must not be shown, in the order of the text. Exactly one of the two is empty.
func Lock(text string, s Scene) (Locked, []Violation) {
	l := newLock(text, s)
	l.scan()
	if len(l.violations) == 0 {
		for _, sentence := range l.sentences() {
			l.bind(sentence)
			l.claims(sentence)
		}
	}
	if len(l.violations) == 0 {
		if out, ok := l.print(); ok {
			return out, nil
		}
	}
	slices.SortStableFunc(l.violations, func(a, b Violation) int { return cmp.Compare(a.At, b.At) })
	return Locked{}, l.violations
}

// Sentences gives of a text that is still being written what ends with its last whole sentence; empty: none has ended yet. It may cut behind a full stop that
// ends none, as that of a name: what comes of it holds or not by itself.
func Sentences(text string) string {
	end, inside := 0, false
	for i, c := range text {
		switch c {
		case '{':
			inside = true
		case '}':
			inside = false
		case '.', '!', '?':
			if rest := text[i+1:]; !inside && rest != "" && strings.TrimLeft(rest, " \n\t") != rest {
				end = i + 1
			}
		}
	}
	return text[:end]
}

// lock is one text on its way.
type lock struct {
	text       string
	frame      facts
	memo       [][]string // refused phrases, in the singular
	names      []name     // the longest first
	tokens     []token
	violations []Violation
}

func newLock(text string, s Scene) *lock {
	if s.Member == nil {
		s.Member = frameview.Member
	}
	l := &lock{text: strings.Join(strings.Fields(text), " "), frame: factsOf(s)}
	for _, words := range s.Refuses {
		if phrase := singulars(words); len(phrase) > 0 {
			l.memo = append(l.memo, phrase)
		}
	}
	l.names = namesOf(&l.frame)
	return l
}

// mostViolations is how many are worth listing.
const mostViolations = 40

func (l *lock) violate(kind Kind, start, end int) {
	if len(l.violations) >= mostViolations {
		return
	}
	words := l.text[start:max(start, min(end, len(l.text)))]
	if len(words) > 60 {
		cut := 60
		for !utf8.RuneStart(words[cut]) {
			cut--
		}
		words = words[:cut]
	}
	l.violations = append(l.violations, Violation{Kind: kind, At: start, Words: strings.ToValidUTF8(words, "?")})
}

// blame refuses the text for a token.
func (l *lock) blame(kind Kind, t *token) { l.violate(kind, t.start, t.end) }
