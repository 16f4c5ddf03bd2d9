package pii

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func masker(t testing.TB) Masker { return maskerOf(t, "a secret of one session") }

func maskerOf(t testing.TB, secret string) Masker {
	t.Helper()
	v, err := NewVault([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return Masker{Vault: v}
}

// TestTokensAreStable within a session, and say nothing across sessions.
func TestTokensAreStable(t *testing.T) {
	m := masker(t)
	one := m.Text("mail jane@example.com")
	if !regexp.MustCompile(`^mail <EMAIL_[0-9a-f]{6}>$`).MatchString(one) {
		t.Fatal(one)
	}
	_, rows := m.Frame([]Column{{Name: "email", Tag: "email"}, {Name: "x"}}, [][]any{{"jane@example.com", "jane@example.com!"}})
	if "mail "+rows[0][0].(string) != one || rows[0][1] != rows[0][0].(string)+"!" {
		t.Errorf("%v, %s", rows, one)
	}
	if again := masker(t).Text("mail jane@example.com"); again != one {
		t.Errorf("the same secret gives %s and %s", one, again)
	}
	if other := maskerOf(t, "the secret of another").Text("mail jane@example.com"); other == one {
		t.Errorf("two sessions share %s", one)
	}
	if _, err := NewVault([]byte("short")); err == nil {
		t.Error("a short secret is taken")
	}
}

// TestTokensNeverCollide: with far more values than six digits tell apart, each value has its own token and comes back.
func TestTokensNeverCollide(t *testing.T) {
	m := masker(t)
	seen, longer := map[string]string{}, 0
	const n = 30_000
	for i := range n {
		value := fmt.Sprintf("person%d@example.com", i)
		token := m.Vault.Token(Email, value)
		if other, twice := seen[token]; twice {
			t.Fatalf("%s and %s share %s", value, other, token)
		}
		seen[token] = value
		if len(token) > len("<EMAIL_123456>") {
			longer++
		}
	}
	if longer == 0 {
		t.Error("no two values collided: the test shows nothing")
	}
	for token, value := range seen {
		if got := m.Vault.Restore(token); got != value {
			t.Fatalf("%s came back as %s, want %s", token, got, value)
		}
	}
	if m.Vault.Len() != n {
		t.Errorf("%d values", m.Vault.Len())
	}
}

// TestForgedTokensStayText: what the vault did not give out is text, whoever wrote it; and text of the data that looks like a
// token, even like one that is in use, comes back as that text.
func TestForgedTokensStayText(t *testing.T) {
	m := masker(t)
	real := m.Vault.Token(Email, "jane@example.com")
	for _, forged := range []string{"<EMAIL_000000>", "<EMAIL_12>", "<EMAIL_>", "EMAIL_000000", "<CARD_" + real[7:], "<email_zzzzzz>", "<NOSUCH_123456>", real[:len(real)-2] + "0>"} {
		if got := m.Vault.Restore("see " + forged); got != "see "+forged {
			t.Errorf("%s became %s", forged, got)
		}
	}
	for _, text := range []string{real, "cell says " + real, strings.ToLower(real), real[1 : len(real)-1], "&lt;" + real[1:len(real)-1] + "&gt;", "<EMAIL_000000>", "EMAIL_000000 and jane@example.com"} {
		masked := m.Text(text)
		if strings.Contains(masked, real) && !strings.Contains(text, "jane@") {
			t.Errorf("%q went out as a real token: %q", text, masked)
		}
		if got := m.Vault.Restore(masked); got != text {
			t.Errorf("%q came back as %q from %q", text, got, masked)
		}
	}
}

// TestTokensSurviveAModel: the ways in which a model writes a token back.
func TestTokensSurviveAModel(t *testing.T) {
	m := masker(t)
	token := m.Vault.Token(PersonName, "Jane Canary")
	inner := token[1 : len(token)-1]
	for _, written := range []string{
		token, strings.ToLower(token), strings.ToUpper(token), "&lt;" + inner + "&gt;", `\u003c` + inner + `\u003e`, `\<` + inner + `\>`, "< " + inner + " >", inner,
		`\<` + strings.Replace(inner, "PERSON_NAME_", `PERSON_NAME\_`, 1) + `\>`,
	} {
		if got := m.Vault.Restore("**" + written + "**'s orders"); got != "**Jane Canary**'s orders" {
			t.Errorf("%s: %s", written, got)
		}
	}
	if got := m.Vault.Restore("`" + token + "`," + token + token); got != "`Jane Canary`,Jane CanaryJane Canary" {
		t.Error(got)
	}
}

// TestRestoreSQL: a value never becomes a part of the statement.
func TestRestoreSQL(t *testing.T) {
	m := masker(t)
	token := m.Vault.Token(PersonName, "O'Neil'; DROP TABLE t; --")
	for statement, want := range map[string]string{
		"SELECT 1 WHERE name = '" + token + "'":            "SELECT 1 WHERE name = 'O''Neil''; DROP TABLE t; --'",
		"SELECT 1 WHERE name = " + token:                   "SELECT 1 WHERE name = 'O''Neil''; DROP TABLE t; --'",
		"SELECT 'it''s' WHERE name LIKE '%" + token + "%'": "SELECT 'it''s' WHERE name LIKE '%O''Neil''; DROP TABLE t; --%'",
	} {
		if got := m.Vault.RestoreSQL(statement); got != want {
			t.Errorf("%s\n got  %s\n want %s", statement, got, want)
		}
	}
}

// TestFrameComesBackExactly with the types of its cells.
func TestFrameComesBackExactly(t *testing.T) {
	m := masker(t)
	columns := []Column{
		{Table: "customers", Name: "contact", Tag: "person_name"},
		{Table: "customers", Name: "phone"},
		{Table: "customers", Name: "note"},
		{Table: "customers", Name: "card"},
		{Table: "customers", Name: "amount"},
		{Table: "customers", Name: "is_active", Tag: "email"},
	}
	rows := [][]any{
		{"Jane Canary", int64(2125550123), "Jane Canary wrote from jane@example.com", int64(4111111111111111), 12.5, true},
		{nil, nil, "", int64(10248), json.Number("12345.67"), false},
		{"", json.Number("2125550124"), "JANE CANARY", "x", nil, nil},
	}
	names, masked := m.Frame(columns, rows)
	if !reflect.DeepEqual(names, []string{"contact", "phone", "note", "card", "amount", "is_active"}) {
		t.Errorf("%v", names)
	}
	out := fmt.Sprint(masked)
	for _, leak := range []string{"Jane", "JANE", "Canary", "2125550123", "2125550124", "jane@", "4111"} {
		if strings.Contains(out, leak) {
			t.Errorf("%s leaks: %s", leak, out)
		}
	}
	type odd struct{ Mail string }
	for _, x := range []struct {
		column Column
		cell   any
		leak   string
	}{
		{Column{Name: "x"}, odd{"jane@example.com"}, "jane"},
		{Column{Name: "x"}, []byte("jane@example.com"), "jane"},
		{Column{Name: "x"}, []any{"jane@example.com", map[string]any{"phone": "555"}}, "jane"},
		{Column{Name: "x", Tag: "email"}, []any{"a", "b"}, "a b"},
		{Column{Name: "x"}, float64(4111111111111111), "4.11"},
		{Column{Name: "dob"}, 19700101, "1970"},
		{Column{Name: "x"}, json.Number("4111111111111111"), "4111"},
	} {
		if got := fmt.Sprint(m.Value(x.column, x.cell)); strings.Contains(got, x.leak) {
			t.Errorf("%v: %s", x.cell, got)
		}
	}
	if got := m.Value(Column{Name: "x"}, 203.0113); got != 203.0113 {
		t.Errorf("%v", got)
	}
	if masked[1][3] != int64(10248) || masked[0][4] != 12.5 || masked[0][5] != true || masked[1][0] != nil || masked[2][0] != "" {
		t.Errorf("%v", masked)
	}
	if got := m.Vault.RestoreRows(masked); !reflect.DeepEqual(got, rows) {
		t.Errorf("%#v\nwant %#v", got, rows)
	}
}

// TestJSON: keys are read like names of columns, and numbers keep their digits.
func TestJSON(t *testing.T) {
	m := masker(t)
	raw := `{"a":[{"email":"x1","n":12345678901234567890.10}],"contact":{"first_name":"Jane","phone":["5550100",5550101]},"jane@example.com":null,"password":"p","note":"of Jane"}`
	masked := string(m.JSON([]byte(raw)))
	for _, leak := range []string{"x1", "Jane", "555010", "jane@", `:"p"`} {
		if strings.Contains(masked, leak) {
			t.Errorf("%s leaks: %s", leak, masked)
		}
	}
	if !strings.Contains(masked, "12345678901234567890.10") || !strings.Contains(masked, `"email":"<EMAIL_`) {
		t.Error(masked)
	}
	var got, want any
	d := json.NewDecoder(strings.NewReader(masked))
	d.UseNumber()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	e := json.NewDecoder(strings.NewReader(raw))
	e.UseNumber()
	if err := e.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if got = m.Vault.RestoreAny(got); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	for _, raw := range []string{`{"a":1} {"b":"jane@example.com"}`, `[1,`, ``, `"jane@example.com"`, `4111111111111111`, `{"phone":{"home":["a",null,true,""]}}`} {
		masked := string(m.JSON([]byte(raw)))
		if strings.Contains(masked, "jane") || strings.Contains(masked, "4111") || strings.Contains(masked, `"a",`) {
			t.Errorf("%s: %s", raw, masked)
		}
		if raw[:min(1, len(raw))] != "{" && m.Vault.Restore(masked) != raw && raw[0] != '4' {
			t.Errorf("%s came back as %s", raw, m.Vault.Restore(masked))
		}
	}
	if got := string(m.JSON([]byte("not json: jane@example.com"))); strings.Contains(got, "jane") {
		t.Error(got)
	}
}

// TestError: engines quote what they choke on.
func TestError(t *testing.T) {
	for _, x := range []struct{ message, leak string }{
		{`Conversion Error: Could not convert string 'Zoe' to INT32 when casting from source column name`, "Zoe"},
		{`invalid input syntax for type integer: "Zoe O'Canary"`, "Zoe Canary"},
		{"ERROR: duplicate key value violates unique constraint \"orders\"\nDETAIL: Key (contact)=(Zoe, Ann) already exists.", "Zoe Ann"},
		{`DETAIL: Failing row contains (17, Zoe, null, Canary).`, "Zoe Canary"},
		{"CSV Error on Line: 3\nOriginal Line: 7,Zoe,Canary\nExpected 4 columns", "Zoe Canary"},
		{`Duplicate entry 'Zoe-Canary' for key 'orders.name'`, "Zoe Canary"},
		{`Incorrect integer value: 'it''s Zoe`, "Zoe"},
		{`Invalid Input Error: could not parse "Zoe" according to format`, "Zoe"},
	} {
		m := masker(t)
		got := m.Error(x.message, "orders", "name")
		for _, leak := range strings.Fields(x.leak) {
			if strings.Contains(got, leak) {
				t.Errorf("%s leaks: %s", leak, got)
			}
		}
		if back := m.Vault.Restore(got); back != x.message {
			t.Errorf("%q came back as %q", x.message, back)
		}
	}
	const plain = `Binder Error: column "name" of 'orders' can't be found in "orders.name" at 12:30`
	if got := masker(t).Error(plain, "orders", "name"); got != plain {
		t.Errorf("identifiers are gone: %s", got)
	}
}

// TestQuestion: names in a question that nobody knows.
func TestQuestion(t *testing.T) {
	known := func(phrase string) bool {
		for _, w := range []string{"show", "revenue", "orders", "new york", "new", "york", "northwind", "january", "q3", "what", "did", "traders", "i", "beverages"} {
			if strings.EqualFold(w, phrase) {
				return true
			}
		}
		return false
	}
	for question, want := range map[string]string{
		"Show orders of Jane Canary in New York": "Show orders of <*> in New York",
		"Jane Canary's orders":                   "<*>'s orders",
		"Show Jane Canary":                       "Show <*>",
		"What did Canary order in January?":      "What did <*> order in January?",
		"Revenue of Beverages by EMEA for Q3":    "Revenue of Beverages by EMEA for Q3",
		"orders of Anne-Marie van der Canary":    "orders of <*>",
		"revenue by month":                       "revenue by month",
	} {
		m := masker(t)
		got := m.Question(question, known)
		if plain := regexp.MustCompile(`<PERSON_NAME_[0-9a-f]+>`).ReplaceAllString(got, "<*>"); plain != want {
			t.Errorf("%s\n got  %s\n want %s", question, got, want)
		}
		if back := m.Vault.Restore(got); back != question {
			t.Errorf("%q came back as %q", question, back)
		}
	}
	if got := masker(t).Question("orders of Jane Canary", nil); got != "orders of Jane Canary" {
		t.Error(got)
	}
}

// TestKnownValues: what was masked once is masked wherever it stands, in other capitals, and a person by one name.
func TestKnownValues(t *testing.T) {
	m := masker(t)
	m.Frame([]Column{{Name: "who", Tag: "person_name"}, {Name: "p", Tag: "phone"}}, [][]any{{"Jane van Canary", "A-77 18-2"}, {"May", "1"}, {"Bo", "12345"}, {"Rose Price", "x"}})
	for text, want := range map[string]string{
		"jane van canary and JANE VAN CANARY":   "* and *",
		"Canary, Jane":                          "*, *",
		"canary birds and jane":                 "canary birds and jane",
		"Jane's, (Canary)":                      "*'s, (*)",
		"xJane Janet":                           "xJane Janet",
		"in May 1997, 1 of 12345 for Bo":        "in May 1997, 1 of 12345 for Bo",
		"Price of Rose wine":                    "Price of Rose wine",
		"rose price":                            "*",
		"code A-77 18-2, a-77 18-2, A-77 18-20": "code *, *, A-77 18-20",
	} {
		got := m.Text(text)
		if plain := anyToken.ReplaceAllString(got, "*"); plain != want {
			t.Errorf("%s: %s, want %s", text, plain, want)
		}
		if back := m.Vault.Restore(got); back != text {
			t.Errorf("%q came back as %q", text, back)
		}
	}
	m.Vault.Learn(PersonName, "Zelda Quux", " Zelda Quux ")
	if got := m.Text("by Zelda Quux"); strings.Contains(got, "Zelda") {
		t.Error(got)
	}
}

// TestMaskingIsExact for texts that are put together of everything that is special.
func TestMaskingIsExact(t *testing.T) {
	pieces := []string{
		"jane@example.com", "<EMAIL_000000>", "EMAIL_3f9a1c", "4111 1111 1111 1111", "+49 30 901820", "'", `"`, "\\", "<", ">", "_", " ", "Dr. Jane", "password=x", "é", "\xff", "DE89370400440532013000", "\u00a0", "\u200b", "＠", "Canary", "ß",
		"203.0.113.7", "2001:db8::1", ":", "=", "\n", "(", ")", "name", "Jane Canary", "&lt;", "SSN 123-45-6789", "a", "0", ".",
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := masker(t)
		m.Vault.Learn(PersonName, "Jane Canary")
		for range rapid.IntRange(1, 4).Draw(rt, "texts") {
			s := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(rt, "text"), rapid.SampledFrom([]string{"", " "}).Draw(rt, "between"))
			for name, masked := range map[string]string{"text": m.Text(s), "error": m.Error(s, "name"), "question": m.Question(s, func(string) bool { return false })} {
				if got := m.Vault.Restore(masked); got != s {
					rt.Fatalf("%s %q came back as %q from %q", name, s, got, masked)
				}
			}
		}
	})
}

// TestVaultIsShared by the goroutines of a session: they get the same tokens.
func TestVaultIsShared(t *testing.T) {
	m := masker(t)
	results := make(chan string)
	for range 4 {
		go func() {
			var all []string
			for i := range 200 {
				masked := m.Text(fmt.Sprintf("mail person%d@example.com, Dr. Jane", i))
				if m.Vault.Restore(masked) == masked {
					masked = "nothing came back"
				}
				all = append(all, masked)
			}
			results <- strings.Join(all, "\n")
		}()
	}
	first := <-results
	for range 3 {
		if other := <-results; other != first {
			t.Error("two goroutines got different tokens")
		}
	}
}
