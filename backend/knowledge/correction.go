package knowledge

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"assay/backend/fault"
	"assay/backend/text"
)

// Correction is what a person said that a term means. It is used in that person's questions, and in nobody else's.
type Correction struct {
	ID        string       `json:"id"`
	Author    string       `json:"-"`
	Term      string       `json:"term" doc:"As it is written in questions"`
	Means     string       `json:"means" doc:"In words of the model, as a formula or as a period"`
	Sort      Sort         `json:"sort" enum:"factual,gotcha" doc:"gotcha: it says which rows do not count"`
	Domain    string       `json:"domain" doc:"The entity that it is about; empty: a period, which is about all of them"`
	Detection Detection    `json:"detection" enum:"correction,definition,transcript" doc:"correction: an answer was corrected; definition: it was said unasked; transcript: it was found in a session"`
	Quote     string       `json:"quote" doc:"The exact words"`
	SessionID string       `json:"session_id" doc:"In which it was said; empty: in none, or that is gone"`
	RequestID string       `json:"request_id"`
	ReadBy    string       `json:"read_by" doc:"The model that said what the words mean, PROVIDER:MODEL; empty: the rules did, or its person wrote it. Until its person changed it, or called an answer right that was read with it, it speaks for nothing shared"`
	Change    *ChangedPart `json:"change" doc:"The part of a reading that was changed and said it; null: it was said in words"`
	Replaced  *Correction  `json:"-"` // what its person meant by the term until then, without what was before that; nil: nothing
	Confirmed int          `json:"confirmed" doc:"How many answers that were read with it their person called right"`
	Created   time.Time    `json:"created"`
	Changed   time.Time    `json:"changed"`
}

// Unconfirmed says whether a model read what the words mean and its person has not confirmed it: it is of use to them, and speaks for nothing shared.
func (c Correction) Unconfirmed() bool { return c.ReadBy != "" && c.Confirmed == 0 }

// ChangedPart is a part of a reading that its person made another one.
type ChangedPart struct {
	Slot string `json:"slot" enum:"metric,dimension,filter,period"`
	From string `json:"from" doc:"The query before, in canonical Frame-QL"`
	To   string `json:"to" doc:"The query after"`
}

// Noted says what became of the same meaning when it was noted before.
type Noted struct {
	Times    int  // how often it was
	Declined bool // its person did not want it to be remembered, once at least
}

// Sort is what words that correct are about.
type Sort string

// The sorts. What people may see is a matter of the rules, and how answers look one of the settings: neither is kept as a correction.
const (
	Factual    Sort = "factual"    // what a term means
	Gotcha     Sort = "gotcha"     // which rows do not count
	Permission Sort = "permission" // what somebody may see
	Preferred  Sort = "preference" // how answers are to look
	Unclear    Sort = "unclear"    // no sentence that is known here
)

// How far a correction goes.
const (
	MostTermWords  = 6
	MostTermRunes  = 80
	MostMeansRunes = 400
)

const says = `means|mean|refers to|is defined as|are defined as|is calculated as|is computed as|stands for|is short for|should be|should mean|:?=`

var (
	preamble = regexp.MustCompile(`(?i)^(?:no|nope|actually|sorry|please|remember|note|from now on|in (?:the )?future|always|that|for me|that is wrong|wrong)\b[\s,:;.!-]*`)
	iMean    = regexp.MustCompile(`(?i)^(?:by|with|when (?:i|we) (?:say|ask for|write)|if (?:i|we) (?:say|ask for|write))\s+(.+?)[,]?\s+(?:i|we)\s+(?:always\s+|really\s+)?(?:mean|meant)\s+(.+)$`)
	meansIs  = regexp.MustCompile(`(?i)^(.+?)\s+(?:always\s+)?(` + says + `)\s+(.+)$`)
	dropFrom = regexp.MustCompile(`(?i)^(?:never count|do not count|don['’]t count|do not include|don['’]t include|exclude|leave out|ignore|drop|remove)\s+(.+?)\s+(?:from|in|out of)\s+(.+)$`)
	drops    = regexp.MustCompile(`(?i)^(.+?)\s+(?:should\s+|must\s+)?(?:always\s+)?(?:exclude|excludes|excluding|leave out|leaves out|ignore|ignores|not include|does not include|doesn['’]t include|do not include|not count|does not count|doesn['’]t count|never counts?|never includes?)\s+(.+)$`)
	dropOnly = regexp.MustCompile(`(?i)^(?:never count|do not count|don['’]t count|do not include|don['’]t include|exclude|leave out|ignore|without)\s+(.+)$`)
	may      = regexp.MustCompile(`(?i)\b(?:permissions?|whitelist|unmask\w*|authori[sz]ed?|allow(?:ed|s)?|forbid(?:den)?|(?:may|can|should|must|let (?:me|us|them|him|her|everyone))\s+(?:not\s+|never\s+)?(?:be able to\s+)?(?:see|access|read|query)|access to)\b`)
	looks    = regexp.MustCompile(`(?i)^(?:show|display|draw|chart|round|format|use|write|answer|keep|be)\b|\b(?:decimals?|in (?:thousands|millions|billions|eur|usd|euros|dollars)|as an? (?:bar|line|pie|table|chart)|shorter|longer|briefly)\b`)
)

// asking are the words with which a question or an order begins: what follows is none that defines.
var asking = strings.Fields("what which who whom whose how where when why is are was were do does did can could will would show list give get count compare tell find plot draw chart sum total rank top explain describe select if")

