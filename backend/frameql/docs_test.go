package frameql_test

import (
	"os"
	"strings"
	"testing"

	. "assay/backend/frameql"
)

// TestPageOfTheLanguage reads every example of docs/frameql.md, and looks for every word of the language there.
func TestPageOfTheLanguage(t *testing.T) {
	raw, err := os.ReadFile("../../docs/frameql.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	blocks := 0
	for i, block := range strings.Split(page, "```") {
		language, body, _ := strings.Cut(block, "\n")
		if i%2 == 0 { // text between blocks
			continue
		}
		switch language {
		case "frameql":
			for _, text := range queriesOf(body) {
				blocks++
				q, err := Parse(text)
				if err != nil {
					t.Errorf("%s\n%v", text, err)
					continue
				}
				if problem := roundTrip(q); problem != "" {
					t.Errorf("%s: %s", text, problem)
				}
			}
		case "json":
			blocks++
			q, err := ParseJSON([]byte(body))
			if err != nil {
				t.Errorf("%s\n%v", body, err)
			} else if err := compiled(t, Schema())(marshalled(t, q)); err != nil {
				t.Error(err)
			}
		}
	}
	if blocks < 40 {
		t.Errorf("%d examples", blocks)
	}
	for _, word := range Words() {
		if !strings.Contains(page, word) {
			t.Errorf("the page lacks %s", word)
		}
	}
}

// queriesOf takes the queries of a block apart: each begins with EXPLAIN, or with SELECT when nothing but SELECT does.
func queriesOf(block string) []string {
	if strings.HasPrefix(block, "EXPLAIN") {
		return []string{block}
	}
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		if strings.HasPrefix(line, "SELECT") || len(all) == 0 {
			all = append(all, line)
		} else {
			all[len(all)-1] += "\n" + line
		}
	}
	return all
}
