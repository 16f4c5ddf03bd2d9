package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
)

// pieceKind is what a stretch of the question is read as.
type pieceKind byte

const (
	unknownPiece pieceKind = iota // a content word that found no place
	stopPiece                     // a word without content
	namePiece                     // names something of the model or a value: see piece.names
	textPiece                     // quoted text that is no known value
	periodPiece
	numberPiece
	aggregatePiece // id: sum avg min max median count distinct
	groupPiece     // id: by each trend
	rankPiece      // id: high low best worst
	adjectivePiece // id: direction and what it ranks by
	comparePiece   // id: gt ge lt le eq ne between
	notPiece
	listPiece    // id: list which
	gluePiece    // id: in with is and or
	orderPiece   // id: by desc asc name
	grainPiece   // id: day week ...; adverb when it groups wherever it stands
	truthPiece   // id: true false
	patternPiece // id: contains starts ends text
	laterPiece   // id: a construct that the reader refuses today
	layerPiece   // id: share percent ratio minus growth delta step compare peer cumulative moving percentile
	degreePiece  // id: gt lt than
	wallPiece    // what lies outside of a part that is read by itself
	relatedPiece // id: no never
	modePiece    // id: high low
	rolePiece    // says in which role members are meant
	withinPiece  // words that stand inside longer values
)

// piece is a stretch of tokens with one reading.
type piece struct {
	kind     pieceKind
	from, to int    // tokens
	id       string // of a closed class
	adverb   bool
	names    []target // best first
	period   period
	number   string
	percent  bool
	weak     bool // a value that is also a common word: believed only behind its dimension
	edits    int  // repaired letters
	score    float64
}

// kindOfClass gives the piece kind of a lexicon class; ok is false for classes that make no piece.
func kindOfClass(class string) (kind pieceKind, ok bool) {
	switch class {
	case "aggregates":
		return aggregatePiece, true
	case "grouping":
		return groupPiece, true
	case "ranking":
		return rankPiece, true
	case "adjectives":
		return adjectivePiece, true
	case "comparatives":
		return comparePiece, true
	case "negation":
		return notPiece, true
	case "listing":
		return listPiece, true
	case "glue":
		return gluePiece, true
	case "order":
		return orderPiece, true
	case "grains":
		return grainPiece, true
	case "truth":
		return truthPiece, true
	case "related":
		return relatedPiece, true
	case "modes":
		return modePiece, true
	case "later":
		return laterPiece, true
	case "patterns":
		return patternPiece, true
	case "layers":
		return layerPiece, true
	case "degrees":
		return degreePiece, true
	case "stop", "currencies":
		return stopPiece, true
	}
	return unknownPiece, false
}

// candidates gives, for every token, the pieces that may start there.
func (ix *Index) candidates(tokens []token, env frameql.Env) [][]*piece {
	out := make([][]*piece, len(tokens))
	forms := make([][]variant, len(tokens))
	for i, t := range tokens {
		forms[i] = ix.variants(t)
	}
	periods := ix.definedPeriods(tokens, periodsAt(tokens, env))
	for i := range tokens {
		add := func(p *piece) {
			p.from = i
			p.score += float64(p.to-i) + scoreLonger*float64(p.to-i-1)
			out[i] = append(out[i], p)
		}
		if stands := tokens[i].stands; stands != nil {
			add(&piece{kind: namePiece, to: i + 1, names: stands})
			continue
		}
		ix.openClass(tokens, forms, i, add)
		ix.attributeAt(tokens, i, add)
		ix.compoundAt(tokens, i, add)
		ix.amountOf(tokens, i, add)
		ix.atLeastA(tokens, i, add)
		for _, p := range periods[i] {
			if slices.ContainsFunc(tokens[i:p.to], func(t token) bool { return timex.Season(t.norm) && len(ix.values.exact(valueKey(t.text))) > 0 }) {
				continue // "Fall 2009" where Fall is a semester of the data
			}
			if len(ix.names.terms[verbStem(tokens[i].norm)]) > 0 {
				continue // "policies starting in 2016" is about their start date
			}
			if ix.lastInTable(tokens, i, p.to) || ix.numbersInTable(tokens, i, p.to) {
				continue
			}
			add(ix.inItsYear(tokens, i, p, env))
		}
		if v, n := ix.english.number(tokens, i); n > 0 {
			p := &piece{kind: numberPiece, to: i + n, number: v}
			if p.to < len(tokens) && (tokens[p.to].norm == "%" || tokens[p.to].norm == "percent") {
				p.percent = true
				p.to++
			}
			add(p)
		}
		ix.rowsNoun(tokens, i, add)
		ix.rolesFrom(tokens, i, add)
		ix.closedClass(tokens, forms, i, out[i], add)
		add(leftAsUnknown(tokens, i))
	}
	ix.keepWhole(tokens, out)
	return out
}

