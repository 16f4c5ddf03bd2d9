package pii

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// canary is a value of nobody that must never go out.
type canary struct {
	kind  Kind
	value string
}

// canaries are forty values of every kind. The numbers of cards, accounts and people are made to pass their checks; the names
// are of nobody.
func canaries() []canary {
	var all []canary
	add := func(kind Kind, values ...string) {
		for _, v := range values {
			all = append(all, canary{kind, v})
		}
	}
	add(Email, "zelda.quux@canary-one.example", "quux+tag@canarytwo.example", "q_ornith@mail.canarythree.co.example", "ö.vogel@kanarienvogel.example", "o'finch@canaryfour.example", "ZQ77@CANARYFIVE.EXAMPLE")
	add(Phone, "+49 30 23125077", "+1 (212) 555-0187", "020 7946 0733", "(5) 555-8841", "0171/5550917", "212-555-0166", "+33 1 99 00 77 31")
	add(Card, "4539 1488 0343 6467", "5500005555555559", "371449635398431", "6011000990139424", "3566-0020-2036-0505", "2223003122003222")
	add(IBAN, "DE44500105175407324931", "GB33BUKB20201555555555", "FR76 3000 6000 0112 3456 7890 189", "NL91ABNA0417164300", "CH56 0483 5012 3456 7800 9")
	add(SSN, "219-09-7781", "457 55 5462", "518-73-9021", "601-44-8210")
	add(IP, "203.0.113.77", "198.51.100.201", "2001:db8:85a3::8a2e:370:7334", "192.168.211.9", "fe80::a6c2:9ff:fe31:77")
	add(PersonName, "Zelda Quuxfinch", "Ornella Kanarini", "O'Birdie Finchley", "Jörg Vögelchen", "Anne-Marie van Piep", "Tweetson")
	add(Identifier, "X77QK0192")
	return all
}

var anyToken = regexp.MustCompile(`<[A-Z_]+_[0-9a-f]{6,}>`)

// plain is what is left of a text without signs and capitals.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !isWord(byte(r)) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// leaks gives the canaries of which anything that tells them is left in what goes out: the whole, the whole without its signs,
// or a piece of five letters or digits.
func leaks(all []canary, out string) []string {
	out = anyToken.ReplaceAllString(out, "\x01")
	bare := plain(out)
	var found []string
	for _, c := range all {
		pieces := []string{plain(c.value)}
		for _, piece := range strings.FieldsFunc(strings.ToLower(c.value), func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
			if len(piece) >= 5 && piece != "example" {
				pieces = append(pieces, piece)
			}
		}
		for _, piece := range pieces {
			if strings.Contains(bare, piece) {
				found = append(found, fmt.Sprintf("%s (%s)", c.value, piece))
				break
			}
		}
	}
	return found
}

// TestCanaries makes prompts of everything that a model may be given: frames with tagged, named and free columns, names of
// columns, samples, questions, errors of engines and JSON, all full of canaries. No byte of one goes out, and all comes back.
func TestCanaries(t *testing.T) {
	all := canaries()
	if len(all) != 40 {
		t.Fatalf("%d canaries", len(all))
	}
	prompts := 2_500 // 10,000 and more in make test-long
	if n, err := strconv.Atoi(os.Getenv("ASSAY_CASES")); err == nil {
		prompts = n
	}
	r := rand.New(rand.NewPCG(7, 40))
	tokens := 0
	for i := range prompts {
		m := maskerOf(t, fmt.Sprintf("the secret of session %d", i))
		out := prompt(t, r, m, all)
		if found := leaks(all, out); len(found) > 0 {
			t.Fatalf("prompt %d leaks %v:\n%s", i, found, out)
		}
		tokens += len(anyToken.FindAllString(out, -1))
	}
	if tokens < prompts*10 {
		t.Errorf("only %d tokens in %d prompts", tokens, prompts)
	}
	t.Logf("%d prompts, %d tokens", prompts, tokens)
}

// TestCanariesWouldBeSeen: the check of leaks finds each of the forty where nothing is masked.
func TestCanariesWouldBeSeen(t *testing.T) {
	all := canaries()
	for _, c := range all {
		if found := leaks([]canary{c}, "a prompt with "+c.value+" in it"); len(found) != 1 {
			t.Errorf("%s is not seen", c.value)
		}
	}
}

