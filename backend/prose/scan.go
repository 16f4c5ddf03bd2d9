package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/frameql"

	"github.com/jinzhu/inflection"
)

// scan cuts the text into tokens and refuses what no token is.
func (l *lock) scan() {
	switch {
	case l.text == "", !utf8.ValidString(l.text):
		l.violate(Length, 0, 0)
		return
	case utf8.RuneCountInString(l.text) > mostRunes, strings.Count(l.text, "{") > mostReferences:
		l.violate(Length, 0, 60)
		return
	}
	for at := 0; at < len(l.text); {
		c, size := utf8.DecodeRuneInString(l.text[at:])
		switch {
		case c == ' ':
			at += size
		case c == '{':
			at = l.reference(at)
		case starts(l.text, at) && l.name(at):
			at = l.tokens[len(l.tokens)-1].end
			at += possessive(l.text, at)
		case asciiLetter(c):
			at = l.word(at)
		default:
			l.mark(at, c, size)
			at += size
		}
	}
	l.phrases()
}

func asciiLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// wordly says whether a rune would go on with a word.
func wordly(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) || c == '_'
}

// starts says whether a word or a name may begin at a byte.
func starts(s string, at int) bool {
	c, _ := utf8.DecodeLastRuneInString(s[:at])
	return at == 0 || !wordly(c) && c != '}' && c != '\'' && c != '’' && c != '.'
}

// closes says whether what stands at a byte ends a word, a name or a reference.
func closes(s string, at int) bool {
	if at == len(s) {
		return true
	}
	c, size := utf8.DecodeRuneInString(s[at:])
	switch c {
	case ' ', ',', ';', ':', ')':
		return true
	case '.':
		next, _ := utf8.DecodeRuneInString(s[at+size:])
		return at+size == len(s) || next == ' ' || next == ')'
	}
	return false
}

// possessive is the length of an 's at a byte; 0: there is none.
func possessive(s string, at int) int {
	for _, mark := range []string{"'s", "’s"} {
		if strings.HasPrefix(s[at:], mark) && closes(s, at+len(mark)) {
			return len(mark)
		}
	}
	return 0
}

// reference reads {r0.revenue} and gives where it ends.
func (l *lock) reference(at int) int {
	length := strings.IndexAny(l.text[at+1:], "{}")
	if length < 0 || l.text[at+1+length] != '}' {
		l.violate(Reference, at, at+20)
		return len(l.text)
	}
	end := at + length + 2
	t := token{what: value, start: at, end: end, cited: -1}
	formula, err := l.frame.parse(l.text[at+1:end-1], false)
	if err != nil {
		l.violate(Reference, at, end)
		return end
	}
	t.formula = formula
	if formula.Fn == "" && !l.frame.measure(formula.Column) {
		l.memberAt(&t)
	} else if v, ok := l.frame.value(formula); !ok || v == nil || !l.frame.told(formula) {
		l.violate(Reference, at, end)
	}
	tail := 0
	if t.what == member {
		tail = possessive(l.text, end)
	}
	c, _ := utf8.DecodeLastRuneInString(l.text[:at])
	if at > 0 && c != ' ' && c != '(' || tail == 0 && !closes(l.text, end) {
		l.violate(Structure, max(0, at-1), min(end+1, len(l.text)))
	}
	l.tokens = append(l.tokens, t)
	return end + tail
}

// memberAt makes a token of a cell of a dimension.
func (l *lock) memberAt(t *token) {
	row, column := t.formula.Row, t.formula.Column
	t.what, t.columns, t.cited = member, []int{column}, row
	if !slices.Contains(l.frame.shape.Members, column) || !slices.Contains(l.frame.members, row) {
		l.blame(Reference, t)
		return
	}
	t.rows = l.frame.holding(column, l.frame.Rows[row][column])
	if !Harmless(l.frame.word(l.frame.Rows[row][column], l.frame.Columns[column])) {
		l.blame(Address, t)
	}
}

// longestMember is how many runes of a member a sentence takes.
const longestMember = 120

// Harmless says whether a text of the data may stand in a sentence of a model: no address, no markup, nothing that moves or hides what is read.
func Harmless(s string) bool {
	lower := strings.ToLower(s)
	for _, sign := range []string{"://", "www.", "mailto:", "javascript:", "data:", "](", "![", "<", ">", "`", "@"} {
		if strings.Contains(lower, sign) {
			return false
		}
	}
	return utf8.RuneCountInString(s) <= longestMember && !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsGraphic(c) || unicode.Is(unicode.Cf, c) || c == utf8.RuneError
	})
}

