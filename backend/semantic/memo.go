package semantic

import (
	"cmp"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"assay/backend/text"
)

// The levels of a memo, from the weakest to the strongest: on a conflict the later one wins.
const (
	MemoInstallation = "installation"
	MemoUser         = "user"
	MemoWorkspace    = "workspace"
	MemoSession      = "session"
)

var (
	markdownHeading = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*\s*$`)
	markdownItem    = regexp.MustCompile(`^\s*[-*+]\s+(.*)$`)
)

// ParseMemo reads the text of an ANALYST.md. Under a heading "Refuse" every list line is "words, other words: sentence"
// and becomes a RefusalLine; a line may be continued by indentation. file names the source in messages. The fault is an
// Invalid that names file and line; it carries all Problems.
func ParseMemo(level, file, body string) (Memo, error) {
	r := newReading()
	memo := r.memo(level, file, body)
	return memo, r.problems.Fault("read memo")
}

func (r *reading) memo(level, file, body string) Memo {
	memo := Memo{Level: level, Text: body}
	refusing, fenced := false, false
	item, itemLine := "", 0
	flush := func() {
		if item != "" {
			if line, ok := r.refusalLine(file, itemLine, item); ok {
				memo.RefusalScope = append(memo.RefusalScope, line)
			}
		}
		item = ""
	}
	for i, line := range strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		if h := markdownHeading.FindStringSubmatch(line); h != nil {
			flush()
			refusing = strings.EqualFold(h[1], "refuse")
			continue
		}
		if !refusing {
			continue
		}
		if li := markdownItem.FindStringSubmatch(line); li != nil {
			flush()
			item, itemLine = li[1], i+1
		} else if strings.TrimSpace(line) == "" {
			flush()
		} else if item != "" && line != strings.TrimLeft(line, " \t") {
			item += " " + strings.TrimSpace(line)
		}
	}
	flush()
	return memo
}

func (r *reading) refusalLine(file string, line int, item string) (RefusalLine, bool) {
	words, reason, ok := strings.Cut(item, ":")
	out := RefusalLine{Reason: strings.TrimSpace(reason)}
	for _, w := range strings.Split(words, ",") {
		if w = strings.Trim(strings.TrimSpace(w), "*_`\""); w != "" {
			out.Words = append(out.Words, w)
		}
	}
	if !ok || out.Reason == "" || len(out.Words) == 0 {
		r.fail(file, line, "", text.Say("semantic.bad_refusal", "line", item), text.Say("semantic.bad_refusal_hint"))
		if r.sound && len(out.Words) > 0 { // what it was to refuse is refused, without the reason that it lacks
			out.Reason = cmp.Or(out.Reason, text.Say("semantic.refusal_unread"))
			return out, true
		}
		return out, false
	}
	return out, true
}

// workspaceMemo reads ANALYST.md at the top of the workspace, when there is one.
func (r *reading) workspaceMemo(fsys fs.FS, m *Model) error {
	raw, err := readFile(fsys, MemoFileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return r.unreadable(MemoFileName, err)
	}
	if raw == nil {
		r.fail(MemoFileName, 0, "", text.Say("semantic.file_too_big"), text.Say("semantic.file_too_big_hint"))
		return nil
	}
	m.Memos = append(m.Memos, r.memo(MemoWorkspace, MemoFileName, string(raw)))
	return nil
}

// WithMemos gives a model with more memos, ordered installation, user, workspace, session. The version stays: it is of
// the workspace's own files.
func WithMemos(m *Model, memos ...Memo) *Model {
	out := *m
	out.Memos = append(slices.Clone(m.Memos), memos...)
	levels := []string{MemoInstallation, MemoUser, MemoWorkspace, MemoSession}
	slices.SortStableFunc(out.Memos, func(a, b Memo) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
	return &out
}