// leftAsUnknown is the way out of every token: a mark has no content, a word that stays unread costs.
func leftAsUnknown(tokens []token, i int) *piece {
	t := tokens[i]
	switch {
	case t.kind == markToken:
		return &piece{kind: stopPiece, to: i + 1, score: -1}
	case t.kind == quotedToken:
		return &piece{kind: textPiece, to: i + 1, score: skipUnknown}
	case t.kind == numberToken || t.capital:
		return &piece{kind: unknownPiece, to: i + 1, score: skipNoted - 1}
	default:
		return &piece{kind: unknownPiece, to: i + 1, score: skipUnknown - 1}
	}
}

// closedClass adds the readings of the lexicon. A grain steps back behind a dimension of exactly that name.
func (ix *Index) closedClass(tokens []token, forms [][]variant, i int, open []*piece, add func(*piece)) {
	for n := 1; n <= ix.english.longest && i+n <= len(tokens); n++ {
		ops := ix.english.phrase(tokens, i, n)
		edits := 0
		if n == 1 && len(ops) == 0 && len(forms[i]) > 1 {
			for _, v := range forms[i][1:] {
				if ops = ix.english.operators[v.norm]; len(ops) > 0 {
					edits = v.edits
					break
				}
			}
		}
		for _, op := range ops {
			kind, ok := kindOfClass(op.class)
			if !ok {
				continue
			}
			if op.class == "currencies" && !ix.paysIn(op.id) {
				continue
			}
			p := &piece{kind: kind, to: i + n, id: op.id, edits: edits, score: scoreClosed + typoScore(edits)}
			switch kind {
			case aggregatePiece:
				if ix.numberOf(tokens, i) {
					continue
				}
			case rankPiece:
				if i > 0 && tokens[i-1].norm == "at" && oneOf("least", "most")(tokens[i].norm) {
					continue // "at least 10" is no ranking, whatever stands behind it
				}
			case listPiece:
				if i > 0 && tokens[i].norm == "whose" {
					continue // it asks for somebody only at the head of a question
				}
				if n > 1 && tokens[i+n-1].norm == "of" && tokens[i+n-2].lemma == "name" && ix.namelessAt(tokens, i+n) {
					continue // "what is the name of the player": of the person who is one
				}
			case degreePiece:
				if op.id == "than" && !ix.compared(tokens[:i]) {
					continue
				}
			case grainPiece:
				p.id, p.adverb = strings.CutSuffix(op.id, "*")
				if slices.ContainsFunc(open, func(o *piece) bool {
					return o.kind == namePiece && o.to == i+n && !o.weak && o.names[0].score > 2*scoreSynonym
				}) {
					p.score -= 3 * scoreClosed
				}
			case laterPiece, layerPiece:
				p.score -= 3 * scoreClosed // a name of the model is never a construct
			case stopPiece:
				p.score -= 0.3 + scoreClosed
				if n > 1 && tokens[i+n-1].norm == "by" {
					p.score += scoreSwallows // "discounts given by category" splits
				}
				if n > 1 && len(ix.names.terms[tokens[i].lemma]) > 0 || n == 1 && (ix.namesExactly(tokens[i]) || ix.asNoun(tokens, i)) {
					p.score += scoreSwallows
					if n == 1 {
						p.kind = unknownPiece // left out, it is missing: "the account with the lowest balance" is about an account
					}
				}
				if n == 1 && slices.ContainsFunc(open, func(o *piece) bool {
					return o.kind == namePiece && o.to == i+1 && o.edits == 0 && ix.modifies(tokens, i+1, o)
				}) {
					p.score += scoreSwallows // "sell transactions"
				}
				if n == 1 && i > 0 && ix.attributeOf(tokens[i-1], tokens[i]) {
					p.score += scoreSwallows // "the acceptance result"
				}
				if n == 1 && (op.class != "currencies" && shouted(tokens[i]) || ix.quantifies(tokens, i) || ix.standsFull(tokens, i)) {
					continue // "US" is no pronoun, and "all of whose" not empty
				}
			}
			add(p)
		}
	}
}

// compared says whether a comparative stands a few words before "than".
func (ix *Index) compared(before []token) bool {
	return slices.ContainsFunc(before[max(0, len(before)-8):], func(t token) bool {
		return slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "degrees" && o.id != "than" })
	})
}

// paysIn says whether amounts are in a currency, as far as the workspace says one.
func (ix *Index) paysIn(code string) bool {
	return ix.model.Workspace.Currency == "" || strings.EqualFold(ix.model.Workspace.Currency, code)
}