// name reads the longest name of the frame that stands at a byte.
func (l *lock) name(at int) bool {
	for _, n := range l.names {
		end := at + len(n.text)
		if end > len(l.text) {
			continue
		}
		written := l.text[at:end]
		if written != n.text && (!n.folds || !strings.EqualFold(written, n.text)) {
			continue
		}
		if !closes(l.text, end) && possessive(l.text, end) == 0 {
			continue
		}
		t := token{what: label, start: at, end: end, columns: n.columns, cited: -1}
		if n.rows != nil {
			t.what, t.rows, t.literal, t.cited = member, n.rows, true, n.rows[0]
		}
		l.tokens = append(l.tokens, t)
		return true
	}
	return false
}

// word reads a word and looks it up.
func (l *lock) word(at int) int {
	end := at
	for end < len(l.text) {
		c, size := utf8.DecodeRuneInString(l.text[end:])
		if !unicode.IsLetter(c) && !unicode.IsMark(c) {
			break
		}
		end += size
	}
	written := l.text[at:end]
	lower := strings.ToLower(written)
	t := token{what: word, text: lower, start: at, end: end}
	rest := l.text[end:]
	after, size := utf8.DecodeRuneInString(rest)
	switch {
	case possessive(l.text, end) > 0: // it's, the table's
		end += possessive(l.text, end)
	case (after == '\'' || after == '’') && strings.HasSuffix(lower, "n") && strings.HasPrefix(rest[size:], "t"): // didn't
		l.violate(Negation, at, end+size+1)
		return end + size + 1
	case after == '-' && len(rest) > 1 && asciiLetter(rune(rest[1])): // each part of a word with hyphens is looked at
		end++
	case !closes(l.text, end):
		kind := Character
		switch {
		case strings.HasPrefix(rest, "."), strings.HasPrefix(rest, "@"), strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "/"):
			kind = Address
		case after != utf8.RuneError && (unicode.IsNumber(after) || unicode.IsDigit(after)):
			kind = Digit
		case strings.ContainsRune("*_`#[]<>|~", after):
			kind = Markup
		case after == '{':
			kind = Structure
		}
		l.violate(kind, at, end+max(1, size))
		return end
	}
	switch kind, refused := words.refused[lower]; {
	case refused:
		l.violate(kind, at, t.end)
	case strings.Trim(written, "IVXLCDM") == "" && written != "":
		l.violate(NumberWord, at, t.end) // a roman numeral, or I
	case words.claiming[lower] != "":
		t.class, t.claims = words.claiming[lower], true
	case words.free[lower] != "":
		t.class = words.free[lower]
	default:
		l.violate(Word, at, t.end)
	}
	l.tokens = append(l.tokens, t)
	return end
}

// mark reads a sign of punctuation, or refuses what is none.
func (l *lock) mark(at int, c rune, size int) {
	t := token{start: at, end: at + size}
	space := func(i int) bool { return i >= 0 && i < len(l.text) && l.text[i] == ' ' }
	switch c {
	case '.', ';':
		t.what = stop
		if at == 0 || space(at-1) || !closes(l.text, at+size) || strings.HasPrefix(l.text[at+size:], ".") {
			l.violate(Structure, at, at+size)
		}
	case ',', ':':
		t.what = pause
		if at == 0 || space(at-1) || !space(at+size) {
			l.violate(Structure, at, at+size)
		}
	case '–', '—': // with a space on both sides; before a number it would be a minus
		t.what = pause
		if !space(at-1) || !space(at+size) || strings.HasPrefix(strings.TrimSpace(l.text[at+size:]), "{") {
			l.violate(Structure, at, at+size)
		}
	case '(':
		t.what = open
	case ')':
		t.what = shut
		if !closes(l.text, at+size) {
			l.violate(Structure, at, at+size)
		}
	default:
		l.violate(kindOf(c), at, at+size)
		return
	}
	l.tokens = append(l.tokens, t)
}