// Asks says whether words begin like a question, or like an order to show something.
func Asks(words string) bool {
	first := strings.Fields(Key(preambleCut(Line(words))))
	return len(first) == 0 || slices.Contains(asking, first[0])
}

// SaysSo says whether words tell by themselves that they teach: "by sales I mean", "from now on", "remember that".
func SaysSo(words string) bool {
	rest := Line(words)
	return lasting.MatchString(rest) || iMean.MatchString(strings.TrimRight(preambleCut(rest), " .!;"))
}

var lasting = regexp.MustCompile(`(?i)^(?:please\s+)?(?:remember|note|from now on|in (?:the )?future)\b`)

// preambleCut takes what only leads to a sentence off it.
func preambleCut(rest string) string {
	for cut := preamble.FindString(rest); cut != "" && cut != rest; cut = preamble.FindString(rest) {
		rest = rest[len(cut):]
	}
	return rest
}

// ReadWords reads a sentence that corrects: "by sales I mean net revenue", "exclude test accounts from revenue", "no, high season = June to August". number is what the answer
// before shows, for a sentence that only says which rows do not count; empty: there was none. Of a sentence that is no definition only its sort is given.
func ReadWords(words, number string) Correction {
	rest := Line(words)
	c := Correction{Quote: rest, Sort: Unclear}
	rest = strings.TrimRight(preambleCut(rest), " .!;")
	if may.MatchString(rest) {
		c.Sort = Permission
		return c
	}
	if m := iMean.FindStringSubmatch(rest); m != nil {
		return c.defines(m[1], m[2])
	}
	if m := dropFrom.FindStringSubmatch(rest); m != nil {
		return c.leavesOut(m[2], m[1])
	}
	if m := dropOnly.FindStringSubmatch(rest); m != nil {
		if number == "" {
			return c
		}
		return c.leavesOut(number, m[1])
	}
	if m := meansIs.FindStringSubmatch(rest); m != nil {
		if pointsOnly(bare(m[1])) || namesPart(bare(m[1])) && strings.EqualFold(m[2], "should be") {
			return c // it corrects an answer, and no word
		}
		return c.defines(m[1], m[3])
	}
	if m := drops.FindStringSubmatch(rest); m != nil {
		return c.leavesOut(m[1], m[2])
	}
	if looks.MatchString(rest) {
		c.Sort = Preferred
	}
	return c
}

// SortOf is the sort of a meaning that was not said in a sentence.
func SortOf(means string) Sort {
	if drops.MatchString(means) {
		return Gotcha
	}
	return Factual
}

func (c Correction) defines(term, means string) Correction {
	c.Sort, c.Term, c.Means = Factual, bare(term), bare(means)
	return c
}

func (c Correction) leavesOut(term, rows string) Correction {
	c.Sort, c.Term = Gotcha, bare(term)
	c.Means = c.Term + " excluding " + bare(rows)
	return c
}

// bare is a term or a meaning without quotation marks around it and the article before it.
func bare(s string) string {
	const marks = "\"“”„'‘’`* ,"
	s = strings.Trim(s, marks)
	if len(s) > 4 && strings.EqualFold(s[:4], "the ") {
		s = strings.Trim(s[4:], marks)
	}
	return s
}

// Line is a text as one line of visible characters, composed as Unicode composes them: without marks that turn the direction of writing, and without anything that is not text.
func Line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == utf8.RuneError:
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

// Check tidies a correction, and says what of it cannot be. fault.Invalid: it has no term or no meaning, or they are the same; fault.Limit: one is too long.
func (c *Correction) Check() error {
	c.Term, c.Means, c.Quote = bare(Line(c.Term)), bare(Line(c.Means)), Line(c.Quote)
	n := utf8.RuneCountInString
	switch {
	case strings.IndexFunc(c.Term, letterOrDigit) < 0:
		return wrongCorrection(fault.Invalid, "knowledge.no_term")
	case strings.IndexFunc(c.Means, letterOrDigit) < 0:
		return wrongCorrection(fault.Invalid, "knowledge.no_meaning", "term", c.Term)
	case pointsOnly(c.Term):
		return wrongCorrection(fault.Invalid, "knowledge.term_points", "term", c.Term)
	case Key(c.Term) == Key(c.Means):
		return wrongCorrection(fault.Invalid, "knowledge.means_itself", "term", c.Term)
	case n(c.Term) > MostTermRunes || len(strings.Fields(c.Term)) > MostTermWords:
		return wrongCorrection(fault.Limit, "knowledge.long_term", "most", MostTermWords, "runes", MostTermRunes)
	case n(c.Means) > MostMeansRunes:
		return wrongCorrection(fault.Limit, "knowledge.long_meaning", "most", MostMeansRunes)
	}
	if n(c.Quote) > MostMeansRunes {
		c.Quote = string([]rune(c.Quote)[:MostMeansRunes])
	}
	return nil
}

// Key is what two ways to write a term have in common: a person gives a term one meaning.
func Key(term string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(norm.NFKC.String(term)), func(r rune) bool { return !letterOrDigit(r) }), " ")
}

// AsSaid is a term with a meaning as it is compared with others: what is written with the same ones is the same.
func AsSaid(term, means string) string { return Key(term) + "\x00" + strings.ToLower(Line(means)) }

// SameMeaning says whether two meanings are written with the same words and signs, but for blanks and the size of letters.
func SameMeaning(a, b string) bool { return strings.EqualFold(Line(a), Line(b)) }

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func wrongCorrection(code fault.Code, key string, args ...any) error {
	return fault.New(code, "correct", text.Say(key, args...), text.Say("knowledge.correction_hint"))
}
