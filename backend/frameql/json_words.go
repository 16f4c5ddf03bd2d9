package frameql

import (
	"reflect"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"assay/backend/text"
)

// word reads a string (or the digits of a number) and checks it for what it stands for.
func (r *jsonReader) word(n *jsonNode, f jsonField, into reflect.Value) error {
	if f.what == "number" {
		if n.kind != 'n' {
			return r.wrongType(n, "1, 2.5, …")
		}
		number, err := r.number(n)
		into.SetString(number)
		return err
	}
	if n.kind != 's' {
		if f.words() != nil {
			return r.notOneOf(n, f)
		}
		return r.wrongType(n, `"…"`)
	}
	s, reason := n.text, ""
	switch f.what {
	case "literal":
		if s = strings.ToUpper(s); !validPeriodLiteral(s) {
			reason = text.Say("frameql.bad_period", "period", shorten(n.text, 40))
		}
	case "moment":
		s, reason = moment(s)
	case "metric", "dim", "out", "time":
		s = norm.NFC.String(s)
		reason = dottedProblem(s)
	case "unit", "grain":
		s = norm.NFC.String(s)
		if timeGrains[keyword(s)] || f.what == "unit" {
			s = strings.ToLower(s)
		}
		reason = nameProblem(s)
	case "label", "entity":
		s = norm.NFC.String(s)
		reason = nameProblem(s)
	default:
		if s = strings.ToLower(s); !slices.Contains(f.words(), s) {
			return r.notOneOf(n, f)
		}
	}
	if reason != "" {
		return r.fault(n, JSONError{Found: n.shown(), Reason: reason})
	}
	into.SetString(s)
	return nil
}

func (r *jsonReader) notOneOf(n *jsonNode, f jsonField) error {
	return r.fault(n, JSONError{Found: n.shown(), Allowed: f.words(), Reason: text.Say("frameql.json_not_one_of", "found", n.shown())})
}

// nameProblem says why a string cannot be a name; empty when it can.
func nameProblem(s string) string {
	if s == "" {
		return text.Say("frameql.empty_name")
	}
	return ""
}

// dottedProblem says why a string cannot be a dotted name; empty when it can.
func dottedProblem(s string) string {
	segments := strings.Split(s, ".")
	switch {
	case slices.Contains(segments, ""):
		return text.Say("frameql.empty_name")
	case len(segments) > maxSegments:
		return text.Say("frameql.name_too_long")
	}
	return ""
}

// fits checks that the keys of an object are known and go together.
func (r *jsonReader) fits(n *jsonNode, s jsonShape) error {
	for i, key := range n.keys {
		if !slices.Contains(s.keys, key) {
			return r.fault(n.kids[i], JSONError{Found: key, Allowed: s.keys, Reason: text.Say("frameql.json_unknown_key", "key", shorten(key, 60))})
		}
	}
	if slices.ContainsFunc(s.forms, n.is) {
		return nil
	}
	best, least := jsonForm{}, -1
	for _, f := range s.forms {
		if misses := n.misses(f); least < 0 || misses < least {
			best, least = f, misses
		}
	}
	leaders := s.leaders()
	if len(leaders) > 1 && !slices.ContainsFunc(leaders, func(k string) bool { return n.get(k) != nil }) {
		return r.fault(n, JSONError{Allowed: leaders, Reason: text.Say("frameql.json_which", "keys", strings.Join(leaders, ", "))})
	}
	if bad := n.excess(best); len(bad) > 0 {
		return r.misfit(n, s, best, bad[0])
	}
	return r.fault(n, JSONError{Allowed: n.missing(best), Reason: text.Say("frameql.json_missing", "key", n.missing(best)[0])})
}

// is says whether an object is written in a form.
func (n *jsonNode) is(f jsonForm) bool {
	for _, k := range f.needs {
		if kid := n.get(k.key); kid == nil || !k.takes(kid) {
			return false
		}
	}
	return len(n.keys) == len(f.needs) || len(n.excess(f)) == 0
}

// misses says how far an object is from a form. What says what the object is counts more than what belongs to that: the key
// that leads a form, and a word that is bound to one.
func (n *jsonNode) misses(f jsonForm) int {
	misses := len(n.missing(f)) + 2*len(n.excess(f))
	for i, k := range f.needs {
		kid := n.get(k.key)
		if kid == nil && i == 0 || kid != nil && k.words != nil && !k.takes(kid) {
			misses += 8
		}
	}
	return misses
}

// misfit is the error of a key that does not go with the others, or whose word or value does not.
func (r *jsonReader) misfit(n *jsonNode, s jsonShape, best jsonForm, key string) error {
	kid := n.get(key)
	for _, k := range slices.Concat(best.needs, best.may) {
		switch {
		case k.key != key:
		case k.words != nil: // no form of these keys takes the word
			f := s.fields[slices.Index(s.keys, key)]
			return r.notOneOf(kid, f)
		default:
			return r.fault(kid, JSONError{Found: kid.shown(), Reason: text.Say("frameql.json_value_"+k.shape, "key", key, "found", kid.shown())})
		}
	}
	var allowed []string
	for _, k := range slices.Concat(best.needs, best.may) {
		allowed = append(allowed, k.key)
	}
	return r.fault(kid, JSONError{Found: key, Allowed: allowed, Reason: text.Say("frameql.json_excess", "key", key, "kind", best.kind(n))})
}

// kind names a form by the key, and its word, that says what it is.
func (f jsonForm) kind(n *jsonNode) string {
	for _, k := range f.needs {
		if kid := n.get(k.key); k.words != nil && kid != nil {
			return k.key + " " + kid.shown()
		}
	}
	return f.needs[0].key
}

// missing gives the keys that a form needs and the object lacks.
func (n *jsonNode) missing(f jsonForm) []string {
	var all []string
	for _, k := range f.needs {
		if n.get(k.key) == nil {
			all = append(all, k.key)
		}
	}
	return all
}

// excess gives the keys that a form has no place for, or whose value is none of its words or not of its shape.
func (n *jsonNode) excess(f jsonForm) []string {
	var all []string
	for i, key := range n.keys {
		fits := func(k jsonKey) bool { return k.key == key && k.takes(n.kids[i]) }
		if !slices.ContainsFunc(f.needs, fits) && !slices.ContainsFunc(f.may, fits) {
			all = append(all, key)
		}
	}
	return all
}

func (k jsonKey) takes(n *jsonNode) bool {
	if k.words != nil {
		return n.kind == 's' && slices.Contains(k.words, strings.ToLower(n.text))
	}
	switch k.shape {
	case "one":
		return n.kind != '[' && n.kind != '{'
	case "only":
		return n.kind == '[' && len(n.kids) == 1
	case "many":
		return n.kind == '[' && len(n.kids) > 1
	case "list":
		return n.kind == '[' && len(n.kids) > 0
	case "pair":
		return n.kind == '[' && len(n.kids) == 2
	case "text":
		return n.kind == 's'
	}
	return true
}

// leaders are the keys that say what an object is.
func (s jsonShape) leaders() []string {
	var all []string
	for _, f := range s.forms {
		if k := f.needs[0].key; !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return all
}
