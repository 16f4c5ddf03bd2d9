package knowledge

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// Worked is what one answer was about: names of the model, and values as conditions in Frame-QL.
type Worked struct {
	At         time.Time
	Metrics    []string
	Dimensions []string // entity.dimension
	Entities   []string
	Values     []Valued
}

// Valued is a value of an entity that was asked about.
type Valued struct {
	Entity string
	Value  string // entity.dimension = 'value'
}

// PairKind says what belongs together.
type PairKind string

// The kinds of pairs.
const (
	MetricDimension PairKind = "metric_dimension"
	EntityValue     PairKind = "entity_value"
)

// Pair is two things that a person asks about together.
type Pair struct {
	Kind  PairKind  `json:"kind" enum:"metric_dimension,entity_value"`
	One   string    `json:"one" doc:"A metric, or an entity"`
	Other string    `json:"other" doc:"A dimension, or a value as a condition in Frame-QL"`
	Times int       `json:"times" doc:"Answers"`
	Last  time.Time `json:"last"`
}

// Interest is something that a person asks about.
type Interest struct {
	Kind   string    `json:"kind" enum:"metric,dimension,entity,value"`
	Name   string    `json:"name"`
	Times  int       `json:"times" doc:"Answers"`
	Last   time.Time `json:"last"`
	Weight float64   `json:"weight" doc:"0 to 1: how much of it is left, half of an answer after 30 days, beside what is asked about most"`
}

// interestDays is after how many days an answer counts half for what a person is interested in.
const interestDays = 30

// MostTold is how many pairs and interests are told at most.
const MostTold = 50

// Together are the pairs that answers were about, the most frequent first, then the latest, then by name. An answer counts once for each.
func Together(all []Worked) []Pair {
	type key struct {
		kind       PairKind
		one, other string
	}
	counted := map[key]*Pair{}
	add := func(k key, at time.Time) {
		p := counted[k]
		if p == nil {
			p = &Pair{Kind: k.kind, One: k.one, Other: k.other}
			counted[k] = p
		}
		p.Times++
		if at.After(p.Last) {
			p.Last = at
		}
	}
	for _, w := range all {
		of := map[key]bool{}
		for _, m := range w.Metrics {
			for _, d := range w.Dimensions {
				of[key{MetricDimension, m, d}] = true
			}
		}
		for _, v := range w.Values {
			of[key{EntityValue, v.Entity, v.Value}] = true
		}
		for k := range of {
			add(k, w.At)
		}
	}
	out := make([]Pair, 0, len(counted))
	for p := range maps.Values(counted) {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.Last.Compare(a.Last), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.One, b.One), cmp.Compare(a.Other, b.Other))
	})
	return out[:min(len(out), MostTold)]
}

// Interests are what answers were about, the weightiest first, then by kind and name: each answer counts for each thing once, and half of it after interestDays. A clock that went back makes nothing younger than
// new.
func Interests(all []Worked, now time.Time) []Interest {
	type key struct{ kind, name string }
	counted := map[key]*Interest{}
	for _, w := range all {
		of := map[key]bool{}
		for kind, names := range map[string][]string{"metric": w.Metrics, "dimension": w.Dimensions, "entity": w.Entities} {
			for _, name := range names {
				of[key{kind, name}] = true
			}
		}
		for _, v := range w.Values {
			of[key{"value", v.Value}] = true
		}
		left := math.Exp2(-max(now.Sub(w.At).Hours()/24, 0) / interestDays)
		for k := range of {
			i := counted[k]
			if i == nil {
				i = &Interest{Kind: k.kind, Name: k.name}
				counted[k] = i
			}
			i.Times, i.Weight = i.Times+1, i.Weight+left
			if w.At.After(i.Last) {
				i.Last = w.At
			}
		}
	}
	most := 0.0
	for i := range maps.Values(counted) {
		most = max(most, i.Weight)
	}
	out := make([]Interest, 0, len(counted))
	for i := range maps.Values(counted) {
		i.Weight = math.Round(1000*i.Weight/most) / 1000
		out = append(out, *i)
	}
	slices.SortFunc(out, func(a, b Interest) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), MostTold)]
}

// Recall ranks what was found by how like it is to some words: what it is about by name counts as alike, and what was used in the session in view, and what its person is interested in, go before what is
// as near otherwise. All are 0 to 1, and so is what it gives.
func Recall(alike float64, named, used bool, interest float64) float64 {
	if named {
		alike = leastNamed + wordsOfNamed*alike
	}
	if used {
		alike += usedBoost * (1 - alike)
	}
	return alike + interestBoost*min(max(interest, 0), 1)*(1-alike)
}

// How much recall goes by a name, by the session in view and by interests.
const (
	leastNamed    = 0.7
	wordsOfNamed  = 0.2 // what the words still count for there
	usedBoost     = 0.3
	interestBoost = 0.1
)
