package sniff

import (
	"bufio"
	"io"
	"strings"
)

// Record is one record of delimited text.
type Record struct {
	Line   int // physical line on which it starts, from 1
	Fields []string
	Raw    string // as written, without the line end; cut at RawLimit bytes
	Size   int    // bytes of the whole record
	Mended bool   // a quote was not closed, or stood where none may stand, and was read as a character
}

// RawLimit bounds the raw text that is kept of a record, in bytes.
const RawLimit = 2000

// farthest bounds the bytes behind an opening quote in which its end is looked for.
const farthest = 64 << 20

// Scanner cuts delimited text into records, quotes and all, and mends what is broken: a quote inside a quoted field that
// ends nothing is a character, a quote that is never closed opens nothing, and a carriage return that stands alone ends a
// record which has all its fields, or every record where that is what most of them do. Well-formed text is cut as the engine's reader cuts it.
type Scanner struct {
	r       *bufio.Reader
	delim   byte
	esc     byte
	width   int          // fields of a record; 0: not known
	padded  bool         // a record may have fewer
	returns bool         // every carriage return outside of quotes ends a record
	lone    map[bool]int // carriage returns that stand alone outside of quotes, by whether the record had all its fields
	part    bool         // the text is a beginning: where it ends, a field may go on
	ahead   []string     // physical lines that were read and not used, with their line ends
	line    int          // of the first of them
	end     bool
}

const byteOrderMark = "\ufeff"

// NewScanner reads from r. It does not know how many fields a record has.
func NewScanner(r io.Reader, delim, esc byte) *Scanner {
	s := &Scanner{r: bufio.NewReaderSize(r, 1<<16), delim: delim, esc: esc, line: 1, lone: map[bool]int{}}
	if mark, err := s.r.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = s.r.Discard(len(byteOrderMark))
	}
	return s
}

// Scanner reads text of this dialect.
func (d Dialect) Scanner(r io.Reader) *Scanner {
	s := NewScanner(r, d.Delimiter, d.Escape)
	s.width, s.padded, s.returns = len(d.Columns), d.Padded, d.Returns
	return s
}

// AtEnd reports whether the last record was ended by the end of the input and not by a line end.
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
	first, ok := s.peek(0)
	if !ok {
		s.end = true
		return Record{}, false
	}
	c := cutting{Scanner: s}
	used, size := 0, 0
	for text := first; ; {
		body, lineEnd := cutLineEnd(text)
		c.take(body)
		used, size = used+1, size+len(text)
		if !c.quoted || size > farthest || c.odd && s.complete(s.alone(first).fields) {
			break
		}
		if text, ok = s.peek(used); !ok {
			break
		}
		c.field = append(c.field, lineEnd...)
	}
	if cutOff := c.quoted && !ok && s.part; !cutOff && (c.quoted || (used > 1 || c.crossed) && (c.odd || !s.complete(c.fields))) {
		if alone := s.alone(first); c.quoted || s.complete(alone.fields) {
			c, used, size = alone, 1, len(first)
		}
	}
	rec := Record{Line: s.line, Fields: c.fields, Mended: c.mended, Size: size}
	rec.Raw = s.use(used, c.rest)
	return rec, true
}

// complete reports whether there are as many fields as a record has.
func (s *Scanner) complete(fields []string) bool {
	return s.width == 0 || len(fields) == s.width || s.padded && len(fields) < s.width
}

// alone cuts one line without those that follow: a quote that is open at its end opens nothing.
func (s *Scanner) alone(text string) cutting {
	body, _ := cutLineEnd(text)
	opens := map[int]bool{}
	for {
		c := cutting{Scanner: s, literal: opens}
		c.take(body)
		switch {
		case c.quoted:
			opens[len(c.fields)] = true
		case c.crossed && c.odd:
			opens[c.suspect] = true
		default:
			c.mended = true
			return c
		}
	}
}

// peek gives the physical line that stands i lines ahead, with its line end.
func (s *Scanner) peek(i int) (string, bool) {
	for len(s.ahead) <= i {
		text, err := s.r.ReadString('\n')
		if text == "" {
			return "", false
		}
		s.ahead = append(s.ahead, text)
		if err != nil {
			break
		}
	}
	if i >= len(s.ahead) {
		return "", false
	}
	return s.ahead[i], true
}

