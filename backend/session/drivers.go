package session

// DriverAnalysis is the body of an artifact of kind driver_analysis: what the change of a number between two periods is made of. Numbers are
// cells as in frames: JSON numbers, or text where a decimal has more than 15 digits. Amounts are in the unit of the metric.
//
// The steps add up: baseline + sum of amounts = current. What no step accounts for is a step of kind rest, so that nothing is
// hidden; a step that is missing is seen, because whoever shows it adds them up again.
type DriverAnalysis struct {
	Metric   string        `json:"metric"` // name in the model; empty: computed for the question
	Label    string        `json:"label"`
	Unit     string        `json:"unit" doc:"USD, %, days; empty: none"`
	Format   string        `json:"format" doc:"percent: a fraction that is read in hundredths; empty: as it stands"`
	Better   string        `json:"better" enum:"up,down,none"`
	Baseline DriverPeriod  `json:"baseline"`
	Current  DriverPeriod  `json:"current"`
	Steps    []DriverStep  `json:"steps" doc:"In the order in which they are shown"`
	Tree     []DriverNode  `json:"tree" doc:"The change by members and what is under them, the largest first; empty: none"`
	Against  []DriverStep  `json:"against" doc:"Members that moved the other way; they are parts of steps and are not added up"`
	Checks   []DriverCheck `json:"checks" doc:"Whether the change is one, before what it is made of"`
	Coverage float64       `json:"coverage" minimum:"0" maximum:"1" doc:"Share of the absolute change that steps other than the rest account for"`
	Tested   int           `json:"tested" minimum:"0" doc:"Members that were looked at, all of them"`
	LeftOut  bool          `json:"left_out,omitempty" doc:"Its numbers and members were left out of the file that it came with"`
}

// DriverPeriod is one of the two periods with its number.
type DriverPeriod struct {
	Label string `json:"label" doc:"2025-Q4"`
	From  string `json:"from" doc:"First day, 2006-01-02"`
	To    string `json:"to" doc:"The day after the last"`
	Value any    `json:"value"`
}

// DriverStep is one part of the change.
type DriverStep struct {
	Label    string `json:"label"`
	Type     string `json:"type" enum:"factor,mix,rate,segment,entered,left,rest" doc:"factor: one factor of a product; mix: the shares of the segments moved; rate: their own numbers moved; segment: one member; entered, left: in one of the periods only; rest: everything else"`
	Amount   any    `json:"amount" doc:"Signed"`
	Standing string `json:"standing" enum:"likely,noise,untested" doc:"likely: unlikely to be noise; noise: could be noise"`
	FrameQL  string `json:"frame_ql" doc:"Asking it shows the rows behind it; empty: none"`
}

// DriverNode is a member in the tree of the change. The children of a node are parts of it; they may leave something out.
type DriverNode struct {
	Label    string       `json:"label" doc:"The member: Germany"`
	By       string       `json:"by" doc:"What its children are by: product category; empty: it has none"`
	Baseline any          `json:"baseline" doc:"Null: it was not there"`
	Current  any          `json:"current" doc:"Null: it is not there any more"`
	Change   any          `json:"change" doc:"Signed"`
	Excess   any          `json:"excess" doc:"Change beyond what it would be if every member had moved alike; null: not worked out"`
	Standing string       `json:"standing" enum:"likely,noise,untested"`
	FrameQL  string       `json:"frame_ql" doc:"Asking it shows the rows behind it; empty: none"`
	Children []DriverNode `json:"children"`
}

// DriverCheck says whether the change is what it seems.
type DriverCheck struct {
	Name   string `json:"name" doc:"completeness calendar noise definition direction"`
	Status string `json:"status" enum:"passed,finding,not_applicable,could_not_check"`
	Text   string `json:"text" doc:"A sentence"`
}
