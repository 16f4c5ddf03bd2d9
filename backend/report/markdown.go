package report

import (
	"regexp"
	"strings"
)

// Passage is a paragraph, a piece of code or a list that a person wrote.
type Passage struct {
	Kind   string // p code ul ol
	Pieces []Piece
	Items  [][]Piece
	Text   string // of code
}

var (
	bullet   = regexp.MustCompile(`^ {0,3}[-*+] +(.*)$`)
	numbered = regexp.MustCompile(`^ {0,3}[0-9]{1,9}[.)] +(.*)$`)
	// span finds, in this order: code, an image or a link, strong and emphasised words.
	span = regexp.MustCompile("(`+)([^`]+)(`+)" + `|!?\[([^\[\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)` + `|\*\*([^*\s](?:[^*]*[^*\s])?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*`)
)

// Prose reads a small part of Markdown: paragraphs, lists, code, emphasis. A link and an image become their words with the address spelled out, which leads
// nowhere. Anything else, markup too, is text as it stands.
func Prose(s string) []Passage {
	var all []Passage
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			all = append(all, Passage{Kind: "p", Pieces: spans(strings.Join(paragraph, "\n"))})
			paragraph = nil
		}
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			flush()
			var code []string
			for i++; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "```"); i++ {
				code = append(code, lines[i])
			}
			all = append(all, Passage{Kind: "code", Text: strings.Join(code, "\n")})
		case strings.TrimSpace(line) == "":
			flush()
		case bullet.MatchString(line):
			flush()
			all = item(all, "ul", bullet.FindStringSubmatch(line)[1], i > 0 && strings.TrimSpace(lines[i-1]) != "")
		case numbered.MatchString(line):
			flush()
			all = item(all, "ol", numbered.FindStringSubmatch(line)[1], i > 0 && strings.TrimSpace(lines[i-1]) != "")
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return all
}

// item adds an item to the list that stands before it, or begins one.
func item(all []Passage, kind, words string, follows bool) []Passage {
	if last := len(all) - 1; last >= 0 && all[last].Kind == kind && follows {
		all[last].Items = append(all[last].Items, spans(words))
		return all
	}
	return append(all, Passage{Kind: kind, Items: [][]Piece{spans(words)}})
}

// spans cuts a line at what is marked in it.
func spans(s string) (pieces []Piece) {
	plain := func(s string) {
		if s != "" {
			pieces = append(pieces, Piece{Text: s})
		}
	}
	at := 0
	for _, m := range span.FindAllStringSubmatchIndex(s, -1) {
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return s[m[2*n]:m[2*n+1]]
		}
		plain(s[at:m[0]])
		at = m[1]
		switch {
		case m[2] >= 0 && len(group(1)) != len(group(3)):
			plain(group(0))
		case m[2] >= 0:
			pieces = append(pieces, Piece{Text: group(2), Class: "code"})
		case m[8] >= 0:
			plain(strings.TrimSpace(group(4) + " (" + group(5) + ")"))
		case m[12] >= 0:
			pieces = append(pieces, Piece{Text: group(6), Class: "strong"})
		default:
			pieces = append(pieces, Piece{Text: group(7), Class: "em"})
		}
	}
	plain(s[at:])
	return pieces
}
