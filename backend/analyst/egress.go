package analyst

import (
	"fmt"
	"slices"
	"strings"

	"assay/backend/session"
	"assay/backend/text"
)

// mindWords say who answered, and with which prompts.
func (r *run) mindWords() string {
	if !r.consulted {
		return text.Say("analyst.mind_embedded")
	}
	return text.Say("analyst.mind_model", "mind", r.thinker.Name, "prompts", r.prompts)
}

// mindLines are the models that were asked, with the digest of their weights.
func (r *run) mindLines() []FactLine {
	var lines []FactLine
	for _, m := range r.models {
		card := m.Card()
		words := text.Say("analyst.mind_no_digest")
		if card.Digest != "" {
			words = text.Say("analyst.mind_digest", "digest", card.Digest)
		}
		line := FactLine{Label: card.Provider + ":" + card.Model, Text: words}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// sentCard is the provenance card of what came to no answer: who was asked, and what left the machine for it.
func (r *run) sentCard() Provenance {
	r.answer.Sent = r.sent.list(false)
	return Provenance{Facts: []Fact{
		factOf("mind", r.mindWords(), r.mindLines()...), factOf("egress", r.egressWords(), r.egressLines()...), factOf("trace", r.answer.RequestID),
	}}
}

// egressWords say whether anything left the machine.
func (r *run) egressWords() string {
	var away []session.Sent
	for _, s := range r.answer.Sent {
		if !s.Local {
			away = append(away, s)
		}
	}
	switch {
	case len(r.answer.Sent) == 0:
		return text.Say("analyst.egress_none")
	case len(away) == 0:
		return text.Count("analyst.egress_local", int64(len(r.answer.Sent)), "count", len(r.answer.Sent))
	}
	bytes := 0
	var hosts []string
	for _, s := range away {
		bytes += s.Bytes
		if !slices.Contains(hosts, s.To) {
			hosts = append(hosts, s.To)
		}
	}
	return text.Say("analyst.egress_sent", "bytes", bytes, "hosts", strings.Join(hosts, ", "))
}

// egressLines are the ledger: for each exchange where it went, how much, and what of the person's was in it.
func (r *run) egressLines() []FactLine { return sentLines(r.answer.Sent) }

// SentAway are the lines of the ledger about what left the machine.
func SentAway(all []session.Sent) []FactLine {
	return sentLines(slices.DeleteFunc(slices.Clone(all), func(s session.Sent) bool { return s.Local }))
}

func sentLines(all []session.Sent) []FactLine {
	var lines []FactLine
	for _, s := range all {
		var parts []string
		for _, kind := range []string{"question", "catalogue", "memo", "conversation", "example", "rows", "values", "profile", "statement"} {
			bytes, rows := 0, 0
			var columns []string
			for _, c := range s.Carried {
				if c.Kind != kind {
					continue
				}
				bytes, rows = bytes+c.Bytes, rows+c.Rows
				for _, name := range c.Columns {
					if !slices.Contains(columns, name) {
						columns = append(columns, name)
					}
				}
			}
			if bytes == 0 {
				continue
			}
			part := text.Say("analyst.egress_part", "kind", entry("analyst.egress_kind_", kind), "bytes", bytes)
			if rows > 0 {
				part = text.Say("analyst.egress_rows", "rows", rows, "columns", strings.Join(columns, ", "), "bytes", bytes)
			}
			parts = append(parts, part)
		}
		where := text.Say("analyst.egress_to", "host", s.To, "task", entry("analyst.egress_task_", s.Task))
		words := fmt.Sprintf("%s: %s", text.Say("analyst.egress_size", "bytes", s.Bytes, "in", s.TokensIn, "out", s.TokensOut, "kept", s.TokensKept), strings.Join(parts, "; "))
		if s.Masked > 0 {
			words += "; " + text.Count("analyst.egress_masked", int64(s.Masked), "count", s.Masked)
		}
		if s.Failed {
			words += "; " + text.Say("analyst.egress_failed")
		}
		lines = append(lines, FactLine{Label: where, Text: words})
	}
	return lines
}
