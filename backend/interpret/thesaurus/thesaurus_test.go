package thesaurus

import (
	"slices"
	"strings"
	"testing"
)

// shares says whether two nouns name a concept together.
func shares(a, b string) bool {
	return slices.ContainsFunc(Senses(a), func(s Sense) bool {
		return slices.ContainsFunc(Senses(b), func(o Sense) bool { return o.Concept == s.Concept })
	})
}

func TestNounsThatNameOneConceptShareIt(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"car", "automobile", true},
		{"teacher", "instructor", true},
		{"manufacturer", "maker", true},
		{"surname", "family name", true},
		{"teacher", "car", false},
		{"teacher", "no such word", false},
	} {
		if got := shares(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func TestMoreGeneralConcepts(t *testing.T) {
	singer, musician := Senses("singer")[0].Concept, Senses("musician")[0].Concept
	if !slices.Contains(Above(singer), musician) {
		t.Error("a singer is a musician")
	}
	if slices.Contains(Above(musician), singer) {
		t.Error("not every musician is a singer")
	}
	if thing, car := Breadth(Senses("entity")[0].Concept), Breadth(Senses("car")[0].Concept); thing != 16 && thing != 17 || car >= 8 {
		t.Errorf("breadth of entity %d, of car %d", thing, car)
	}
}

// Every word is found at its place, and every concept lies within the table.
func TestTableIsWhole(t *testing.T) {
	at, last, found := parts.words, "", 0
	for i := range parts.lemmas {
		shared, rest := int(extract[at]), int(extract[at+1])
		word := extract[at+2 : at+2+rest]
		if i%blockSize != 0 {
			word = last[:shared] + word
		}
		if word <= last {
			t.Fatalf("%q stands behind %q", word, last)
		}
		senses, next := sensesAt(at + 2 + rest)
		for _, s := range senses {
			if int(s.Concept) >= parts.concepts {
				t.Fatalf("%q names concept %d of %d", word, s.Concept, parts.concepts)
			}
		}
		if i%97 == 0 {
			if got := Senses(word); len(got) != len(senses) {
				t.Fatalf("%q is not found", word)
			}
			found++
		}
		at, last = next, strings.Clone(word)
	}
	if at != parts.conceptIndex || found < 500 {
		t.Errorf("the words end at %d, their place at %d; %d looked up", at, parts.conceptIndex, found)
	}
	for c := range Concept(parts.concepts) {
		for _, up := range Above(c) {
			if int(up) >= parts.concepts {
				t.Fatalf("concept %d lies below %d of %d", c, up, parts.concepts)
			}
		}
	}
}

func BenchmarkSenses(b *testing.B) {
	for b.Loop() {
		Senses("manufacturer")
	}
}

func BenchmarkAbove(b *testing.B) {
	c := Senses("car")[0].Concept
	for b.Loop() {
		Above(c)
	}
}
