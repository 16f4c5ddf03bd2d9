// Package thesaurus says how English words are related: an extract of WordNet 3.1 (Princeton University; its licence
// stands beside this file in LICENSE.wordnet). It knows concepts, the nouns that name each one by how usual the sense is,
// and what is more general than a concept. It knows nothing of models and decides nothing.
//
// The extract is one flat table of 1.1 MB that is searched where it lies in the executable: nothing is loaded and nothing is
// kept. It is written by scripts/thesaurus: six lengths behind a mark; an index and the words in alphabetical order, sixteen
// to a block, each without what it shares with the one before; an index and the concepts by number.
package thesaurus

import _ "embed" // the extract

//go:embed wordnet.bin
var extract string

// Concept is one meaning.
type Concept int

// Sense is a concept that a noun names, the most usual one first. Seen says how often it was met in texts, 255 at most.
type Sense struct {
	Concept Concept
	Seen    int
}

const (
	headSize  = 8 + 6*4
	blockSize = 16
)

// table is the extract with the places of its parts.
type table struct{ lemmas, concepts, wordIndex, words, conceptIndex, conceptData int }

var parts = func() table {
	n := func(i int) int { return uint32At(8 + 4*i) }
	t := table{lemmas: n(0), concepts: n(1), wordIndex: headSize}
	t.words = t.wordIndex + n(2)
	t.conceptIndex = t.words + n(3)
	t.conceptData = t.conceptIndex + n(4)
	return t
}()

func uint32At(at int) int {
	return int(extract[at]) | int(extract[at+1])<<8 | int(extract[at+2])<<16 | int(extract[at+3])<<24
}

// uvarint reads a number and gives the place behind it.
func uvarint(at int) (value, next int) {
	for shift := 0; ; shift += 7 {
		b := extract[at]
		at++
		value |= int(b&0x7f) << shift
		if b < 0x80 {
			return value, at
		}
	}
}

// Senses gives the concepts that a noun names, or a few words with spaces between them, in lower case and the singular.
// There are none when it is not known.
func Senses(word string) []Sense {
	if word == "" {
		return nil
	}
	blocks := (parts.lemmas + blockSize - 1) / blockSize
	low, high := 0, blocks // the last block that does not begin behind the word
	for low+1 < high {
		mid := (low + high) / 2
		at := parts.words + uint32At(parts.wordIndex+4*mid)
		if first := extract[at+2 : at+2+int(extract[at+1])]; first <= word {
			low = mid
		} else {
			high = mid
		}
	}
	at := parts.words + uint32At(parts.wordIndex+4*low)
	var buffer [256]byte
	for range min(blockSize, parts.lemmas-low*blockSize) {
		shared, rest := int(extract[at]), int(extract[at+1])
		at += 2
		n := shared + copy(buffer[shared:], extract[at:at+rest])
		at += rest
		switch found := string(buffer[:n]); {
		case found == word:
			senses, _ := sensesAt(at)
			return senses
		case found > word:
			return nil
		}
		at = behindSenses(at)
	}
	return nil
}

func sensesAt(at int) (senses []Sense, next int) {
	n := int(extract[at])
	at++
	for range n {
		var c int
		c, at = uvarint(at)
		senses = append(senses, Sense{Concept(c), int(extract[at])})
		at++
	}
	return senses, at
}

func behindSenses(at int) int {
	n := int(extract[at])
	at++
	for range n {
		_, at = uvarint(at)
		at++
	}
	return at
}

// Above gives what is next more general than a concept.
func Above(c Concept) []Concept {
	at, head := conceptAt(c)
	var out []Concept
	for range head & 7 {
		var up int
		up, at = uvarint(at)
		out = append(out, Concept(up))
	}
	return out
}

// Breadth says how general a concept is: the digits of the binary number of concepts below it. 0 has none below, the most
// general ones have 16.
func Breadth(c Concept) int {
	_, head := conceptAt(c)
	return head >> 3
}

// conceptAt gives the place behind the first byte of a concept, and that byte.
func conceptAt(c Concept) (at, head int) {
	at = parts.conceptData + uint32At(parts.conceptIndex+4*(int(c)/blockSize))
	for range int(c) % blockSize {
		ups := int(extract[at] & 7)
		at++
		for range ups {
			_, at = uvarint(at)
		}
	}
	return at + 1, int(extract[at])
}
