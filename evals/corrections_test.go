package evals_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"assay/backend/analyst"
	"assay/backend/knowledge"
)

// alike is a group of corrections: those that mean the same, those that say the opposite of these, and others about the same thing.
type alike struct {
	Same     []string `json:"same"`
	Opposite []string `json:"opposite"`
	Other    []string `json:"other"`
}

// taughtPair are two corrections of different people.
type taughtPair struct {
	one, other     string
	same, opposite bool // neither: they are about the same thing, or about something else
}

// taughtPairs are the pairs of the groups of corrections.
func taughtPairs(t *testing.T) []taughtPair {
	t.Helper()
	raw, err := os.ReadFile("corrections_northwind.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var groups []alike
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var g alike
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	var pairs []taughtPair
	for i, g := range groups {
		for j, a := range g.Same {
			for _, b := range g.Same[j+1:] {
				pairs = append(pairs, taughtPair{one: a, other: b, same: true})
			}
			for _, b := range g.Opposite {
				pairs = append(pairs, taughtPair{one: a, other: b, opposite: true})
			}
			for _, b := range g.Other {
				pairs = append(pairs, taughtPair{one: a, other: b})
			}
		}
		pairs = append(pairs, taughtPair{one: g.Same[0], other: groups[(i+1)%len(groups)].Same[0]})
	}
	return pairs
}

// What has to hold of pairs of corrections, as shares.
const (
	leastPrecision = 0.95
	leastRecall    = 0.6
)

// TestCorrectionsThatMeanTheSame compares sentences of different people in pairs: which of them are taken to mean the same, and that none is taken for the same as its opposite.
func TestCorrectionsThatMeanTheSame(t *testing.T) {
	k := openIn(t, "northwind", t.TempDir()).Knowledge()
	stated := map[string]analyst.Stated{}
	read := func(words string) analyst.Stated {
		if _, known := stated[words]; !known {
			stated[words] = k.State(knowledge.ReadWords(words, ""), wallClock())
		}
		return stated[words]
	}
	pairs, opposites, right, missed, wrong, contrary := 0, 0, 0, 0, 0, 0
	judge := func(a, b string, same, opposite bool) {
		pairs++
		one, other := read(a).Relate(read(b)), read(b).Relate(read(a))
		if one != other {
			t.Errorf("%q and %q: %s one way, %s the other", a, b, one, other)
		}
		if opposite {
			opposites++
			if one == knowledge.Opposite {
				contrary++
			}
		}
		switch {
		case one == knowledge.Same && same:
			right++
		case same:
			missed++
			t.Logf("missed: %q and %q: %s", a, b, one)
		case one == knowledge.Same && opposite:
			t.Errorf("opposites that are taken for the same: %q and %q", a, b)
		case one == knowledge.Same:
			wrong++
			t.Logf("wrong: %q and %q", a, b)
		}
	}
	for _, p := range taughtPairs(t) {
		judge(p.one, p.other, p.same, p.opposite)
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("%d pairs, %d of them opposites: precision %.3f, recall %.3f; %d of the opposites are known for such", pairs, opposites, precision, recall, contrary)
	if pairs < 300 || opposites < 50 || precision < leastPrecision || recall < leastRecall {
		t.Errorf("aims: 300 pairs, 50 opposites, precision %v, recall %v", leastPrecision, leastRecall)
	}
}
