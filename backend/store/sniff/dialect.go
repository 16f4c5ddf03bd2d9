package sniff

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Dialect says how a delimited text is cut into fields.
type Dialect struct {
	Delimiter byte
	Escape    byte // what stands before a quote inside quotes: '"' or '\\'
	Skip      int  // physical lines before the header or the first record
	Header    bool
	Columns   []string    // as written; column_1, column_2 … where there is no header or a name is empty; unique
	Returns   bool        // carriage returns that stand alone end records
	Padded    bool        // records are regularly shorter than the header: what is missing is empty
	Renamed   [][2]string // columns whose names were taken already: as they are called, and as the header has them
}

var delimiters = []byte{',', ';', '\t', '|', '^'}

// sampled is the number of records that the dialect is judged on.
const sampled = 500

// Delimited reads the dialect of a sample of UTF-8 text and gives the records behind the header with it. complete says that
// the sample is the whole text; otherwise its last record is not used, being cut off. prefer is believed in a draw ('\t' for
// a .tsv), 0 for none. ok is false when there is no record at all.
func Delimited(sample []byte, complete bool, prefer byte) (d Dialect, records [][]string, ok bool) {
	return Given{}.Delimited(sample, complete, prefer)
}

// Given is what is known of a text and is not judged. The zero value is nothing.
type Given struct {
	Delimiter byte  // 0: not known
	Header    *bool // nil: not known
	Skip      *int  // physical lines above the table; nil: not known
}

// Delimited is Delimited where some things are known.
func (g Given) Delimited(sample []byte, complete bool, prefer byte) (d Dialect, records [][]string, ok bool) {
	said := 0
	if c, n := separatorLine(sample); n > 0 && g.Skip == nil {
		said, sample = 1, sample[n:]
		if g.Delimiter == 0 {
			g.Delimiter = c
		}
	}
	old := bytes.Count(sample, []byte("\r"))-bytes.Count(sample, []byte("\r\n")) > bytes.Count(sample, []byte("\n"))
	best := -1.0
	for _, esc := range []byte{'"', '\\'} {
		if esc == '\\' && !bytes.Contains(sample, []byte(`\"`)) {
			continue
		}
		for _, c := range g.delimiters() {
			recs := cut(sample, complete, Dialect{Delimiter: c, Escape: esc, Returns: old}, 0, sampled)
			if len(recs) == 0 {
				continue
			}
			score := consistency(recs)
			if c == prefer && score > 0 {
				score += 0.05
			}
			if score > best {
				best, d = score, Dialect{Delimiter: c, Escape: esc, Returns: old}
			}
		}
	}
	if best < 0 {
		return d, nil, false
	}
	if best == 0 && g.Delimiter == 0 { // one column
		d.Delimiter = ','
		if prefer != 0 {
			d.Delimiter = prefer
		}
	}
	width := modal(cut(sample, complete, d, 0, 0))
	d.Returns = old || returns(sample, d, width)
	all := cut(sample, complete, d, width, 0) // what is broken is mended by the number of fields
	if len(all) == 0 {
		return d, nil, false
	}
	first := 0
	switch {
	case g.Skip != nil:
		for first < len(all) && all[first].Line <= *g.Skip {
			first++
		}
		if first == len(all) {
			return d, nil, false
		}
		width = modal(all[first:])
	default:
		for first < len(all) && first < 20 && len(all) > first+1 && above(all[first], width, len(all)-first) {
			first++
		}
	}
	d.Skip = all[first].Line - 1 + said
	for _, r := range all[first:] {
		records = append(records, r.Fields)
	}
	if g.Header != nil {
		d.Header = *g.Header
	} else {
		d.Header = HasHeader(records)
	}
	names := records[0]
	if d.Header {
		records = records[1:]
	} else {
		names = nil
	}
	if len(names) > width && len(records) > 0 {
		d.Padded = true
		width = len(names)
	}
	d.Columns = Names(names, width)
	d.Renamed = renamed(names, d.Columns)
	return d, records, true
}

func (g Given) delimiters() []byte {
	if g.Delimiter != 0 {
		return []byte{g.Delimiter}
	}
	return delimiters
}

// separatorLine gives the delimiter that a first line such as sep=; names, and the bytes of that line; 0: there is none.
func separatorLine(sample []byte) (delimiter byte, size int) {
	m := separator.FindSubmatch(sample)
	switch {
	case m == nil:
		return 0, 0
	case string(m[1]) == `\t`:
		return '\t', len(m[0])
	default:
		return m[1][0], len(m[0])
	}
}

var separator = regexp.MustCompile(`^(?i:"?sep=)(\\t|[!#-/:-@[-\x60{-~ \t])"?(?:\r\n|\n|\r)`)

// above reports whether a record stands above the table and is not its header. left is the number of records from it on.
func above(r Record, width, left int) bool {
	if len(r.Fields) >= width {
		return false
	}
	return strings.HasPrefix(r.Raw, "#") || left > 2 && preamble(r, width)
}

// preamble says whether a short record is a title above the table and not its header: at most one field is filled, or it
// has less than half of the fields.
func preamble(r Record, width int) bool {
	filled := 0
	for _, f := range r.Fields {
		if strings.TrimSpace(f) != "" {
			filled++
		}
	}
	return filled <= 1 && width > 2 || len(r.Fields)*2 < width
}

