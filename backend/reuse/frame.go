package reuse

import (
	"time"

	"assay/backend/compile"
)

// Frame is a stored frame: a branch that was computed over data of known epochs, with one row for each of its groups.
// It is immutable.
type Frame struct {
	ID    string
	Table string // as the engine knows it, with its catalogue: frames.f_12

	// Branch is what it holds. The names of its keys and leaves are the columns of Table.
	Branch compile.Branch

	Model  string            // hash of the definitions that Branch was made of
	Policy string            // which rows could be seen; empty: all
	Epochs map[string]string // of the tables that were read: table -> epoch
	Exact  bool              // nothing was sampled or cut off; a frame that is not exact answers nothing

	// First and Watermark are the first and the last Branch.Time among all rows of the fact, whatever Branch selects; both
	// zero: not known. No row of the fact lies outside of them at these epochs.
	First, Watermark time.Time

	Rows     int64
	Bytes    int64 // on disk
	BaseRows int64 // of the fact

	Made time.Time // when it was computed
}

// Facts are what is true now.
type Facts struct {
	Model  string            // hash of the definitions that the branch was made of
	Policy string            // which rows may be seen; empty: all
	Epochs map[string]string // table -> epoch
}
