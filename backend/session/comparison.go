package session

import "assay/backend/frameql"

// Comparison is the body of an artifact of kind comparison: two frames side by side, row by row.
//
// Rows are the same when they agree in every key, compared as the cells stand (a missing value equals a missing value). A row that
// only Base has was removed, one that only Current has was added. The difference of a measure is current minus base, in the unit of the measure; the
// relative one is a fraction of the absolute base (0.25 is 25 percent) and missing where the base is zero or missing. Both are worked out
// from the cells, exactly; nobody sends them.
type Comparison struct {
	Base     ComparedFrame     `json:"base"`    // what is compared with: the earlier, the plan
	Current  ComparedFrame     `json:"current"` // what is looked at
	Keys     []string          `json:"keys" doc:"Output names of columns that both frames have; empty: each has one row"`
	Measures []ComparedMeasure `json:"measures" doc:"At least one"`
}

// ComparedFrame is one side of a comparison.
type ComparedFrame struct {
	Label     string        `json:"label" doc:"What it is, for a person: 2025, as planned"`
	RequestID string        `json:"request_id" doc:"The request that it answers; empty: it belongs to the comparison alone"`
	Frame     frameql.Frame `json:"frame"`
}

// ComparedMeasure is a number that both sides have.
type ComparedMeasure struct {
	Label   string `json:"label" doc:"For a person; empty: as the column of the current frame is called"`
	Base    string `json:"base" doc:"Output name in the base frame"`
	Current string `json:"current" doc:"Output name in the current frame"`
	Better  string `json:"better" enum:"up,down,none" doc:"Which way is good"`
}
