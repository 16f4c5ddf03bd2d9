package interpret

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Mark is a piece of a question and what it was understood as. Marks stand in the order of the question and do not overlap.
type Mark struct {
	Start   int      `json:"start" doc:"In UTF-16 units, as a browser counts"`
	End     int      `json:"end"`
	Text    string   `json:"text"`
	Kind    MarkKind `json:"kind" enum:"metric,dimension,value,time,ranking,comparison,manner,unread"`
	Meaning string   `json:"meaning" doc:"What it was read as, in words; empty: nothing"`
	Sure    bool     `json:"sure" doc:"The words name it themselves"`
}

// MarkKind is what a piece of a question is to the query.
type MarkKind string

// The kinds of marks.
const (
	MarkMetric     MarkKind = "metric"
	MarkDimension  MarkKind = "dimension"
	MarkValue      MarkKind = "value"
	MarkTime       MarkKind = "time"
	MarkRanking    MarkKind = "ranking"
	MarkComparison MarkKind = "comparison"
	MarkManner     MarkKind = "manner" // how to answer or to draw: no part of the query
	MarkUnread     MarkKind = "unread" // nothing
)

// markOf gives the kind of a slot of the reader.
func markOf(slot string) MarkKind {
	switch slot {
	case "metric", "aggregate":
		return MarkMetric
	case "dimension", "grain", "entity":
		return MarkDimension
	case "time":
		return MarkTime
	case "top", "order":
		return MarkRanking
	case "comparison", "compare":
		return MarkComparison
	default: // value, filter and what else narrows
		return MarkValue
	}
}

// Marks gives the marks of a question that was read. Read is what the reader saw: the question with blanks, byte for byte, where
// words say how to answer.
func (res Result) Marks(question, read string) []Mark {
	var all []Mark
	put := func(start, end int, kind MarkKind, meaning string, sure bool) {
		for start < end && question[start] == ' ' {
			start++
		}
		for start < end && question[end-1] == ' ' {
			end--
		}
		taken := slices.ContainsFunc(all, func(m Mark) bool { return start < m.End && m.Start < end })
		if start >= 0 && start < end && end <= len(question) && !taken {
			all = append(all, Mark{start, end, question[start:end], kind, meaning, sure})
		}
	}
	for _, s := range res.Spans {
		if s.Start >= 0 && s.Start < s.End && s.End <= len(question) {
			put(s.Start, s.End, markOf(s.Slot), s.means(), s.Method == MethodExact)
		}
	}
	for _, w := range res.Unread {
		for _, at := range placesOf(w, question) {
			put(at[0], at[1], MarkUnread, "", false)
		}
	}
	for from := 0; len(read) == len(question) && from < len(question); from++ {
		to := from
		for to < len(question) && read[to] == ' ' && question[to] != read[to] || to > from && to < len(question) && question[to] == ' ' && read[to] == ' ' {
			to++
		}
		if to > from {
			put(from, to, MarkManner, "", true)
			from = to
		}
	}
	slices.SortFunc(all, func(a, b Mark) int { return cmp.Compare(a.Start, b.Start) })
	inUnits(all, question)
	return all
}

// placesOf finds words in a question as whole words, whatever stands between them.
func placesOf(words, question string) [][]int {
	var parts []string
	for _, w := range strings.Fields(words) {
		parts = append(parts, regexp.QuoteMeta(w))
	}
	if len(parts) == 0 {
		return nil
	}
	e, err := regexp.Compile(`(?i)` + strings.Join(parts, `\s+`))
	if err != nil {
		return nil
	}
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return slices.DeleteFunc(e.FindAllStringIndex(question, -1), func(at []int) bool {
		before, _ := utf8.DecodeLastRuneInString(question[:at[0]])
		after, _ := utf8.DecodeRuneInString(question[at[1]:])
		first, _ := utf8.DecodeRuneInString(question[at[0]:])
		last, _ := utf8.DecodeLastRuneInString(question[:at[1]])
		return inWord(before) && inWord(first) || inWord(last) && inWord(after)
	})
}

// inUnits turns bytes into UTF-16 units.
func inUnits(marks []Mark, question string) {
	units, at := 0, 0
	to := func(b int) int {
		for _, r := range question[at:b] {
			units += max(utf16.RuneLen(r), 1)
		}
		at = b
		return units
	}
	for i := range marks {
		marks[i].Start, marks[i].End = to(marks[i].Start), to(marks[i].End)
	}
}
