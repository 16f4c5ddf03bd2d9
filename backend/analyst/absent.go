package analyst

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// A session may go on where the data of its answers is not: it was imported from elsewhere and forked, or a source was taken away. What the latest answer
// read and is not here is told with whatever comes of the next question.

// tablesRead are the tables that the engine read for the frame, by name.
func (r *run) tablesRead() []string { return slices.Sorted(maps.Keys(r.read)) }

// absentOf gives the tables that the latest answer of a conversation read and that are not here, or not for who asks.
func (r *run) absentOf(turns []session.Turn) []string {
	for _, t := range slices.Backward(turns) {
		var left said
		if json.Unmarshal(t.Said, &left) != nil || len(left.Tables) == 0 {
			continue
		}
		return slices.DeleteFunc(left.Tables, func(table string) bool {
			if _, here := r.knowledge.Epochs[table]; here {
				return true
			}
			for name := range r.knowledge.Epochs {
				if strings.EqualFold(name, table) {
					return true
				}
			}
			return false
		})
	}
	return nil
}

// lookAbsent finds out which tables are absent for a request that had no need of the conversation.
func (r *run) lookAbsent(ctx context.Context) error {
	if r.context != nil {
		return nil
	}
	_, err := r.conversation(ctx)
	return err
}

// absentNamed is how many absent tables a sentence names.
const absentNamed = 12

// tellAbsent is the sentence about tables that are absent, behind a key; empty: none is.
func (r *run) tellAbsent(key string) string {
	if len(r.absent) == 0 {
		return ""
	}
	names := r.absent
	if len(names) > absentNamed {
		names = append(slices.Clone(names[:absentNamed]), "…")
	}
	return text.Count(key, int64(len(r.absent)), "tables", strings.Join(names, ", "))
}

// unfit refuses what does not fit the model here. Where tables are absent, that is likely why, and is said first.
func (r *run) unfit(ctx context.Context, refused Refused) error {
	if err := r.lookAbsent(ctx); err != nil {
		return err
	}
	if said := r.notCarried("analyst.absent_import"); said != "" {
		refused.Message = said + " " + refused.Message
	}
	return r.refuse(refused)
}

// noData is the fault of a request where there is nothing to ask about.
func (r *run) noData(ctx context.Context) error {
	if err := r.lookAbsent(ctx); err != nil {
		return err
	}
	message := text.Say("analyst.no_data")
	if said := r.tellAbsent("analyst.absent"); said != "" {
		message += " " + said
	}
	return fault.New(fault.NotFound, "ask", message, text.Say("analyst.no_data_hint"))
}