// prompt makes one prompt, sees that every part of it comes back exactly, and gives what would go out.
func prompt(t *testing.T, r *rand.Rand, m Masker, all []canary) string {
	t.Helper()
	pick := func() canary { return all[r.IntN(len(all))] }
	of := func(kinds ...Kind) canary {
		for {
			c := pick()
			for _, k := range kinds {
				if c.kind == k {
					return c
				}
			}
		}
	}
	findable := func() canary { return of(Email, Phone, Card, IBAN, SSN, IP) } // by the value alone
	columns := []Column{
		{Table: "people", Name: "who", Tag: "person_name"},
		{Table: "people", Name: "document", Tag: "passport"},
		{Table: "people", Name: "contact_phone"},
		{Table: "people", Name: "remark"},
		{Table: "people", Name: findable().value},
		{Table: "people", Name: "amount"},
		{Table: "people", Name: "card_raw"},
	}
	var rows [][]any
	named, document := of(PersonName), of(Identifier)
	for range 1 + r.IntN(3) {
		number, _ := strconv.ParseInt(plain(of(Card).value), 10, 64)
		rows = append(rows, []any{
			named.value, document.value, of(Phone).value, sentence(r, findable().value, named.value, findable().value),
			findable().value, r.Float64() * 1000, number,
		})
	}
	names, masked := m.Frame(columns, rows)
	if got := m.Vault.RestoreRows(masked); !reflect.DeepEqual(got, rows) {
		t.Fatalf("rows came back as %v, want %v", got, rows)
	}
	frame, err := json.Marshal(map[string]any{"columns": names, "rows": masked})
	if err != nil {
		t.Fatal(err)
	}
	object, err := json.Marshal(map[string]any{"contact_name": of(PersonName).value, "items": []any{findable().value, map[string]any{"phone": of(Phone).value}}, findable().value: 1})
	if err != nil {
		t.Fatal(err)
	}

	parts := []string{string(frame)}
	part := func(original, masked string) {
		if got := m.Vault.Restore(masked); got != original {
			t.Fatalf("%q came back as %q from %q", original, got, masked)
		}
		parts = append(parts, masked)
	}
	known := func(phrase string) bool {
		return slices.Contains(strings.Fields("show me orders of for Invoices and"), phrase)
	}
	question := "show me orders of " + of(PersonName).value + " and " + named.value + " for " + findable().value
	part(question, m.Question(question, known))
	failure := fmt.Sprintf("Conversion Error: Could not convert string '%s' to INT64 when casting from source column \"amount\": %s", strings.ReplaceAll(pick().value, "'", "''"), named.value)
	part(failure, m.Error(failure, "amount"))
	key := fmt.Sprintf("DETAIL: Key (who, amount)=(%s, %s) already exists.", pick().value, pick().value)
	part(key, m.Error(key, "who", "amount"))
	sample := "samples: " + sentence(r, findable().value, named.value, findable().value) + "; contact_name: " + of(PersonName).value
	part(sample, m.Text(sample))
	masks := string(m.JSON(object))
	var back, want any
	if json.Unmarshal([]byte(masks), &back) != nil || json.Unmarshal(object, &want) != nil || !reflect.DeepEqual(m.Vault.RestoreAny(back), want) {
		t.Fatalf("%s came back as %v", object, m.Vault.RestoreAny(back))
	}
	parts = append(parts, masks)
	// what a model writes of it, as it may write it
	spoken := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(m.Text(named.value) + " and " + m.Text(rows[0][2].(string)))
	if got := m.Vault.Restore(spoken); got != named.value+" and "+rows[0][2].(string) {
		t.Fatalf("%q came back as %q", spoken, got)
	}
	return strings.Join(parts, "\n")
}

// sentence puts values into a text as people write them.
func sentence(r *rand.Rand, values ...string) string {
	patterns := []string{"%s said that %s is right, see %s.", "(%s) / %s / [%s]", "%s;%s;%s", "\"%s\", \"%s\" and \"%s\"", "from %s, %s: %s!", "a=%s\nb=%s\nc=%s", "%s | %s\t%s", "<%s>, <%s>, <%s>"}
	return fmt.Sprintf(patterns[r.IntN(len(patterns))], values[0], values[1], values[2])
}