// shouted says whether a word stands in capital letters.
func shouted(t token) bool {
	return t.kind == wordToken && len(t.text) > 1 && t.text == strings.ToUpper(t.text)
}

// openClass adds what the model's vocabulary and the values know. All meanings of one stretch are one piece: which of
// them is meant is decided by what stands around it.
func (ix *Index) openClass(tokens []token, forms [][]variant, i int, add func(*piece)) {
	if tokens[i].kind == quotedToken {
		if p := ix.quotedValue(tokens[i]); p != nil {
			p.to = i + 1
			add(p)
		}
		return
	}
	if tokens[i].kind == markToken && !saysPercent(tokens[i]) || ix.actAtEnd(tokens, i) {
		return
	}
	for n := 1; n <= longestName+3 && i+n <= len(tokens); n++ {
		last := tokens[i+n-1]
		if last.kind == quotedToken {
			break
		}
		if last.kind == markToken && !saysPercent(last) {
			if !slices.Contains(joiningMarks, last.text) || i+n == len(tokens) {
				break
			}
			continue
		}
		if n > 1 && ix.numberOf(tokens, i) {
			break // "the invoice number of orders"
		}
		if !ix.namesAt(tokens, forms, i, n, add) {
			ix.kinAt(tokens, i, n, add)
		}
	}
	ix.sharedHead(tokens, i, add)
	if forms[i][0].edits == 0 && len(forms[i]) == 1 {
		ix.partOfValue(tokens, i, add)
	}
	ix.withinValues(tokens, i, add)
	ix.unitBehind(tokens, i, add)
}

// namesAt adds the names of tokens[i:i+n], one piece for each number of repaired letters. It says whether the words are a
// name as they stand.
func (ix *Index) namesAt(tokens []token, forms [][]variant, i, n int, add func(*piece)) bool {
	best := map[int]*piece{}
	var order []int
	visit(forms[i:i+n], func(vs []variant) {
		lemmas, edits := "", 0
		for _, v := range vs {
			lemmas += strings.ReplaceAll(v.lemma, "-", "")
			edits += v.edits
		}
		key := strings.ReplaceAll(lemmas, ".", "")
		found := ix.meaningsOf(key)
		found = slices.DeleteFunc(found, func(t target) bool { return t.counts && !ix.isCounted(tokens, i) })
		if edits == 0 && ix.hasNearer(tokens[i:i+n], found) {
			found = nil
		}
		compound := i > 0 && slices.ContainsFunc(ix.names.terms[tokens[i-1].lemma+tokens[i].lemma], isDimension) // "data types of"
		if n >= 3 && len(found) == 0 && tokens[i+n-2].text == "-" {
			found = append(found, ix.names.terms[ix.english.singular(key)]...) // "check-ins" of a table checkin
		}
		if n >= 3 && vs[1].norm == "of" && edits == 0 && !compound && ix.empty(tokens[i]) && ix.onlyDetermines(tokens[i+2:i+n-1]) {
			found = append(found, ix.names.terms[last(vs).lemma+vs[0].lemma]...) // "type of pet" is the pet type
		}
		if n >= 3 && vs[1].norm == "of" && edits == 0 && vs[0].lemma == "name" && ix.onlyDetermines(tokens[i+2:i+n-1]) {
			found = append(found, ix.calledSo(last(vs).lemma)...)
		}
		if n == 1 {
			verb := vs[0].norm
			if other := ix.english.verbs[verb]; other != "" {
				verb = other
			}
			found = append(found, ix.names.terms[verbStem(verb)]...)
		}
		key = ""
		for k, v := range vs {
			if v.edits > 0 {
				key += v.norm
			} else {
				key += valueKey(tokens[i+k].text)
			}
		}
		if n > 1 || !ix.grammatical(tokens[i]) {
			found = append(found, ix.spelled(key, tokens[i:i+n])...)
			if len(found) == 0 && last(vs).edits == 0 {
				found = append(found, ix.inflected(vs, tokens[i:i+n])...)
			}
			if len(found) == 0 && edits == 0 {
				found = ix.oneOfKind(tokens[i : i+n])
			}
			if edits == 0 {
				found = append(found, ix.coded(phraseOf(vs))...)
				found = ix.ofKind(vs, tokens[i:i+n], found)
			}
		}
		if last := tokens[i+n-1]; len(found) == 0 && edits == 0 && last.kind == wordToken && last.lemma != last.norm && len(last.lemma) > 2 { // "students who have cats"
			for _, e := range ix.values.exact(strings.TrimSuffix(key, last.norm) + last.lemma) {
				found = append(found, ix.values.target(e, exactMatch, scorePlural))
			}
		}
		if n == 1 && !tokens[i].capital && (vs[0].lemma == "name" || slices.Contains(naming, vs[0].lemma)) && slices.ContainsFunc(found, isDimension) {
			found = slices.DeleteFunc(found, isValue) // "names" are no pictures that are called Name
		}
		if len(found) == 0 && edits == 0 && (n > 1 || !ix.grammatical(tokens[i])) {
			found = ix.fromCountry(phraseOf(vs)) // "French"
		}
		if n == 1 && len(found) == 0 && edits == 0 {
			found = ix.opposites(vs[0].norm)
		}
		if n == 1 && len(found) == 0 && edits == 0 {
			found = ix.peopleOf(tokens, i)
		}
		if len(found) == 0 {
			return
		}
		p := best[edits]
		if p == nil {
			p = &piece{kind: namePiece, to: i + n, edits: edits}
			best[edits] = p
			order = append(order, edits)
		}
		for _, t := range found {
			if edits > 0 {
				t.match = fuzzyMatch
			}
			if !slices.ContainsFunc(p.names, func(o target) bool { return o.name() == t.name() }) {
				p.names = append(p.names, t)
			}
		}
	})
	slices.Sort(order)
	for _, edits := range order {
		p := best[edits]
		slices.SortStableFunc(p.names, func(a, b target) int { return compareScore(b.score, a.score) })
		p.names = withoutFaint(p.names)
		if tokens[i].settles == n {
			p.names = settledAmong(p.names, tokens[i].settled)
		}
		p.score = p.names[0].score + typoScore(edits)
		p.weak = ix.isWeak(tokens[i:i+n], p) && !ix.modifies(tokens, i+n, p) && !(n == 1 && ix.verbOfData(tokens, i))
		add(p)
	}
	return best[0] != nil
}

