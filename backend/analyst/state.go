package analyst

import (
	"encoding/json"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// StateOf works out what a conversation has come to from its turns, in their order. Of several versions the chosen one counts, and of what was cleared away
// nothing.
func StateOf(turns []session.Turn) session.State {
	s := session.State{Entities: []string{}, Filters: []string{}, Corrections: []session.CorrectedTurn{}, Choices: []session.Chosen{}}
	for _, t := range turns {
		if !t.Chosen || t.Archived != nil {
			continue
		}
		var left said
		if len(t.Said) > 0 && json.Unmarshal(t.Said, &left) != nil {
			continue
		}
		if f := left.Follow; f != nil {
			for _, c := range f.Settled {
				s.Choices = append(s.Choices, session.Chosen{Turn: t.Index, Words: c.Words, Target: c.Target})
			}
			if slices.Contains(f.Kinds, interpret.PatchCorrect) || slices.Contains(f.Kinds, interpret.PatchUndo) {
				s.Corrections = append(s.Corrections, session.CorrectedTurn{Turn: t.Index, Of: f.From, FrameQL: t.FrameQL})
			}
		}
		if Outcome(t.Outcome) == OutcomeAnswer {
			s.Entities, s.Filters = aboutOf(t.Answer)
		}
	}
	return s
}

// aboutOf gives what the columns of an answer are of, and the filters that were counted for it.
func aboutOf(answer json.RawMessage) (entities, filters []string) {
	entities, filters = []string{}, []string{}
	var a struct {
		Frame *struct {
			Columns    []frameql.Column    `json:"columns"`
			Population *frameql.Population `json:"population"`
		} `json:"frame"`
	}
	if json.Unmarshal(frameql.KeepDigits(answer), &a) != nil || a.Frame == nil {
		return entities, filters
	}
	for _, c := range a.Frame.Columns {
		if entity, _, ok := strings.Cut(c.Dimension, "."); ok && !slices.Contains(entities, entity) {
			entities = append(entities, entity)
		}
	}
	if p := a.Frame.Population; p != nil {
		for _, kept := range p.PerFilter {
			filters = append(filters, kept.Filter)
		}
	}
	return entities, filters
}