// kindOf says why a rune is refused.
func kindOf(c rune) Kind {
	switch {
	case unicode.IsNumber(c), unicode.IsDigit(c):
		return Digit
	case strings.ContainsRune("*_`#[]<>|~!\\", c):
		return Markup
	case c == '@', c == '/':
		return Address
	case c == '%', c == '‰', c == '°', unicode.Is(unicode.Sc, c):
		return Unit
	case c == '-':
		return Structure
	}
	return Character
}

// phrases refuses runs of words: those of the lists, and those of the memo.
func (l *lock) phrases() {
	for i := range l.tokens {
		for _, p := range words.phrases {
			if l.runs(i, p.words, func(t *token) string { return t.text }) {
				l.violate(p.kind, l.tokens[i].start, l.tokens[i+len(p.words)-1].end)
			}
		}
	}
	if len(l.memo) == 0 {
		return
	}
	said := singulars(l.text)
	for _, phrase := range l.memo {
		for i := 0; i+len(phrase) <= len(said); i++ {
			if slices.Equal(said[i:i+len(phrase)], phrase) {
				l.violate(Memo, 0, len(l.text))
				return
			}
		}
	}
}

func (l *lock) runs(at int, phrase []string, text func(*token) string) bool {
	if at+len(phrase) > len(l.tokens) {
		return false
	}
	for i, w := range phrase {
		if t := &l.tokens[at+i]; t.what != word || text(t) != w {
			return false
		}
	}
	return true
}

// singulars are the words of a text in lower case and in the singular, as memos are read against questions.
func singulars(s string) []string {
	all := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	for i, w := range all {
		if len(w) < 200 {
			all[i] = inflection.Singular(w)
		}
	}
	return all
}

// name is what a column or a member is called.
type name struct {
	text    string
	folds   bool // capitals do not matter
	columns []int
	rows    []int // of a member; nil: a column
}

// namedRows is how many rows have members that can be written out: a model sees no more of them.
const namedRows = 60

// namesOf are the names that a text may use for what is in the frame.
func namesOf(f *facts) []name {
	var all []name
	add := func(n name) {
		if !namely(n.text) {
			return
		}
		for i := range all {
			if strings.EqualFold(all[i].text, n.text) {
				if !slices.Contains(all[i].columns, n.columns[0]) {
					all[i].columns = append(all[i].columns, n.columns...)
				}
				return
			}
		}
		all = append(all, n)
	}
	for i, c := range f.Columns {
		if c.Role == frameql.RoleFlag {
			continue
		}
		for _, text := range calls(c) {
			add(name{text: text, folds: true, columns: []int{i}})
		}
	}
	for _, d := range f.shape.Members {
		seen := map[string]bool{}
		for _, row := range f.members[:min(len(f.members), namedRows)] {
			s, is := f.Rows[row][d].(string)
			if !is || seen[s] || f.Columns[d].Grain != "" || f.Columns[d].Personal || !namely(s) {
				continue
			}
			seen[s] = true
			all = append(all, name{text: s, columns: []int{d}, rows: f.holding(d, s)})
		}
	}
	slices.SortStableFunc(all, func(a, b name) int { return len(b.text) - len(a.text) })
	return all
}

// calls are the ways to call a column: its label and its name, as one and as many, and of a time its grain.
func calls(c frameql.Column) []string {
	var all []string
	for _, s := range []string{c.Label, strings.ReplaceAll(c.Name, "_", " "), strings.ReplaceAll(c.Grain, "_", " ")} {
		if s != "" {
			all = append(all, s, inflection.Plural(s), inflection.Singular(s))
		}
	}
	return all
}

// namely says whether a text can be written out as a name: words without digits, not all of which mean something else in a sentence.
func namely(s string) bool {
	if utf8.RuneCountInString(s) < 2 || utf8.RuneCountInString(s) > longestMember || strings.TrimSpace(s) != s || !Harmless(s) {
		return false
	}
	own := false
	for w := range strings.FieldsFuncSeq(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) }) {
		lower := strings.ToLower(w)
		_, refused := words.refused[lower]
		own = own || !refused && words.claiming[lower] == "" && words.free[lower] == ""
	}
	first, _ := utf8.DecodeRuneInString(s)
	return own && unicode.IsLetter(first) && !strings.ContainsFunc(s, func(c rune) bool {
		return unicode.IsNumber(c) || !unicode.IsLetter(c) && !unicode.IsMark(c) && !strings.ContainsRune(" -'’&.,/()·", c)
	})
}
