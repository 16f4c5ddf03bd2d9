package interpret

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/text"
)

func TestTokens(t *testing.T) {
	for question, want := range map[string][]string{
		"Top 10 customers, by revenue?":    {"top", "10", "customers", ",", "by", "revenue", "?"},
		"customer's order_lines":           {"customer", "order", "lines"},
		"don't B's Beverages":              {"don't", "b", "beverages"},
		"1,000.50 $1.2m 50% 10k":           {"1,000.50", "$", "1.2m", "50", "%", "10k"},
		"1997-03-05 1997-Q3 4-23 3/5/1997": {"1997-03-05", "1997-q3", "4", "-", "23", "3/5/1997"},
		"in 1997, 250 orders":              {"in", "1997", ",", "250", "orders"},
		`name is "New  York" or 'B's'`:     {"name", "is", "newyork", "or", "bs"},
		"revenue '97":                      {"revenue", "'", "97"},
		"customers.country >= 5 <> 3":      {"customers", ".", "country", ">=", "5", "<>", "3"},
		"ＲＥＶＥＮＵＥ São straße":               {"revenue", "sao", "strasse"},
		"CompanyName":                      {"company", "name"},
	} {
		var got []string
		for _, tok := range english().tokenise(question) {
			got = append(got, tok.norm)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestTokensCoverTheQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.String().Draw(t, "question")
		at := 0
		for _, tok := range english().tokenise(q) {
			if tok.start < at || tok.end <= tok.start || tok.end > len(q) || strings.TrimSpace(strings.ReplaceAll(q[at:tok.start], "_", " ")) != "" {
				t.Fatalf("%q: token %+v after %d", q, tok, at)
			}
			at = tok.end
		}
	})
}

func TestNumbers(t *testing.T) {
	l := english()
	for phrase, want := range map[string]string{
		"10": "10", "1,000": "1000", "1.50": "1.5", "10k": "10000", "1.2m": "1200000", "2 million": "2000000", "$ 50": "50", "ten": "10",
		"twenty five": "25", "twenty-five": "25", "hundred": "100", "three hundred": "300", "two thousand": "2000", "3bn": "3000000000",
	} {
		tokens := l.tokenise(phrase)
		if got, n := l.number(tokens, 0); got != want || n != len(tokens) {
			t.Errorf("%q: %q of %d tokens, want %q of %d", phrase, got, n, want, len(tokens))
		}
	}
	for _, phrase := range []string{"customers", "first", "1997-03", "3rd", "1.2.3", "x5"} {
		if got, n := l.number(l.tokenise(phrase), 0); n > 0 {
			t.Errorf("%q was read as %q", phrase, got)
		}
	}
}

func TestSingulars(t *testing.T) {
	for plural, want := range map[string]string{
		"customers": "customer", "categories": "category", "boxes": "box", "branches": "branch", "people": "person", "children": "child", "status": "status",
		"address": "address", "addresses": "address", "sales": "sales", "prices": "price", "sizes": "size", "class": "class", "buses": "bus", "bus": "bus",
		"matrices": "matrix", "analyses": "analysis", "series": "series", "gas": "gas", "this": "this",
	} {
		if got := english().singular(plural); got != want {
			t.Errorf("%s: %s, want %s", plural, got, want)
		}
	}
}

// Short words, words with digits and common English words are never corrected into something else.
func TestGuardsOfCorrection(t *testing.T) {
	ix := NewIndex(traders(), traderValues())
	for _, word := range []string{"cha", "frnc", "rev3nue", "order5", "house", "water", "country", "Chai"} {
		for _, tok := range ix.english.tokenise(word) {
			if vs := ix.variants(tok); len(vs) > 1 && word != "frnc" {
				t.Errorf("%s was corrected to %+v", word, vs[1:])
			}
		}
	}
	for word, want := range map[string]string{"reveneu": "revenue", "custmers": "customer", "averge": "average", "Beverges": "beverages", "Germny": "germany"} {
		vs := ix.variants(ix.english.tokenise(word)[0])
		if len(vs) != 2 || vs[1].norm != want {
			t.Errorf("%s: %+v, want %s", word, vs, want)
		}
	}
}

func TestValues(t *testing.T) {
	m := traders()
	x := NewIndex(m, traderValues()).values
	for key, want := range map[string]int{"germany": 3, "saopaulo": 2, "bbeverages": 1, "savealotmarkets": 1, "nowhere": 0, "": 0} {
		if got := len(x.exact(key)); got != want {
			t.Errorf("%q: %d entries, want %d", key, got, want)
		}
	}
	if got := x.containing([]string{"alfreds"}, 3); len(got) != 1 || got[0].text != "Alfreds Futterkiste" {
		t.Errorf("part of a name: %v", got)
	}
	if got := x.containing([]string{"futterkiste", "handel"}, 3); got != nil {
		t.Errorf("words of two names: %v", got)
	}
	if x.hasWord("maria") {
		t.Error("a personal value is indexed")
	}
}

// Declared values of a dimension are known without the data.
func TestValuesThatTheModelLists(t *testing.T) {
	m := traders()
	m.Entities[0].Dimensions = append(m.Entities[0].Dimensions, dim("status", "text"))
	m.Entities[0].Dimension("status").Values = []string{"open", "on hold"}
	r := NewIndex(m, nil).Read(Request{Question: "orders on hold by shipper", Env: traderEnv(m)})
	if want := "SELECT shippers.company_name, order_count AT shippers WHERE orders.status = 'on hold'"; r.Reading == nil || r.Reading.Query.String() != want {
		t.Errorf("%s, want %s", outcome(r), want)
	}
}

// Every phrase of the lexicon is written as the tokeniser would cut it, so that it can be found.
func TestLexiconPhrasesAreReachable(t *testing.T) {
	l := english()
	for phrase := range l.operators {
		var ws []string
		for _, tok := range l.tokenise(phrase) {
			ws = append(ws, tok.norm)
		}
		if got := strings.Join(ws, " "); got != phrase {
			t.Errorf("%q is cut into %q", phrase, got)
		}
	}
}

// Every message of the reader stands in the catalogue, and every text of the catalogue is used.
func TestCatalogueIsComplete(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	dates, err := filepath.Glob(filepath.Join("timex", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, dates...)
	var source strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(raw)
	}
	code := source.String()
	for _, key := range regexp.MustCompile(`"interpret\.[a-z_]+"`).FindAllString(code, -1) {
		key = strings.Trim(key, `"`)
		if !strings.HasSuffix(key, "_") && strings.HasPrefix(text.Say(key), "[") {
			t.Errorf("%s is not in the catalogue", key)
		}
	}
	for id := range laterConstructs(t) {
		if key := "interpret.later_" + id; strings.HasPrefix(text.Say(key), "[") {
			t.Errorf("%s is not in the catalogue", key)
		}
	}
	raw, err := os.ReadFile(filepath.Join("..", "text", "en.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^  "(interpret\.[a-z_]+)":`).FindAllStringSubmatch(string(raw), -1) {
		key := m[1]
		family := regexp.MustCompile(`^interpret\.(later|grain|say|duration|heeds)_`).MatchString(key)
		if !family && !strings.Contains(code, `"`+key+`"`) {
			t.Errorf("%s is in the catalogue and nobody uses it", key)
		}
	}
}

func laterConstructs(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, ops := range english().operators {
		for _, op := range ops {
			if op.class == "later" {
				out[op.id] = true
			}
		}
	}
	if len(out) == 0 {
		t.Fatal("no postponed construct")
	}
	return out
}
