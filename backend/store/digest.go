package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"unicode/utf8"
)

// textFacts are what a walk over all bytes of a text tells.
type textFacts struct {
	utf8     bool // every byte belongs to valid UTF-8
	nul      bool // there is a NUL
	newlines bool // there is a line feed; without one, lines may end with a carriage return alone
	highC1   bool // there is a byte that windows-1252 does not have (81 8d 8f 90 9d)
	longest  int  // bytes of the longest line, where it is longer than what is read at a time

	carry []byte // an unfinished UTF-8 sequence
	line  int    // bytes since the last line feed
}

func newTextFacts() textFacts { return textFacts{utf8: true} }

func (t *textFacts) add(p []byte) {
	t.nul = t.nul || bytes.IndexByte(p, 0) >= 0
	if first := bytes.IndexByte(p, '\n'); first >= 0 {
		t.newlines = true
		t.longest = max(t.longest, t.line+first)
		t.line = len(p) - 1 - bytes.LastIndexByte(p, '\n')
	} else {
		t.line += len(p)
		t.longest = max(t.longest, t.line)
	}
	if t.utf8 {
		rest := p
		if len(t.carry) > 0 {
			rest = append(append([]byte(nil), t.carry...), p...)
		}
		cut := len(rest)
		for i := 1; i < utf8.UTFMax && i <= len(rest); i++ {
			if tail := rest[len(rest)-i:]; utf8.RuneStart(tail[0]) {
				if !utf8.FullRune(tail) {
					cut = len(rest) - i
				}
				break
			}
		}
		if t.utf8 = utf8.Valid(rest[:cut]); t.utf8 {
			t.carry = append([]byte(nil), rest[cut:]...)
		}
	}
	if !t.utf8 && !t.highC1 {
		for _, b := range []byte{0x81, 0x8d, 0x8f, 0x90, 0x9d} {
			t.highC1 = t.highC1 || bytes.IndexByte(p, b) >= 0
		}
	}
}

// end closes the walk: an unfinished sequence at the end is no UTF-8.
func (t *textFacts) end() { t.utf8 = t.utf8 && len(t.carry) == 0 }

// digest reads a whole file: its SHA-256 and what its bytes tell about its text. It ends early when the context does.
func digest(ctx context.Context, path string, step func(done int64)) (epoch string, facts textFacts, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", facts, err
	}
	defer f.Close()
	hash := sha256.New()
	facts = newTextFacts()
	buf := make([]byte, 1<<20)
	var done int64
	for {
		if err := ctx.Err(); err != nil {
			return "", facts, err
		}
		n, err := f.Read(buf)
		hash.Write(buf[:n])
		facts.add(buf[:n])
		done += int64(n)
		if step != nil {
			step(done)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", facts, err
		}
	}
	facts.end()
	return "sha256:" + hex.EncodeToString(hash.Sum(nil)), facts, nil
}