// cut gives the records of a sample, limit at most; 0: all. width is the number of fields of a record; 0: not known.
func cut(sample []byte, complete bool, d Dialect, width, limit int) []Record {
	s := NewScanner(bytes.NewReader(sample), d.Delimiter, d.Escape)
	s.width, s.part, s.returns = width, !complete, d.Returns
	var recs []Record
	for limit == 0 || len(recs) < limit {
		r, ok := s.Next()
		if !ok {
			break
		}
		recs = append(recs, r)
	}
	if !complete && s.AtEnd() && len(recs) > 1 {
		recs = recs[:len(recs)-1]
	}
	return recs
}

// returns reports whether most of the carriage returns that stand alone in a text stand behind all fields of a record.
func returns(sample []byte, d Dialect, width int) bool {
	s := NewScanner(bytes.NewReader(sample), d.Delimiter, d.Escape)
	s.width = width
	for {
		if _, ok := s.Next(); !ok {
			return s.lone[true] > s.lone[false]
		}
	}
}

// consistency is 0 for one column, otherwise the share of records with the usual number of fields, a little higher for
// more fields.
func consistency(recs []Record) float64 {
	width := modal(recs)
	if width < 2 {
		return 0
	}
	n := 0
	for _, r := range recs {
		if len(r.Fields) == width {
			n++
		}
	}
	return float64(n)/float64(len(recs)) + 0.001*float64(min(width, 100))
}

func modal(recs []Record) int {
	counts := map[int]int{}
	best := 1
	for _, r := range recs {
		n := len(r.Fields)
		counts[n]++
		if counts[n] > counts[best] || counts[n] == counts[best] && n > best {
			best = n
		}
	}
	return best
}

// HasHeader judges the first record against the others.
func HasHeader(records [][]string) bool {
	head := records[0]
	seen := map[string]bool{}
	filled := 0
	for _, h := range head {
		h = strings.ToLower(strings.TrimSpace(h))
		if h != "" {
			seen[h] = true
			filled++
		}
	}
	if filled == 0 {
		return false
	}
	years := yearColumns(head)
	misfit, typed, shaped, repeats := false, false, false, 0
	for i, h := range head {
		own := Infer([]Value{{Text: h, Count: 1}}, Options{}).Type
		if own != Text && !years {
			return false
		}
		var below []Value
		distinct := map[string]int64{}
		for _, r := range records[1:] {
			if i < len(r) && len(below) < 200 {
				if distinct[r[i]]++; distinct[r[i]] == 1 {
					below = append(below, Value{Text: r[i], Count: 1})
				}
			}
		}
		if distinct[h] > 0 && h != "" {
			repeats++
		}
		if Infer(below, Options{}).Type != Text {
			typed = true
			misfit = misfit || own == Text && h != ""
		}
		shaped = shaped || misshapen(h, below)
	}
	again := len(seen) > 1 && slices.ContainsFunc(records[1:], func(r []string) bool { return slices.Equal(r, head) })
	switch {
	case again && !typed: // a long table says its headings once more
		return true
	case misfit || len(records) == 1 || years && typed:
		return true
	case typed:
		return shaped && repeats == 0 && filled > 1
	default: // text over text: names do not come back as values
		return repeats*2 < len(head) && (len(seen) == filled || shaped)
	}
}

// misshapen says whether a text without a digit stands over texts that all have digits, such as scores and dates in words: it is their heading, even
// where two columns are called alike.
func misshapen(h string, below []Value) bool {
	digits := func(s string) bool { return strings.ContainsAny(s, "0123456789") }
	filled := 0
	for _, v := range below {
		if strings.TrimSpace(v.Text) == "" {
			continue
		}
		if filled++; !digits(v.Text) {
			return false
		}
	}
	return filled >= 3 && strings.TrimSpace(h) != "" && !digits(h)
}

// yearColumns says whether the numbers of a header are years, as in a table with a column for each year.
func yearColumns(head []string) bool {
	years, texts := 0, 0
	last := 0
	for _, h := range head {
		n, err := strconv.Atoi(strings.TrimSpace(h))
		switch {
		case err == nil && n >= 1900 && n <= 2100 && n > last:
			years, last = years+1, n
		case err != nil && strings.TrimSpace(h) != "":
			texts++
		default:
			return false
		}
	}
	return years > 1 && texts > 0
}

// Names makes column names of a header: blanks cut, the empty ones numbered, the repeated ones told apart, width of them.
// Case does not tell names apart, because it does not in the engine.
func Names(head []string, width int) []string {
	names := make([]string, 0, max(width, len(head)))
	taken := map[string]bool{}
	for _, h := range head {
		taken[strings.ToLower(strings.TrimSpace(h))] = true
	}
	used := map[string]bool{}
	for i := range max(width, len(head)) {
		name := ""
		if i < len(head) {
			name = strings.TrimSpace(strings.Map(printable, head[i]))
		}
		if name == "" {
			name = "column_" + strconv.Itoa(i+1)
		}
		unique := name
		for n := 2; used[strings.ToLower(unique)] || unique != name && taken[strings.ToLower(unique)]; n++ {
			unique = name + "_" + strconv.Itoa(n)
		}
		used[strings.ToLower(unique)] = true
		names = append(names, unique)
	}
	return names
}

// renamed gives the columns whose names were taken already: as they are called, and as the header has them.
func renamed(head, names []string) [][2]string {
	var all [][2]string
	for i, h := range head {
		if h = strings.TrimSpace(strings.Map(printable, h)); h != "" && h != names[i] {
			all = append(all, [2]string{names[i], h})
		}
	}
	return all
}

func printable(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}
