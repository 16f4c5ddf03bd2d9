// Package sniff decides from samples of text what a file says: the dialect of delimited text, where its header stands,
// its encoding, and the type that the values of a column have.
//
// It is pure and knows no engine. A Shape is a promise with a test: Pattern is an RE2 expression that every value of the
// column matches, in Go here and in the engine during the load. A value that breaks the promise is handed back by the
// loader, and Infer is asked again with that value among the sample; so a type is never believed on a sample alone.
package sniff

// Type is a type that a column can have; the words are those of frameql.Column.
type Type string

// The types.
const (
	Text      Type = "text"
	Integer   Type = "integer"
	Decimal   Type = "decimal"
	Float     Type = "float"
	Boolean   Type = "boolean"
	Date      Type = "date"
	Timestamp Type = "timestamp"
	Time      Type = "time"
)

// MaxScale is the largest number of decimal places that is taken for an exact amount; beyond it a column is a
// measurement and becomes Float.
const MaxScale = 6

// FewDigits is how many digits every integer of 32 bits may have. As long as a column has no more, it is one of these.
const FewDigits = 9

// Value is a distinct text with the number of times it occurs.
type Value struct {
	Text  string
	Count int64
}

// Shape says how the text of a column is read.
type Shape struct {
	Type    Type
	Scale   int       // of Decimal: places behind the mark, 0 to MaxScale
	Digits  int       // of Decimal: all digits, 18 or 38; of Integer FewDigits, or 0 for as many as 64 bits hold
	Number  Number    // of Integer, Decimal, Float
	Layout  Layout    // of Date, Timestamp
	Words   [2]string // of Boolean: the word for true and for false, lower case
	Trim    bool      // blanks around the values do not belong to them
	Missing []string  // tokens of this column that mean "no value", the empty text included when it occurs
	Guessed bool      // Date, Timestamp: day and month could be the other way round as far as the values tell
	Unclear bool      // Text: every value is a number, but the thousands and decimal marks could be swapped
	Rejects bool      // some values do not fit and are few enough to be made missing
}

// Accepts says which types may be inferred.
type Accepts int

// The choices.
const (
	Anything Accepts = iota // the source has no types: delimited text, cells, JSON
	Calendar                // the source says text: only dates, timestamps, times and words for true and false
	Numbers                 // the source says number
)

// Options of Infer.
type Options struct {
	Accept Accepts
	Reject bool  // a small share of values may be made missing rather than widening the column
	Total  int64 // values in the whole column; 0: those of the sample
	Comma  bool  // the text is cut at commas and has no decimal comma anywhere: where thousands and decimals could be swapped, 1,234 has thousands
}

// base are the tokens that mean "no value" in every column of untyped text, also in a text column.
var base = []string{"", "NULL", "null", "N/A", "n/a", `\N`, "#N/A"}

// extra are tokens that mean "no value" where the other values are not text. In a text column they stay: NA is a country.
var extra = []string{"NA", "na", "Na", "None", "none", "nil", "Null", "NaN", "nan", "-", "--", "–", "—", "−", "?", ".", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!", "#NAME?", "#NULL!"}

// zeroDates are what databases print for a date that is not there.
var zeroDates = []string{"0000-00-00", "0000-00-00 00:00:00"}

// Base gives the tokens that mean "no value" in every column of untyped text.
func Base() []string { return append([]string(nil), base...) }

func oneOf(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Infer gives the narrowest shape that all values fit; Text when there is none. With Options.Reject a shape that almost
// all values fit (see Tolerated) is given too, with Rejects set.
func Infer(values []Value, opt Options) Shape {
	present, missing, trim := prepare(values)
	if len(present) == 0 {
		return Shape{Type: Text}
	}
	for _, tolerant := range []bool{false, true} {
		budget := int64(0)
		if tolerant {
			if budget = tolerated(present, opt); budget == 0 {
				break
			}
		}
		for _, try := range tries(opt.Accept) {
			s, ok := try(present, budget)
			if !ok {
				continue
			}
			if s.Unclear && opt.Comma && len(present) >= clearlyThousands {
				s = numeric(present, s.Number)
			}
			s.Missing, s.Trim, s.Rejects = missing, trim, tolerant
			if s.Type == Text { // numbers that no numeric type can hold, or whose marks are unclear
				return Shape{Type: Text, Unclear: s.Unclear}
			}
			return s
		}
	}
	return Shape{Type: Text}
}

// clearlyThousands is how many different values must have their comma before exactly three digits to be believed.
const clearlyThousands = 3

type try func(values []Value, budget int64) (Shape, bool)

func tries(a Accepts) []try {
	switch a {
	case Calendar:
		return []try{boolean, calendar, clock}
	case Numbers:
		return []try{number}
	default:
		return []try{boolean, number, calendar, clock}
	}
}

// prepare takes the missing tokens out and says whether the rest has blanks around it.
func prepare(values []Value) (present []Value, missing []string, trim bool) {
	for _, v := range values {
		t := trimBlank(v.Text)
		if oneOf(base, t) || oneOf(extra, t) || oneOf(zeroDates, t) {
			if !oneOf(missing, t) {
				missing = append(missing, t)
			}
			trim = trim || t != v.Text
			continue
		}
		trim = trim || t != v.Text
		present = append(present, Value{Text: t, Count: v.Count})
	}
	return present, missing, trim
}

func tolerated(values []Value, opt Options) int64 {
	if !opt.Reject {
		return 0
	}
	total := opt.Total
	if total == 0 {
		for _, v := range values {
			total += v.Count
		}
	}
	return Tolerated(total)
}

// Tolerated gives how many of the values of a column may not fit its type: a handful, one in twenty.
func Tolerated(total int64) int64 {
	if total < leastTolerant {
		return 0
	}
	return max(1, total/20)
}

// leastTolerant is how many values a column must have before one of them may not fit.
const leastTolerant = 10

// fits walks the values until more than budget of them break the promise.
func fits(values []Value, budget int64, ok func(string) bool) bool {
	matched := false
	for _, v := range values {
		if ok(v.Text) {
			matched = true
			continue
		}
		if budget -= v.Count; budget < 0 {
			return false
		}
	}
	return matched
}

// word says whether a text holds letters and no digit.
func word(s string) bool {
	letters := false
	for _, r := range s {
		if r >= '0' && r <= '9' {
			return false
		}
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 {
			letters = true
		}
	}
	return letters
}

func trimBlank(s string) string {
	for s != "" && s[0] == ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}