// settledAmong keeps the meaning that the person has chosen for the words, where it is among them.
func settledAmong(names []target, chosen string) []target {
	if i := slices.IndexFunc(names, func(t target) bool { return t.name() == chosen }); i >= 0 {
		return names[i : i+1]
	}
	return names
}

// empty says whether a word before "of" asks for a sort of thing or is a calendar unit: then what stands behind "of" may be
// the first half of its name, as in "type of pet" and "date of birth".
func (ix *Index) empty(t token) bool {
	return t.lemma == "type" || t.lemma == "kind" || t.lemma == "amount" ||
		slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "grains" })
}

// onlyDetermines says whether words only say which ones: "all the".
func (ix *Index) onlyDetermines(ts []token) bool {
	return !slices.ContainsFunc(ts, func(t token) bool {
		return t.norm != "all" && !slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "stop" && o.id == "function" })
	})
}

// withoutFaint drops dimensions and entities that the words only name in part when they name a metric or an entity in full: "orders"
// are not the units on order.
func withoutFaint(names []target) []target {
	if best := names[0]; best.metric == nil && !isEntity(best) || best.match == partialMatch {
		return names
	}
	return slices.DeleteFunc(names, func(t target) bool { return t.metric == nil && t.value == nil && t.match == partialMatch })
}

// isWeak says whether a piece is only a value that is spelled like a word of the language or a number.
func (ix *Index) isWeak(ts []token, p *piece) bool {
	for _, t := range p.names {
		if t.value == nil {
			return false
		}
	}
	if len(ts) > 1 || ts[0].capital && len(ts[0].norm) > 1 {
		return false
	}
	if ts[0].kind == wordToken && ix.names.known[ts[0].lemma] {
		return true // "name" is no picture that is called Name
	}
	return len(ts[0].norm) < 2 || ts[0].kind == numberToken || ix.english.known[ts[0].norm] || ix.english.numbers[ts[0].norm] != ""
}

// visit calls f with every combination of the variants, at most 8.
func visit(forms [][]variant, f func([]variant)) {
	vs := make([]variant, len(forms))
	calls := 0
	var rec func(k int)
	rec = func(k int) {
		if calls >= 8 {
			return
		}
		if k == len(forms) {
			calls++
			f(vs)
			return
		}
		for _, v := range forms[k] {
			vs[k] = v
			rec(k + 1)
		}
	}
	rec(0)
}

func typoScore(edits int) float64 {
	switch {
	case edits == 0:
		return 0
	case edits == 1:
		return scoreTypo1
	default:
		return scoreTypo2 + float64(edits-2)*scoreTypo1
	}
}

func compareScore(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// joiningMarks stand inside a name: "Order-to-cash", "R&D", "St. Gallen".
var joiningMarks = []string{"-", "&", ".", "/", ",", "'", "’", "+"}