// use takes lines away and gives their raw text. rest is the end of the last of them, which is a line of its own.
func (s *Scanner) use(lines int, rest *string) string {
	var raw strings.Builder
	for _, text := range s.ahead[:lines] {
		if raw.Len() < RawLimit {
			raw.WriteString(text[:min(len(text), RawLimit-raw.Len())])
		}
	}
	last := s.ahead[lines-1]
	s.end = !strings.HasSuffix(last, "\n")
	s.ahead, s.line = s.ahead[lines:], s.line+lines
	whole, _ := cutLineEnd(raw.String())
	if rest != nil {
		body, lineEnd := cutLineEnd(last)
		whole = strings.TrimSuffix(whole, "\r"+*rest)
		if *rest+lineEnd != "" && body != "" {
			s.ahead = append([]string{*rest + lineEnd}, s.ahead...)
		}
	}
	return whole
}

func cutLineEnd(text string) (body, lineEnd string) {
	body = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	return body, text[len(body):]
}

// cutting is a record that is being cut.
type cutting struct {
	*Scanner
	literal map[int]bool // fields whose opening quote opens nothing
	fields  []string
	field   []byte
	quoted  bool
	odd     bool    // within a quoted field stands what looks like the beginning of another one
	suspect int     // the field in which it does
	crossed bool    // a quoted field goes over a carriage return
	mended  bool    // see Record
	rest    *string // what follows a carriage return that ended the record; nil: none did
}

// take cuts a line. When it leaves a quote open the record goes on in the next one.
func (c *cutting) take(text string) {
	for i := 0; ; i++ {
		if !c.quoted { // at the beginning of a field
			if i < len(text) && text[i] == '"' && !c.literal[len(c.fields)] {
				c.quoted = true
				i++
			} else if i, c.rest = c.plain(text, i); i == len(text) {
				return
			} else {
				continue
			}
		}
		if i = c.inQuotes(text, i); c.quoted {
			return
		}
		if i, c.rest = c.plain(text, i); i == len(text) { // what follows the closing quote
			return
		}
	}
}

// inQuotes takes the text of a quoted field and gives the place behind its closing quote.
func (c *cutting) inQuotes(text string, i int) int {
	for ; i < len(text); i++ {
		at := text[i]
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case at == c.esc && next == '"':
			empty := i+2 == len(text) || text[i+2] == c.delim
			if at == '"' && empty {
				c.suspectAt(text, i)
			}
			c.field = append(c.field, '"')
			i++
		case at != '"':
			c.crossed = c.crossed || at == '\r'
			c.field = append(c.field, at)
		case i+1 == len(text) || next == c.delim || next == '\r':
			c.quoted = false
			return i + 1
		default:
			c.suspectAt(text, i)
			c.mended = true
			c.field = append(c.field, at)
		}
	}
	return i
}

// suspectAt notes a quote within a quoted field that stands where a field could begin.
func (c *cutting) suspectAt(text string, i int) {
	if i == 0 || text[i-1] == c.delim || text[i-1] == '\r' {
		c.odd, c.suspect = true, len(c.fields)
	}
}

// plain takes text up to the end of the field and gives the place of the delimiter, or the end of the text with the record
// finished. rest is what stands behind a carriage return that ended it.
func (c *cutting) plain(text string, i int) (end int, rest *string) {
	start := i
	for ; i < len(text); i++ {
		if text[i] == c.delim {
			c.finish(text[start:i])
			return i, nil
		}
		if text[i] != '\r' {
			continue
		}
		full := len(c.fields)+1 == c.width
		c.lone[full]++
		if full || c.returns {
			c.finish(text[start:i])
			after := text[i+1:]
			return len(text), &after
		}
	}
	c.finish(text[start:])
	return len(text), nil
}

// finish ends a field with the last of its text.
func (c *cutting) finish(text string) {
	if c.literal[len(c.fields)] {
		text = strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)
	}
	c.fields = append(c.fields, string(c.field)+text)
	c.field = c.field[:0]
}
