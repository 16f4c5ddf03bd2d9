package rules

import (
	"slices"
	"strconv"

	"assay/backend/semantic"
	"assay/backend/text"

	"github.com/goccy/go-yaml/ast"
)

// The levels of autonomy.
const (
	lowest  = 1
	highest = 5
)

func (rules *Rules) autonomy(r *reading, file string, raw []byte) {
	f := r.document(file, raw, "matrix", "mandatory_review", "trust_routine", "triggers", "agents", "clarify", "acceptance")
	if f == nil {
		return
	}
	if _, ok := f.nodes["matrix"]; ok {
		rules.Matrix = f.matrix(f.items("matrix"))
	}
	if s := f.sub("mandatory_review", "above"); s != nil {
		s.number("above", &rules.Review, 0, 1)
	}
	if s := f.sub("trust_routine", "complexity_below"); s != nil {
		s.number("complexity_below", &rules.Routine, 0, 1)
	}
	if s := f.sub("triggers", "scan", "runtime", "rows", "domains", "sensitive"); s != nil {
		t := &rules.Triggers
		s.trigger("scan", "over_gb", &t.Scan)
		s.trigger("runtime", "over_minutes", &t.Runtime)
		s.trigger("rows", "over_millions", &t.Rows)
		s.trigger("domains", "from", &t.Domains)
		s.trigger("sensitive", "", &t.Sensitive)
	}
	if s := f.sub("agents", "at_most"); s != nil {
		s.whole("at_most", &rules.AgentsAtMost, lowest, highest)
	}
	if s := f.sub("clarify", "ambiguity_from", "slot_below"); s != nil {
		s.number("ambiguity_from", &rules.Clarify.Ambiguity, 0, 1)
		s.number("slot_below", &rules.Clarify.Slot, 0, 1)
	}
	if s := f.sub("acceptance", "1", "2", "3", "4", "5"); s != nil {
		for level := lowest; level <= highest; level++ {
			s.waiting(level, &rules.Acceptance[level])
		}
	}
}

// matrix reads the rows, and sees that more risk never gives a higher level.
func (f *fields) matrix(items []ast.Node) []Row {
	var rows []Row
	if len(items) == 0 {
		f.fail("matrix", text.Say("rules.matrix_empty"), text.Say("rules.matrix_hint"))
	}
	for i, n := range items {
		s := f.r.mapping(f.pos.File, text.Say("rules.object_row", "n", i+1), n, "below", "low", "high")
		if s == nil {
			continue
		}
		row, last := Row{Low: 0, High: 0}, i == len(items)-1
		s.number("below", &row.Below, 0.0001, 1)
		for _, column := range []struct {
			key   string
			where *int
		}{{"low", &row.Low}, {"high", &row.High}} {
			s.required(column.key)
			s.whole(column.key, column.where, lowest, highest)
		}
		_, bounded := s.nodes["below"]
		switch {
		case last && bounded:
			s.fail("below", text.Say("rules.matrix_last"), text.Say("rules.matrix_last_hint"))
		case !last && !bounded:
			s.fail("below", text.Say("rules.matrix_unbounded"), text.Say("rules.matrix_last_hint"))
		}
		if row.High > row.Low {
			s.fail("high", text.Say("rules.matrix_cost", "low", row.Low, "high", row.High), text.Say("rules.matrix_hint"))
		}
		if len(rows) > 0 {
			before := rows[len(rows)-1]
			if bounded && row.Below <= before.Below {
				s.fail("below", text.Say("rules.matrix_order", "value", figure(row.Below), "before", figure(before.Below)), text.Say("rules.matrix_order_hint"))
			}
			if row.Low > before.Low {
				s.fail("low", text.Say("rules.matrix_rises", "level", row.Low, "before", before.Low), text.Say("rules.matrix_hint"))
			}
			if row.High > before.High {
				s.fail("high", text.Say("rules.matrix_rises", "level", row.High, "before", before.High), text.Say("rules.matrix_hint"))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// trigger reads one policy over what stands there before.
func (f *fields) trigger(key, limit string, t *Trigger) {
	allowed := []string{"then", "at_most"}
	if limit != "" {
		allowed = append(allowed, limit)
	}
	s := f.sub(key, allowed...)
	if s == nil {
		return
	}
	if t.AtMost == 0 {
		t.AtMost = highest
	}
	switch limit {
	case "":
	case "from":
		n := int(t.Limit)
		s.whole(limit, &n, 2, 1000)
		t.Limit = float64(n)
	default:
		s.number(limit, &t.Limit, 0, 1e9)
	}
	s.whole("at_most", &t.AtMost, lowest, highest)
	then := string(t.Then)
	s.choice("then", &then, "confirm", "warn", "nothing")
	if then == "nothing" {
		then = ""
	}
	t.Then = Then(then)
	if t.AtMost == highest && t.Then == ThenNothing {
		f.fail(key, text.Say("rules.trigger_idle", "name", key), text.Say("rules.trigger_idle_hint"))
	}
}

// endings are what may happen to a result of a level when time is over: nothing below level 4 is accepted by the clock.
func endings(level int) []string {
	switch level {
	case 5, 4:
		return []string{string(EndAccept), string(EndFlag)}
	case 3:
		return []string{string(EndAbandon)}
	case 2:
		return []string{string(EndExpire)}
	}
	return []string{string(EndNever)}
}

func (f *fields) waiting(level int, w *Waiting) {
	key := strconv.Itoa(level)
	s := f.sub(key, "after", "then")
	if s == nil {
		return
	}
	then, allowed := s.required("then"), endings(level)
	_, timed := s.nodes["after"]
	switch {
	case then == "":
		return
	case !slices.Contains(allowed, then):
		s.fail("then", text.Say("rules.bad_ending", "level", level, "then", then), semantic.KnownHint(then, allowed))
		return
	case then == string(EndNever) && timed:
		s.fail("after", text.Say("rules.never_after"), text.Say("rules.never_after_hint"))
		return
	}
	*w = Waiting{Then: Ending(then)}
	if then != string(EndNever) {
		w.After = s.after("after")
	}
}
