package retrieval

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
)

// alike is a golden question with the same in other words and others over the same tables.
type alike struct {
	golden        string
	same, another []string
	group         int
}

func readAlike(t *testing.T, path string) []alike {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []alike
	group := 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		mark, question, _ := strings.Cut(line, " ")
		switch mark {
		case "":
			group++
		case "=":
			all = append(all, alike{golden: question, group: group})
		case "~":
			all[len(all)-1].same = append(all[len(all)-1].same, question)
		case "/":
			all[len(all)-1].another = append(all[len(all)-1].another, question)
		}
	}
	return all
}

func like(t *testing.T, a, b string) float64 {
	t.Helper()
	e := BuiltIn()
	x, _ := e.Embed(context.Background(), a, false)
	y, _ := e.Embed(context.Background(), b, false)
	return dot(x, y)
}

// separation measures a file: the similarities of golden questions with paraphrases, with other questions over the same tables
// and with questions about something else.
func separation(t *testing.T, path string) (same, near, far []float64, first, paraphrases int) {
	t.Helper()
	all := readAlike(t, path)
	for _, a := range all {
		for _, b := range all {
			if b.group != a.group {
				far = append(far, like(t, a.golden, b.golden))
				continue
			}
			for _, q := range b.another {
				near = append(near, like(t, a.golden, q))
			}
			if a.golden != b.golden {
				near = append(near, like(t, a.golden, b.golden))
			}
		}
		for _, q := range a.same {
			s := like(t, a.golden, q)
			same = append(same, s)
			paraphrases++
			if !slices.ContainsFunc(all, func(b alike) bool { return b.golden != a.golden && like(t, b.golden, q) >= s }) {
				first++
			}
		}
	}
	return same, near, far, first, paraphrases
}

func quantile(x []float64, q float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[min(int(q*float64(len(x))), len(x)-1)]
}

// Paraphrases score clearly higher than other questions over the same tables, which score higher than those about something
// else. Measured: see the log of this test.
func TestParaphrasesAreNearerThanOtherQuestions(t *testing.T) {
	for _, path := range []string{"testdata/alike.txt", "testdata/alike_held_out.txt"} {
		same, near, far, first, n := separation(t, path)
		t.Logf("%s: %d paraphrases: least %.2f, tenth %.2f, median %.2f; %d others over the same tables: median %.2f, ninetieth %.2f, most %.2f; "+
			"%d about something else: median %.2f, most %.2f; nearest golden query is the right one for %d of %d", path,
			len(same), quantile(same, 0), quantile(same, 0.1), quantile(same, 0.5), len(near), quantile(near, 0.5), quantile(near, 0.9), quantile(near, 1),
			len(far), quantile(far, 0.5), quantile(far, 1), first, n)
		if testing.Verbose() {
			for _, a := range readAlike(t, path) {
				for _, q := range a.same {
					t.Logf("%.2f  %s | %s", like(t, a.golden, q), a.golden, q)
				}
			}
		}
		if first < n || quantile(same, 0.1) < quantile(near, 0.9) {
			t.Errorf("%s: not apart", path)
		}
	}
}
