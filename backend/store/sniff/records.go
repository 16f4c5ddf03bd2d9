package sniff

import (
	"bufio"
	"io"
)

// Record is one record of delimited text.
type Record struct {
	Line   int // physical line on which it starts, from 1
	Fields []string
	Raw    string // as written, without the line end; cut at RawLimit bytes
	Size   int    // bytes of the whole record
}

// RawLimit bounds the raw text that is kept of a record, in bytes.
const RawLimit = 2000

// Scanner cuts delimited text into records, quotes and all. It serves samples and the search for rejected lines; the
// engine's own reader does the load.
type Scanner struct {
	r     *bufio.Reader
	delim byte
	esc   byte
	line  int
	end   bool
}

// NewScanner reads from r.
func NewScanner(r io.Reader, delim, esc byte) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, 1<<16), delim: delim, esc: esc, line: 1}
}

// AtEnd says whether the last record was ended by the end of the input and not by a line end.
func (s *Scanner) AtEnd() bool { return s.end }

// Next gives the next record, leaving out empty lines; false at the end of the input or when reading fails.
func (s *Scanner) Next() (Record, bool) {
	for {
		rec, ok := s.record()
		if !ok {
			return rec, false
		}
		if len(rec.Fields) == 1 && rec.Fields[0] == "" && rec.Raw == "" {
			continue
		}
		return rec, true
	}
}

func (s *Scanner) record() (Record, bool) {
	rec := Record{Line: s.line}
	var field, raw []byte
	quoted, opened, any := false, false, false
	keep := func(c byte) {
		if len(raw) < RawLimit {
			raw = append(raw, c)
		}
	}
	finish := func() (Record, bool) {
		rec.Fields = append(rec.Fields, string(field))
		rec.Raw = string(raw)
		return rec, true
	}
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			s.end = true
			if !any {
				return rec, false
			}
			return finish()
		}
		any = true
		rec.Size++
		if c == '\n' {
			s.line++
		}
		if quoted {
			keep(c)
			switch {
			case c == s.esc && s.peek() == '"':
				s.skip()
				keep('"')
				field = append(field, '"')
			case c == '"':
				quoted = false
			default:
				field = append(field, c)
			}
			continue
		}
		switch {
		case c == '"' && len(field) == 0 && !opened:
			keep(c)
			quoted, opened = true, true
		case c == s.delim:
			keep(c)
			rec.Fields = append(rec.Fields, string(field))
			field, opened = field[:0], false
		case c == '\r' && s.peek() == '\n':
			s.skip()
			s.line++
			return finish()
		case c == '\n':
			return finish()
		default:
			keep(c)
			field = append(field, c)
		}
	}
}

// skip passes over the byte that peek gave.
func (s *Scanner) skip() { _, _ = s.r.Discard(1) }

// peek gives the next byte, 0 at the end.
func (s *Scanner) peek() byte {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0
	}
	return b[0]
}
