package knowledge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// MostJudged is how many others a model compares a piece of knowledge with at a time.
const MostJudged = 100

// Judgment is what a model says of two pieces of knowledge. It stands beside what the rules find, and changes nothing: neither what is decided, nor how sure a piece is, nor a grade.
type Judgment struct {
	Item, Other     string // ids; Item is the one that was compared with others
	ItemAs, OtherAs string // their revisions of then
	Model           string // PROVIDER:MODEL
	At              time.Time
	Contradicts     bool   // not both can hold
	Severity        string // low, medium or high; empty: it said nothing that is one of them
	Suggestion      string // keep_this (Item), keep_other, merge or both_valid; empty as above
	Why             string // in its own words; empty: it gave none that can be shown
}

// Judging is that a model was asked about a piece of knowledge.
type Judging struct {
	Item, As string // its id, and its revision of then
	Model    string // PROVIDER:MODEL
	Actor    string // who had it asked
	At       time.Time
	Compared int    // others that it was shown
	Left     int    // others that it was not
	Host     string // where it was asked
	Local    bool   // that is this machine
	Bytes    int    // of the request; 0: nothing was sent
	Masked   int    // texts in which something was replaced
	Failed   string // a sentence: why nothing came of it; empty: something did
}

// Words are what of a piece of knowledge a model is shown to compare it: what it says, for whom and when. Who said so is not among them.
type Words struct {
	Term     string `json:"term,omitempty"`
	Means    string `json:"means,omitempty"`
	Says     string `json:"says,omitempty"` // where that is more than term and meaning
	Sort     Sort   `json:"category"`
	Audience string `json:"for_group,omitempty"`
	From     string `json:"valid_from,omitempty"` // 2006-01-02
	Until    string `json:"valid_until,omitempty"`
}

// Words gives those of an item.
func (i Item) Words() Words {
	w := Words{Term: Line(i.Term), Means: shortened(Line(i.Means)), Sort: i.Category, Audience: i.Audience, From: day(i.From), Until: day(i.Until)}
	if said := Line(i.Content); said != Line(i.Term+" means "+i.Means) {
		w.Says = said
		if title := Line(i.Title); title != "" && title != Line(i.Term) {
			w.Says = title + ": " + said
		}
		w.Says = shortened(w.Says)
	}
	return w
}

// Revision is the same as long as an item says the same of the same thing, and may be read by the same models. What is decided about it, and who stands behind it, is no matter of that.
func (i Item) Revision() string {
	raw, _ := json.Marshal([]any{i.Words(), i.Domain, i.Personal, i.Sensitivity}) // texts and days only: it cannot fail
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// Candidates are the items that may contradict one: of its domain, that wait or hold, are nobody's own, are there for whoever asks, and were not compared with it before. Of these
// the first MostJudged are given, and how many others there are. elsewhere: who compares is not on this machine, and is shown nothing that is confidential.
func (i Item) Candidates(all []Item, to Viewer, now time.Time, elsewhere bool, compared func(Item) bool) (chosen []Item, left int) {
	for _, o := range all {
		switch {
		case o.ID == i.ID, o.Domain != i.Domain, o.Personal, !o.Standing(now), !o.Visible(to, now), compared(o):
		case len(chosen) == MostJudged, elsewhere && (i.Sensitivity == Confidential || o.Sensitivity == Confidential):
			left++
		default:
			chosen = append(chosen, o)
		}
	}
	return chosen, left
}

// Said is what a model writes of one candidate.
type Said struct {
	Candidate   string `json:"candidate_id"`
	Contradicts bool   `json:"contradicts"`
	Severity    string `json:"severity"`
	Suggestion  string `json:"suggestion"`
	Why         string `json:"why"`
}

// What a model may say of a contradiction.
var (
	Severities  = []string{"low", "medium", "high"}
	Suggestions = []string{"keep_this", "keep_other", "merge", "both_valid"}
)

// Hold makes judgments of what a model wrote about an item and the candidates that it was shown: one for each of them. What it says of others, or of one for the second time, is
// dropped and counted; of a weight, a suggestion or a reason that cannot be taken only that is dropped. A candidate that it does not speak of does not contradict.
func Hold(said []Said, of Item, candidates []Item) (judged []Judgment, dropped int) {
	places := map[string]int{}
	for n, o := range candidates {
		places[o.ID] = n
		judged = append(judged, Judgment{Item: of.ID, Other: o.ID, ItemAs: of.Revision(), OtherAs: o.Revision()})
	}
	for _, s := range said {
		n, there := places[s.Candidate]
		if !there {
			dropped++
			continue
		}
		delete(places, s.Candidate) // what it says again of the same one is for nobody
		if !s.Contradicts {
			continue
		}
		j := &judged[n]
		j.Contradicts = true
		if slices.Contains(Severities, s.Severity) {
			j.Severity = s.Severity
		}
		if slices.Contains(Suggestions, s.Suggestion) {
			j.Suggestion = s.Suggestion
		}
		j.Why = reason(s.Why, of.Words(), candidates[n].Words())
	}
	return judged, dropped
}

// Seen is a judgment as it is seen from one of its two items: the other one's id, and the suggestion from its side. false: it is about neither, or one of the two says something else by now.
func (j Judgment) Seen(from Item, other Item) (Judgment, bool) {
	if j.Item != from.ID {
		j.Item, j.Other, j.ItemAs, j.OtherAs = j.Other, j.Item, j.OtherAs, j.ItemAs
		switch j.Suggestion {
		case "keep_this":
			j.Suggestion = "keep_other"
		case "keep_other":
			j.Suggestion = "keep_this"
		}
	}
	return j, j.Item == from.ID && j.Other == other.ID && j.ItemAs == from.Revision() && j.OtherAs == other.Revision()
}

// Bounds of what is shown of a piece of knowledge, and of a reason.
const (
	mostWordsRunes = 400
	mostWhyRunes   = 300
)

// counted are words that say how many.
var counted = strings.Fields("three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen percent half third quarter twice double triple doubles triples halves")

// reason is what a model gives as one, as it may be shown beside its name: one line of plain text that says no number which the two pieces do not have. Empty: it must not be shown.
func reason(why string, of, other Words) string {
	why = Line(why)
	if utf8.RuneCountInString(why) > mostWhyRunes || slices.ContainsFunc([]string{"://", "www.", "mailto:", "javascript:", "](", "![", "<", ">", "`", "%"}, func(sign string) bool {
		return strings.Contains(strings.ToLower(why), sign)
	}) {
		return ""
	}
	var known []string
	for _, w := range []Words{of, other} {
		known = append(known, numbers(strings.Join([]string{w.Term, w.Means, w.Says, w.From, w.Until}, " "))...)
	}
	for _, n := range numbers(why) {
		if !slices.Contains(known, n) {
			return ""
		}
	}
	return why
}

// numbers are the runs of digits of a text, and its words that say how many.
func numbers(s string) []string {
	all := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsNumber(c) })
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if slices.Contains(counted, w) {
			all = append(all, w)
		}
	}
	return all
}

func day(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}

func shortened(s string) string {
	if utf8.RuneCountInString(s) <= mostWordsRunes {
		return s
	}
	return string([]rune(s)[:mostWordsRunes-1]) + "…"
}
