package analyst

import (
	"bytes"
	"encoding/json"

	"assay/backend/llm"
	"assay/backend/session"
)

// Beside is what a packed turn holds beside its question, its rows and its queries.
type Beside struct {
	Sentences bool         // words that say what came of it
	Replies   int          // of language models
	Taught    []Remembered // meanings and preferences that it was read with, or that were taught with it, or noted; some several times
}

// BesideOf says what a packed turn holds beside its question, its rows and its queries.
func BesideOf(t session.FileTurn) (Beside, error) {
	var a struct {
		Narration  json.RawMessage `json:"narration"`
		Supposed   string          `json:"supposed"`
		Remembered []Remembered    `json:"remembered"`
		Learned    *Taught         `json:"learned"`
		Suggested  *Suggested      `json:"suggested"`
	}
	if len(t.Answer) > 0 {
		if err := json.Unmarshal(t.Answer, &a); err != nil {
			return Beside{}, err
		}
	}
	b := Beside{Sentences: len(a.Narration) > 0 && !bytes.Equal(a.Narration, null) || a.Supposed != "", Taught: a.Remembered}
	if l := a.Learned; l != nil {
		if l.Correction != nil {
			b.Taught = append(b.Taught, Remembered{ID: l.Correction.ID, Term: l.Correction.Term})
		}
		if l.Preference != nil {
			b.Taught = append(b.Taught, Remembered{ID: l.Preference.ID, Kind: l.Preference.Kind})
		}
		if l.Before != nil {
			b.Taught = append(b.Taught, *l.Before)
		}
	}
	if s := a.Suggested; s != nil {
		b.Taught = append(b.Taught, Remembered{ID: s.ID, Term: s.Term})
	}
	whole := session.Turn{Trace: t.Trace}
	b.Taught = append(b.Taught, recalledBy(whole)...)
	for _, p := range preferredBy(whole) {
		b.Taught = append(b.Taught, Remembered{ID: p.ID, Kind: p.Kind})
	}
	for _, s := range t.Trace {
		if _, there := s.Facts["reply"]; there {
			b.Replies++
		}
		var several []*llm.Response
		if fact, there := s.Facts["replies"]; there && decoded(fact, &several) == nil {
			for _, one := range several {
				if one != nil {
					b.Replies++
				}
			}
		}
	}
	return b, nil
}
