package knowledge

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// The bounds of what an item is called and says, in characters, and of how much it may be about.
const (
	MostTitleRunes   = 120
	MostContentRunes = 2000
	MostTags         = 20
	MostEntities     = 20
)

// Description is what an item is called, what it says in words, and what it is about. It gives no word a meaning.
type Description struct {
	Title    string   `json:"title" maxLength:"500"`
	Content  string   `json:"content" maxLength:"8000" doc:"What is to be known, in words"`
	Category Sort     `json:"category" enum:"factual,gotcha"`
	Tags     []string `json:"tags" nullable:"false" maxItems:"100"`
	Entities []string `json:"entities" nullable:"false" maxItems:"100" doc:"Of the model, by their names"`
}

// Check writes a description as it is kept. Faults: Invalid (no title, nothing said, a category that is none), Limit (too long, or too many).
func (d *Description) Check() error {
	d.Title, d.Content = Line(d.Title), strings.TrimSpace(strings.ReplaceAll(d.Content, "\r\n", "\n"))
	d.Tags, d.Entities = names(d.Tags), names(d.Entities)
	wrong := func(code fault.Code, key string, args ...any) error {
		return fault.New(code, "describe", text.Say(key, args...), text.Say("knowledge.describe_hint"))
	}
	switch n := utf8.RuneCountInString; {
	case d.Title == "":
		return wrong(fault.Invalid, "knowledge.no_title")
	case d.Content == "":
		return wrong(fault.Invalid, "knowledge.no_content")
	case d.Category != Factual && d.Category != Gotcha:
		return wrong(fault.Invalid, "knowledge.no_category", "category", shortWord(string(d.Category)))
	case n(d.Title) > MostTitleRunes:
		return wrong(fault.Limit, "knowledge.long_title", "most", MostTitleRunes)
	case n(d.Content) > MostContentRunes:
		return wrong(fault.Limit, "knowledge.long_content", "most", MostContentRunes)
	case len(d.Tags) > MostTags || slices.ContainsFunc(d.Tags, func(t string) bool { return n(t) > MostTermRunes }):
		return wrong(fault.Limit, "knowledge.many_tags", "most", MostTags, "long", MostTermRunes)
	case len(d.Entities) > MostEntities:
		return wrong(fault.Limit, "knowledge.many_entities", "most", MostEntities)
	}
	return nil
}

// names are words without blanks around them, sorted, each once.
func names(words []string) []string {
	all := []string{}
	for _, w := range words {
		if w = Line(w); w != "" {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Forgets says whether an actor can have an item forgotten: who wrote it down, where it gives no word a meaning, and while nobody else is answered with it. Faults: NotFound: there is no such item for them; Unauthorized;
// Conflict: what it says was taught, and is forgotten there, or it was decided that it holds.
func (i Item) Forgets(actor string, as Viewer, now time.Time) error {
	at := i.At(now)
	switch {
	case actor == "" || actor != as.Actor || !i.Visible(as, now):
		return fault.New(fault.NotFound, "forget", text.Say("knowledge.no_item"), "")
	case actor != i.Contributor:
		return fault.New(fault.Unauthorized, "forget", text.Say("knowledge.not_yours", "who", text.Say("knowledge.who_contributor")), "")
	case i.Term != "":
		return fault.New(fault.Conflict, "forget", text.Say("knowledge.taught"), text.Say("knowledge.taught_hint"))
	case !i.Personal && at != Pending && at != Rejected && at != Revoked:
		return fault.New(fault.Conflict, "forget", text.Say("knowledge.not_as_it_stands", "status", string(at)), text.Say("knowledge.forget_hint"))
	}
	return nil
}

// Describe gives the item as it is described anew by d.By, who brought it or is a steward; the one that it is called with stays as it is. What it says in words was decided about: said otherwise, it waits
// again where it gives no word a meaning. Faults: NotFound: there is no such item for them; Unauthorized; Conflict: it was turned down; those of Check.
func (c Council) Describe(i Item, to Description, d Decision, as Viewer) (Item, error) {
	at := i.At(d.At)
	switch {
	case d.By == "" || d.By != as.Actor || !i.Visible(as, d.At):
		return i, fault.New(fault.NotFound, "describe", text.Say("knowledge.no_item"), "")
	case d.By != i.Contributor && !c.Steward(d.By) && c.People != 1:
		return i, fault.New(fault.Unauthorized, "describe", text.Say("knowledge.not_yours", "who", text.Say("knowledge.who_steward")), "")
	case at == Rejected || at == Revoked:
		return i, fault.New(fault.Conflict, "describe", text.Say("knowledge.not_as_it_stands", "status", string(at)), text.Say("knowledge.not_as_it_stands_hint"))
	}
	if err := to.Check(); err != nil {
		return i, err
	}
	out := i
	out.Title, out.Content, out.Category, out.Tags, out.Entities = to.Title, to.Content, to.Category, to.Tags, to.Entities
	d.Verdict = Described
	out.History = append(slices.Clone(i.History), d)
	if decided := at == Approved || at == Mandatory || at == Expired; decided && i.Term == "" && (to.Title != i.Title || to.Content != i.Content || to.Category != i.Category) {
		out.Status, out.SelfReviewed = Pending, false
	}
	return out, nil
}
