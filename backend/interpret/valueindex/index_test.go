package valueindex

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"assay/backend/spelling"
)

func cut(s string) []string { return strings.Fields(strings.ToLower(s)) }

func (x *Index) textsOf(ids []uint32) string {
	var all []string
	for _, id := range ids {
		all = append(all, fmt.Sprintf("%d:%s", x.Column(id), x.Text(id)))
	}
	return strings.Join(all, ", ")
}

func small() *Index {
	return Build([][]string{
		{"Germany", "France", "United Kingdom", "Germany", "", "germany"},
		{"Alfreds Futterkiste", "Ana Trujillo", "Germany", "Antonio Moreno"},
		{},
		{"new york city", "newyork city", "Boston 1"},
	}, cut)
}

func TestExact(t *testing.T) {
	x := small()
	for key, want := range map[string]string{
		"germany": "0:Germany, 0:germany, 1:Germany", "unitedkingdom": "0:United Kingdom", "newyorkcity": "3:new york city, 3:newyork city",
		"nowhere": "", "": "", "germ": "",
	} {
		if got := x.textsOf(x.Exact(key)); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
	if x.Len() != 11 {
		t.Errorf("%d texts", x.Len())
	}
}

func TestContaining(t *testing.T) {
	x := small()
	for words, want := range map[string]string{"city": "3:new york city, 3:newyork city", "york city": "3:new york city", "trujillo": "1:Ana Trujillo", "ana moreno": "", "x": ""} {
		if got := x.textsOf(x.Containing(strings.Fields(words), 3)); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
	if x.Containing([]string{"city"}, 1) != nil {
		t.Error("more than asked for")
	}
	if !x.HasWord("trujillo") || x.HasWord("truj") || x.HasWord("") {
		t.Error("words")
	}
}

func TestNear(t *testing.T) {
	x := small()
	for word, want := range map[string]string{
		"germny": "germany 1", "gremany": "germany 1", "germannny": "germany 2", "futterkist": "futterkiste 1", "futrekiste": "futterkiste 2",
		"fuxxerkiste": "futterkiste 2", "ermany": "", "bosto": "boston 1", "xyz": "", "germany": "germany 0",
	} {
		words, edits := x.Near(word, 2)
		got := ""
		if len(words) > 0 {
			got = fmt.Sprintf("%s %d", strings.Join(words, " "), edits)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if words, _ := x.Near("germannny", 1); words != nil {
		t.Errorf("two edits where one is allowed: %v", words)
	}
}

func TestBeginning(t *testing.T) {
	x := small()
	for prefix, want := range map[string]string{
		"ger": "0:Germany, 1:Germany, 0:germany", "fut": "1:Alfreds Futterkiste", "an": "1:Ana Trujillo, 1:Antonio Moreno", "newy": "3:new york city, 3:newyork city", "zz": "", "": "",
	} {
		if got := x.textsOf(x.Beginning(prefix, 5)); got != want {
			t.Errorf("%q: %s, want %s", prefix, got, want)
		}
	}
	if n := len(x.Beginning("ger", 2)); n != 2 {
		t.Errorf("%d", n)
	}
}

func TestAnEmptyIndex(t *testing.T) {
	x := Build(nil, cut)
	if x.Len() != 0 || x.Exact("a") != nil || x.HasWord("a") || x.Containing([]string{"a"}, 1) != nil || x.Beginning("a", 1) != nil {
		t.Error("an empty index has something")
	}
	if words, _ := x.Near("abcd", 2); words != nil {
		t.Error("an empty index repairs something")
	}
}

// Every misspelling of one edit behind the first letter is repaired, and a small vocabulary repairs two.
func TestNearFindsWhatAScanFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{500, deepVocab + 1000} {
		var column []string
		for range size {
			column = append(column, syllables(r, 2+r.IntN(3)))
		}
		x := Build([][]string{column}, cut)
		most := 2
		if size > deepVocab {
			most = 1
		}
		for range 20 + 90_000/size {
			w := column[r.IntN(len(column))]
			typo := w
			for range 1 + r.IntN(most) {
				typo = mistype(r, typo)
			}
			var want []string
			best := most
			for k := range x.words.len() {
				v := x.words.word(k)
				if e := spelling.Distance(typo, v, best); e <= best && v[0] == typo[0] {
					if e < best {
						want, best = nil, e
					}
					want = append(want, v)
				}
			}
			if got, _ := x.Near(typo, most); !slices.Equal(got, want) {
				t.Fatalf("%q of %q among %d: %v, a scan finds %v", typo, w, size, got, want)
			}
		}
	}
}

func mistype(r *rand.Rand, w string) string {
	i := 1 + r.IntN(len(w)-1)
	letter := string(rune('a' + r.IntN(26)))
	switch r.IntN(4) {
	case 0:
		return w[:i] + letter + w[i:]
	case 1:
		if len(w) < 6 {
			return w
		}
		return w[:i] + w[i+1:]
	case 2:
		return w[:i] + letter + w[i+1:]
	default:
		if i+1 >= len(w) {
			return w
		}
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	}
}

func syllables(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte("bcdfghjklmnpqrstvwz"[r.IntN(19)])
		b.WriteByte("aeiou"[r.IntN(5)])
		if r.IntN(2) == 0 {
			b.WriteByte("lmnrst"[r.IntN(6)])
		}
	}
	return b.String()
}

// warehouse makes half a million values in 100 columns from a vocabulary of so many words.
func warehouse(vocabulary int) [][]string {
	r := rand.New(rand.NewPCG(3, 4))
	words := make([]string, vocabulary)
	for i := range words {
		words[i] = syllables(r, 2+r.IntN(3))
	}
	columns := make([][]string, 100)
	for c := range columns {
		for v := range 5000 {
			text := words[(c*5000+v)%vocabulary] + " " + words[r.IntN(vocabulary)]
			if r.IntN(2) == 0 {
				text += " " + words[r.IntN(vocabulary)]
			}
			columns[c] = append(columns[c], text)
		}
	}
	return columns
}

// BenchmarkBuild says how long half a million values take and what they weigh: few words that come again, and many that do not.
func BenchmarkBuild(b *testing.B) {
	for _, vocabulary := range []int{50_000, 400_000} {
		columns := warehouse(vocabulary)
		b.Run(fmt.Sprintf("words=%d", vocabulary), func(b *testing.B) {
			var x *Index
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for b.Loop() {
				x = Build(columns, cut)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
			b.ReportMetric(float64(x.words.len()), "words")
			runtime.KeepAlive(columns)
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	columns := warehouse(400_000)
	x := Build(columns, cut)
	key := strings.ReplaceAll(columns[50][100], " ", "")
	word := cut(columns[50][100])[0]
	typo := word[:2] + word[3:]
	for name, f := range map[string]func(){
		"exact": func() { x.Exact(key) }, "missing": func() { x.Exact("nosuchkeyhere") }, "word": func() { x.HasWord(word) },
		"near": func() { x.Near(typo, 1) }, "near2": func() { x.Near(typo+"xq", 2) }, "beginning": func() { x.Beginning(word[:2], 8) },
		"containing": func() { x.Containing(cut(columns[50][100]), 3) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}
