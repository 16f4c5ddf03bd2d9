package store

import (
	"strings"
	"sync"
	"time"
)

// throughput is how fast the engine works on this machine, as measured on the statements that ran. It begins with what was
// measured on two cores with DuckDB 1.5 over a table of 3 million rows and 11 columns.
type throughput struct {
	mu       sync.Mutex
	factor   float64 // of the time that was measured to the time that the first figures say; 0: nothing was measured
	measured int     // statements
}

// The first figures: nanoseconds for a row that an operator touches, and for a byte that a scan reads.
const (
	startMS      = 1.0
	nanosPerRow  = 15.0
	nanosPerByte = 0.375
)

// guess is the time of a plan by the first figures, in milliseconds.
func guess(touched, bytes int64) float64 {
	return startMS + (float64(touched)*nanosPerRow+float64(bytes)*nanosPerByte)/1e6
}

// expect gives the time that a plan will take here, in milliseconds, and how many statements that rests on.
func (t *throughput) expect(touched, bytes int64) (ms float64, measured int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ms = guess(touched, bytes)
	if t.measured > 0 {
		ms = startMS + (ms-startMS)*t.factor
	}
	return ms, t.measured
}

// A statement tells something when it took long enough that starting it does not count, and no one tells everything: the
// factor moves a part of the way to what it says, and stays within what a machine can differ by.
const (
	tellingMS   = 5.0
	learnRate   = 0.2
	leastFactor = 0.05
	mostFactor  = 50.0
)

// learn takes what a plan was guessed to take and what it took.
func (t *throughput) learn(guessed float64, took time.Duration) {
	ms := float64(took) / float64(time.Millisecond)
	if guessed <= startMS || ms < tellingMS && guessed < tellingMS {
		return
	}
	seen := min(max((ms-startMS)/(guessed-startMS), leastFactor), mostFactor)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.measured == 0 {
		t.factor = 1
	}
	t.factor += learnRate * (seen - t.factor)
	t.measured++
}

// widthOf is about how many bytes a value of a type takes while it is read.
func widthOf(engine string) int64 {
	base, _, _ := strings.Cut(engine, "(")
	if strings.HasSuffix(engine, "]") {
		return 48
	}
	switch base {
	case "BOOLEAN", "TINYINT", "UTINYINT":
		return 1
	case "SMALLINT", "USMALLINT":
		return 2
	case "INTEGER", "UINTEGER", "FLOAT", "DATE":
		return 4
	case "HUGEINT", "UHUGEINT", "UUID", "INTERVAL":
		return 16
	case "VARCHAR", "ENUM", "BLOB", "JSON", "BIT":
		return 24 // its place in a vector, and a short text
	case "STRUCT", "MAP", "UNION", "LIST", "ARRAY":
		return 48
	default: // BIGINT, DOUBLE, TIMESTAMP, TIME, DECIMAL of usual width
		return 8
	}
}
