package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// TitleRunes is the length at which a title is cut.
const TitleRunes = 60

// Title makes a session's title of its first question: one line, cut between words, with an ellipsis when something is
// missing. An empty question gives an empty title.
func Title(question string) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(question, "")), " ")
	if utf8.RuneCountInString(line) <= TitleRunes {
		return line
	}
	cut := string([]rune(line)[:TitleRunes])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
		cut = cut[:space]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}

// ArtifactID names the artifact at an index of a turn: art_{session}_{turn}_{index}.
func ArtifactID(sessionID string, turn, index int) string {
	return fmt.Sprintf("art_%s_%d_%d", sessionID, turn, index)
}

// Append gives the document with a turn behind the others. The given document stays as it was. The first turn names a
// document that has no title.
func Append(d Document, t Turn) Document {
	d.Turns = slices.Concat(d.Turns, []Turn{t})
	if d.Title == "" {
		d.Title = Title(t.Question)
	}
	if d.Created.IsZero() {
		d.Created = t.Asked
	}
	if t.Asked.After(d.Updated) {
		d.Updated = t.Asked
	}
	return d
}

// Stack collects the artifacts of one turn in the order in which they are shown.
type Stack struct {
	SessionID string
	Turn      int
	Artifacts []Artifact
}

// Push puts an artifact on the stack. A body that has no JSON form is our own mistake and is given back as the error.
func (s *Stack) Push(kind Kind, title string, body any, created time.Time) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode %s artifact: %w", kind, err)
	}
	s.Artifacts = append(s.Artifacts, Artifact{
		ID: ArtifactID(s.SessionID, s.Turn, len(s.Artifacts)), Kind: kind, Turn: s.Turn,
		Title: title, Body: raw, Created: created,
	})
	return nil
}
