package profile

// QMCard is the body of an artifact of kind qm_card: one column, or one dimension that is computed, as it was measured.
type QMCard struct {
	Table   string        `json:"table"`
	Rows    int64         `json:"rows"`   // of the table
	Looked  int64         `json:"looked"` // rows that the profile is of: all of them, or a sample
	Column  ColumnProfile `json:"column"`
	FrameQL string        `json:"frame_ql" doc:"Of a dimension that is computed: how; empty: it is a column"`
	LeftOut bool          `json:"left_out,omitempty" doc:"Its values were left out of the file that it came with"`
}
