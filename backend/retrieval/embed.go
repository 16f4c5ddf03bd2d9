package retrieval

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"unicode"

	stemmer "github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"

	"assay/backend/fault"
	"assay/backend/text"
)

// Embedder turns a text into a vector of unit length. Two texts are as alike as the product of their vectors says: 1 is the
// same, 0 has nothing in common.
type Embedder struct {
	ID         string // with its version: vectors of another id are not compared with its own
	Dimensions int
	Embed      func(ctx context.Context, text string, frameQL bool) ([]float32, error)

	Many     func(ctx context.Context, texts []string) ([][]float32, error) // questions, as many as there are, at once; nil: Embed is asked for each
	Baseline float64                                                        // how alike texts are that have nothing in common; below 1
}

// Foreign is an embedder that stands elsewhere: many gives a vector of one length for each text. It is asked once, with a few sentences that have nothing in common: how
// alike it holds these is taken as nothing in common, so that a similarity means what it does with the built-in one. Frame-QL is never given to it, but read by the
// built-in one, which knows its clauses.
//
// Faults: those of many; Internal (what it gives are no vectors).
func Foreign(ctx context.Context, id string, many func(ctx context.Context, texts []string) ([][]float32, error)) (Embedder, error) {
	vectors, err := many(ctx, unlike)
	if err != nil {
		return Embedder{}, err
	}
	bad := fault.New(fault.Internal, "embed", text.Say("retrieval.bad_vector", "embedder", id), "")
	if len(vectors) != len(unlike) || len(vectors[0]) == 0 {
		return Embedder{}, bad
	}
	e := Embedder{ID: id, Dimensions: len(vectors[0]), Many: many, Embed: func(ctx context.Context, t string, _ bool) ([]float32, error) {
		one, err := many(ctx, []string{t})
		if err == nil && len(one) != 1 {
			err = bad
		}
		if err != nil {
			return nil, err
		}
		return one[0], nil
	}}
	sum, n := 0.0, 0
	for i := range vectors {
		if vectors[i], err = e.unit(vectors[i]); err != nil {
			return Embedder{}, err
		}
		for j := range i {
			sum, n = sum+dot(vectors[i], vectors[j]), n+1
		}
	}
	e.Baseline = math.Min(0.95, math.Max(0, sum/float64(n)))
	return e, nil
}

// unlike are sentences that have nothing in common.
var unlike = []string{
	"The kettle whistles while the cat sleeps on the windowsill.", "Employees hired before 1990", "A glacier moves slower than the moss beneath it.", "total revenue by month",
	"Parliament adjourned without a vote on the fishing treaty.", "average delivery time of ships", "She tuned her violin in the rain.", "stock that is out of date",
}

// unit checks what an embedder gives: the right dimensions, numbers, and a length to be made 1. Fault Internal.
func (e Embedder) unit(v []float32) ([]float32, error) {
	length := math.Sqrt(dot(v, v))
	if len(v) != e.Dimensions || !(length > 1e-6) || math.IsInf(length, 0) {
		return nil, fault.New(fault.Internal, "embed", text.Say("retrieval.bad_vector", "embedder", e.ID), "")
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / length)
	}
	return unit, nil
}

const (
	builtInVersion    = 1
	builtInDimensions = 512
)

// What a feature weighs beside the word that it comes from, and what kinds of words weigh.
const (
	pairWeight    = 0.35 // two words that follow each other
	gramWeight    = 0.45 // the letters of a word, all its trigrams together: a misspelled or derived word is still near
	weakWeight    = 0.2
	forWeight     = 0.05
	shapeWeight   = 0.75
	timeWeight    = 0.55
	numberWeight  = 0.2 // that there is a number, and as much which one: the same question about another year is the same
	longestText   = 8 << 10
	keywordWeight = 0.5 // of Frame-QL
	literalWeight = 0.15
	nameWeight    = 1.0
)

