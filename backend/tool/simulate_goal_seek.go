package tool

import (
	"context"
	"encoding/json"
	"math/big"

	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

type goalArguments struct {
	FrameID    string      `json:"frame_id" doc:"Of execute_frame_ql" most:"200"`
	Column     string      `json:"column" doc:"The column that shall reach the target" most:"200"`
	Target     json.Number `json:"target_value" doc:"Of its sum over the target rows, or of its cell where that is one row"`
	TargetRows []rowFilter `json:"target_rows,omitempty" doc:"The rows whose total shall reach it; all rows without" most:"10"`
	Vary       string      `json:"vary" doc:"The column that may change: the same one, or one that it is made of" most:"200"`
	VaryRows   []rowFilter `json:"vary_rows,omitempty" doc:"The rows that may change; the target rows without" most:"10"`
}

// neededBody is what the lever must be.
type neededBody struct {
	Label    string `json:"label"`
	Kind     string `json:"kind"` // multiply: a factor for each of its rows; set: the value of its one row
	Baseline any    `json:"baseline"`
	Needed   any    `json:"needed"`
	Total    any    `json:"needed_total,omitempty"` // of the varied rows, where they may be added
}

func simulateGoalSeek() Tool {
	return define("simulate_goal_seek", true, func(ctx context.Context, d *Desk, a goalArguments) (Result, error) {
		f, art, p, err := frameOf(ctx, d, a.FrameID)
		if p != nil || err != nil {
			return Result{Problem: p}, err
		}
		target, ok := rat(a.Target)
		if !ok {
			return problem(wrong("target_value", text.Say("tool.number_odd", "field", "target_value")))
		}
		if a.VaryRows == nil {
			a.VaryRows = a.TargetRows
		}
		s, p := newScenario(d.Model, f, a.Vary, a.VaryRows)
		if p != nil {
			return Result{Problem: p}, nil
		}
		k, p := numberColumn(s.frame, a.Column)
		if p != nil {
			return Result{Problem: p}, nil
		}
		aim, p := s.chosen(a.TargetRows)
		if p != nil {
			return Result{Problem: p}, nil
		}
		if len(s.rows) == 1 {
			s.kind = "set"
		}
		needed, p := s.solve(k, aim, target)
		if p != nil {
			return Result{Problem: p}, nil
		}
		return s.goal(d, a, art, k, aim, target, needed)
	})
}

// solve finds where the lever must stand for the amount of a column to be the target.
//
//	needed = baseline + (target - observed) / slope
func (s *scenario) solve(k int, aim map[int]bool, target *big.Rat) (*big.Rat, *Problem) {
	column, vary := frameview.Label(s.frame.Columns[k]), frameview.Label(s.frame.Columns[s.column])
	observed, ok := s.amount(k, aim, s.baseline())
	if !ok {
		return nil, &Problem{Kind: "not_linear", Message: text.Say("tool.no_total", "column", clean(column, longestName)), Suggestion: text.Say("tool.no_total_hint")}
	}
	slope, straight := s.slope(k, aim)
	if !straight {
		return nil, &Problem{Kind: "not_linear", Message: text.Say("tool.not_linear", "column", clean(column, longestName), "vary", clean(vary, longestName)), Suggestion: text.Say("tool.not_linear_hint")}
	}
	if slope.Sign() == 0 {
		p := &Problem{Kind: "not_linear", Message: text.Say("tool.not_moved", "column", clean(column, longestName), "vary", clean(vary, longestName)), Suggestion: text.Say("tool.not_moved_hint")}
		for i, c := range s.frame.Columns {
			if f := s.formulas[k]; i == k || f != nil && f.uses[i] {
				p.Available = append(p.Available, name(c.Name))
			}
		}
		return nil, p
	}
	needed := new(big.Rat).Sub(target, observed)
	return needed.Add(needed.Quo(needed, slope), s.baseline()), nil
}

func (s *scenario) goal(d *Desk, a goalArguments, art session.Artifact, k int, aim map[int]bool, target, needed *big.Rat) (Result, error) {
	o, ok := s.outcome("outcome", k, aim, needed)
	goal, fits := floated(target)
	if !ok || !fits {
		return problem(wrong("target_value", text.Say("tool.number_odd", "field", "target_value")))
	}
	sim := session.Simulation{
		Type: "goal_seek", Source: session.SimulatedSource{FrameID: a.FrameID, FrameQL: s.frame.FrameQL, Label: art.Title}, Recompute: "linear", Levers: []session.Lever{},
		Outcomes: []session.SimulatedOutcome{o}, Goal: &session.SimulationGoal{Outcome: o.ID, Lever: "lever", Target: goal},
		Assumptions: []string{text.Say("tool.assume_goal_"+s.kind, "column", frameview.Label(s.frame.Columns[s.column]), "rows", s.rowsLabel(s.rows)), text.Say("tool.assume_rest")},
	}
	b := &simulatedBody{Status: "simulated", Type: sim.Type, Outcomes: []outcomeBody{s.outcomeBody(o, k, aim, needed)}}
	c := s.frame.Columns[s.column]
	c.Type = "decimal"
	b.Lever = &neededBody{Label: clean(s.leverLabel(), longestText), Kind: s.kind, Baseline: exactly(s.baseline(), c), Needed: exactly(needed, c)}
	if x, ok := s.amount(s.column, s.rows, needed); ok && s.kind == "multiply" {
		b.Lever.Total = exactly(x, c)
	}
	return s.finish(d, sim, b, art, needed)
}
