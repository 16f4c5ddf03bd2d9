package session

import "assay/backend/frameql"

// Simulation is the body of an artifact of kind simulation: numbers that nobody observed. What it shows is always marked as such.
//
// Recompute says who works out the outcomes when a lever is moved. By "linear" they follow from what is here, and whoever shows the
// simulation may work them out:
//
//	simulated = observed + sum over levers of effect[lever] * (value - baseline)
//
// By "program" the levers are sent to the program, which gives the simulation back with other values, outcomes and result.
// By "none" nothing moves: the levers say what was assumed.
type Simulation struct {
	Type        string             `json:"type" enum:"filter,perturbation,goal_seek,time_shift" doc:"filter: rows were left out or taken in; perturbation: numbers of the source were changed; goal_seek: what a lever must be for an outcome; time_shift: another period stands for this one"`
	Source      SimulatedSource    `json:"source"`
	Assumptions []string           `json:"assumptions" doc:"Sentences: what was changed, and what was taken not to change"`
	Recompute   string             `json:"recompute" enum:"linear,program,none"`
	Levers      []Lever            `json:"levers"`
	Outcomes    []SimulatedOutcome `json:"outcomes" doc:"The first one is what it is about"`
	Goal        *SimulationGoal    `json:"goal" doc:"Of type goal_seek; null: none"`
	Result      *frameql.Frame     `json:"result" doc:"The rows as they would be, with the levers as sent; null: the outcomes are all"`
	LeftOut     bool               `json:"left_out,omitempty" doc:"What it assumed and its numbers were left out of the file that it came with"`
}

// SimulatedSource is the observed frame that a simulation goes out from.
type SimulatedSource struct {
	FrameID string `json:"frame_id"`
	FrameQL string `json:"frame_ql" doc:"Canonical; asking it gives the observed frame"`
	Label   string `json:"label" doc:"For a person: Revenue by region, 2025-Q4"`
}

// Lever is a number that may be moved. Min <= Baseline <= Max, Min <= Value <= Max, Step > 0.
type Lever struct {
	ID       string  `json:"id"`
	Label    string  `json:"label"`
	Unit     string  `json:"unit" doc:"USD, %, days; empty: none"`
	Format   string  `json:"format" doc:"percent: a fraction that is read in hundredths; empty: as it stands"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Step     float64 `json:"step"`
	Baseline float64 `json:"baseline" doc:"As observed: with every lever here nothing is simulated"`
	Value    float64 `json:"value" doc:"As simulated"`
}

// SimulatedOutcome is one number that the levers move.
type SimulatedOutcome struct {
	ID        string             `json:"id"`
	Label     string             `json:"label"`
	Unit      string             `json:"unit" doc:"USD, %, days; empty: none"`
	Format    string             `json:"format" doc:"percent: a fraction that is read in hundredths; empty: as it stands"`
	Better    string             `json:"better" enum:"up,down,none"`
	Observed  float64            `json:"observed"`
	Simulated float64            `json:"simulated" doc:"With the levers as sent"`
	Effects   map[string]float64 `json:"effects" doc:"By lever: change of the outcome, in its unit, for one unit of the lever. Empty unless recompute is linear"`
}

// SimulationGoal is what an outcome shall be, and the lever that is to bring it there.
type SimulationGoal struct {
	Outcome string  `json:"outcome" doc:"Its id"`
	Lever   string  `json:"lever" doc:"Its id"`
	Target  float64 `json:"target" doc:"In the unit of the outcome"`
}
