package tool

import (
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

type perturbationArguments struct {
	FrameID      string       `json:"frame_id" doc:"Of execute_frame_ql" most:"200"`
	Column       string       `json:"column" doc:"A column of numbers of the frame" most:"200"`
	Perturbation perturbation `json:"perturbation"`
}

type perturbation struct {
	Kind   string      `json:"kind" doc:"multiply: by value, 1.1 for ten percent more; add: value to each row" enum:"multiply,add"`
	Value  json.Number `json:"value"`
	Filter []rowFilter `json:"filter,omitempty" doc:"Only rows that pass all of these" most:"10"`
}

// simulatedBody is a simulation as a mind gets it.
type simulatedBody struct {
	SimulationID string        `json:"simulation_id,omitempty"`
	Status       string        `json:"status"` // always simulated: nobody observed these numbers
	Type         string        `json:"type"`
	Outcomes     []outcomeBody `json:"outcomes"`
	Lever        *neededBody   `json:"lever,omitempty"`
	Columns      []string      `json:"columns,omitempty"`
	Rows         [][]any       `json:"rows,omitempty"`
	RowCount     int           `json:"row_count"`
	LeftOut      []string      `json:"left_out,omitempty"` // columns that would change, and do not follow from the frame
	Frame        *frameBody    `json:"frame,omitempty"`
	ComparisonID string        `json:"comparison_id,omitempty"`
	Note         string        `json:"note,omitempty"`
}

// mostOutcomes is how many rows are outcomes of their own where a column has no total.
const mostOutcomes = 10

func simulatePerturbation() Tool {
	return define("simulate_perturbation", true, func(ctx context.Context, d *Desk, a perturbationArguments) (Result, error) {
		f, art, p, err := frameOf(ctx, d, a.FrameID)
		if p != nil || err != nil {
			return Result{Problem: p}, err
		}
		value, ok := rat(a.Perturbation.Value)
		if !ok {
			return problem(wrong("perturbation.value", text.Say("tool.number_odd", "field", "perturbation.value")))
		}
		s, p := newScenario(d.Model, f, a.Column, a.Perturbation.Filter)
		if p != nil {
			return Result{Problem: p}, nil
		}
		s.kind = a.Perturbation.Kind
		sim := session.Simulation{
			Type: "perturbation", Source: sourceOf(f, a.FrameID, art), Recompute: "linear", Levers: []session.Lever{}, Outcomes: []session.SimulatedOutcome{},
			Assumptions: []string{text.Say("tool.assume_"+s.kind, "column", frameview.Label(s.frame.Columns[s.column]), "rows", s.rowsLabel(s.rows), "value", plainNumber(a.Perturbation.Value)), text.Say("tool.assume_rest")},
		}
		b := &simulatedBody{Status: "simulated", Type: sim.Type, Outcomes: []outcomeBody{}}
		s.outcomes(&sim, b, value)
		return s.finish(d, sim, b, art, value)
	})
}

// outcomes fills in what the lever moves: the total of the moved column, or its rows where it has none, then the totals of what follows from it.
func (s *scenario) outcomes(sim *session.Simulation, b *simulatedBody, value *big.Rat) {
	add := func(id string, k int, rows map[int]bool) bool {
		o, ok := s.outcome(id, k, rows, value)
		if ok {
			sim.Outcomes = append(sim.Outcomes, o)
			b.Outcomes = append(b.Outcomes, s.outcomeBody(o, k, rows, value))
		}
		return ok
	}
	if !add("outcome", s.column, s.all()) {
		for i := range s.frame.Rows {
			if s.rows[i] && len(sim.Outcomes) < mostOutcomes {
				add("row_"+strconv.Itoa(i), s.column, map[int]bool{i: true})
			}
		}
	}
	for k, c := range s.frame.Columns {
		if f := s.formulas[k]; f != nil && f.uses[s.column] && len(sim.Outcomes) < 2*mostOutcomes {
			add("column_"+c.Name, k, s.all())
		}
	}
}

// finish puts the rows and the lever in place, shows the simulation, and gives it to the mind.
func (s *scenario) finish(d *Desk, sim session.Simulation, b *simulatedBody, art session.Artifact, value *big.Rat) (Result, error) {
	result, left := s.result(value)
	sim.Result = result
	if len(left) > 0 {
		sim.Assumptions = append(sim.Assumptions, text.Say("tool.assume_left_out", "columns", strings.Join(left, ", ")))
	}
	if s.totals {
		sim.Assumptions = append(sim.Assumptions, text.Say("tool.assume_totals"))
	}
	lever, ok := s.lever(value)
	if !ok || len(sim.Outcomes) == 0 {
		sim.Recompute, sim.Goal = "none", nil
		for i := range sim.Outcomes {
			sim.Outcomes[i].Effects = map[string]float64{}
		}
	}
	if ok {
		sim.Levers = append(sim.Levers, lever)
	}
	b.LeftOut, b.RowCount = names(left), result.RowCount
	r := Result{}
	if len(result.Rows) <= GivenRows {
		b.Rows, r.Columns = d.cellsOf(result, result.Rows)
		for _, c := range result.Columns {
			b.Columns = append(b.Columns, name(c.Name))
		}
		r.Rows = len(b.Rows)
	}
	if d.Show != nil {
		id, err := d.Show(session.KindSimulation, text.Say("tool.simulation_title", "label", art.Title), sim)
		if err != nil {
			return failed(err)
		}
		b.SimulationID, r.Made = id, made(id)
	}
	r.Body = fitted(b, MostBytes, text.Say("tool.narrow_frame"))
	return r, nil
}