//go:embed words.txt
var wordsFile string

// BuiltIn is the embedder that needs nothing: hashed words, pairs of words and letter trigrams, with the logarithm of how
// often each occurs. Words are reduced to their stems and to one of those that mean the same; words that only ask are left out.
// Frame-QL is read by its clauses: the metric of a SELECT is another feature than the same name in a WHERE.
//
// The names of a model may come along: each group are those of one thing, which are read as the first of them is. Another model makes another
// embedder, with another ID, so that what was embedded with the former one is embedded anew.
func BuiltIn(names ...[]string) Embedder {
	words, id := readWords(wordsFile), "assay-ngrams-"+strconv.Itoa(builtInVersion)
	if len(names) > 0 {
		words = words.with(names)
		id += "-" + hashOfNames(names)
	}
	return Embedder{
		ID: id, Dimensions: builtInDimensions,
		Embed: func(_ context.Context, said string, frameQL bool) ([]float32, error) {
			if len(said) > longestText {
				said = said[:longestText]
			}
			f := features{}
			if frameQL {
				f.query(said)
			} else {
				f.question(words, said)
			}
			return f.vector(builtInDimensions), nil
		},
	}
}

func hashOfNames(groups [][]string) string {
	sum := sha256.New()
	for _, names := range groups {
		_, _ = fmt.Fprintf(sum, "%q\n", names) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// features are how much of each there is in a text.
type features map[string]float64

func (f features) add(name string, weight float64) {
	if weight > 0 {
		f[name] += weight
	}
}

// question takes the words of a question.
func (f features) question(words *wordList, text string) {
	before := ""
	counted := map[string]float64{}
	weights := map[string]float64{}
	for _, t := range words.read(text) {
		if t.weight == 0 {
			continue
		}
		counted["w:"+t.stem]++
		weights["w:"+t.stem] = t.weight
		if t.weight > weakWeight {
			if before != "" {
				counted["p:"+before+" "+t.stem]++
				weights["p:"+before+" "+t.stem] = pairWeight * t.weight
			}
			before = t.stem
		}
		if t.letters {
			grams := trigrams(t.stem)
			for _, g := range grams {
				counted["g:"+g]++
				weights["g:"+g] = gramWeight * t.weight / math.Sqrt(float64(len(grams)))
			}
		}
		if t.number {
			counted["n:#"]++
			weights["n:#"] = numberWeight
		}
	}
	for name, n := range counted {
		f.add(name, weights[name]*(1+math.Log(n)))
	}
}

// vector hashes the features into a vector of unit length. Each has a place and a sign by its hash, so that two that fall on
// one place cancel as often as they add. A text without features gives a vector that is like nothing but itself.
func (f features) vector(dimensions int) []float32 {
	if len(f) == 0 {
		f.add("empty", 1)
	}
	sums := make([]float64, dimensions)
	for _, name := range sorted(f) { // in order: sums of floats depend on it
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // never fails
		bits := mix(h.Sum64())
		sign := 1.0
		if bits>>63 == 1 {
			sign = -1
		}
		sums[bits%uint64(dimensions)] += sign * f[name]
	}
	length := 0.0
	for _, x := range sums {
		length += x * x
	}
	length = math.Sqrt(length)
	vector := make([]float32, dimensions)
	if length < 1e-9 { // every feature was canceled by another
		vector[0] = 1
		return vector
	}
	for i, x := range sums {
		vector[i] = float32(x / length)
	}
	return vector
}

// mix spreads a hash over all its bits (the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// trigrams gives the letters of a word, three by three, with its ends marked.
func trigrams(word string) []string {
	runes := []rune("^" + word + "$")
	var all []string
	for i := 0; i+3 <= len(runes); i++ {
		all = append(all, string(runes[i:i+3]))
	}
	return all
}

// plain is lower case without accents: "Umsätze" gives "umsatze".
func plain(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func stem(word string) string { return stemmer.Stem(word, false) }
