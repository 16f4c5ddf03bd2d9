package semantic

import (
	"fmt"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/spelling"
	"assay/backend/text"
)

// Problem is one thing that is wrong with a model, or that an author should look at.
type Problem struct {
	Severity string // SeverityError | SeverityWarning
	Object   string // "metric revenue"; empty for a whole file
	Pos      Pos    // zero for an object that was not read from a file
	Message  string // a sentence that names the thing
	Hint     string // what to change

	of piece // what has to go for the rest to be sound; zero: nothing is known to
}

// The severities. A model with an error does not load; a warning never stops anything.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// String gives "file:line: message hint".
func (p Problem) String() string {
	s := p.Message
	if p.Pos.File != "" {
		s = p.Pos.String() + ": " + s
	}
	if p.Hint != "" {
		s += " " + p.Hint
	}
	return s
}

// String gives "file:line", or the file alone when the whole file is meant.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Problems is every error that a load found, in the order of the files. It is the cause of the fault that Load returns.
type Problems []Problem

// Error lists the problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Fault turns the errors among the problems into one fault.Invalid whose message is the first error and the number of
// the others; nil when there are none.
func (ps Problems) Fault(op string) error {
	var errs Problems
	for _, p := range ps {
		if p.Severity == SeverityError {
			errs = append(errs, p)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	errs.sort()
	first := errs[0]
	message := first.Message
	if first.Pos.File != "" {
		message = first.Pos.String() + ": " + message
	}
	switch n := len(errs) - 1; {
	case n == 1:
		message += " " + text.Say("semantic.one_more_problem")
	case n > 1:
		message += " " + text.Say("semantic.more_problems", "n", n)
	}
	return fault.Wrap(fault.Invalid, op, message, first.Hint, errs)
}

// sort orders by file and line; equal places keep their order.
func (ps Problems) sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		if c := strings.Compare(a.Pos.File, b.Pos.File); c != 0 {
			return c
		}
		return a.Pos.Line - b.Pos.Line
	})
}

// nearest gives the candidate that a person most likely meant, within a third of the word's length in edits; empty when
// none is near.
func nearest(word string, candidates []string) string {
	best, bestDistance := "", len(word)/3+1
	for _, c := range candidates {
		if d := spelling.Distance(strings.ToLower(word), strings.ToLower(c), bestDistance-1); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// KnownHint is the hint of an unknown name: the nearest known one, else a list of what there is.
func KnownHint(word string, known []string) string {
	if n := nearest(word, known); n != "" {
		return text.Say("semantic.did_you_mean", "name", n)
	}
	if len(known) == 0 {
		return text.Say("semantic.none_known")
	}
	var each []string
	for _, k := range known {
		if !slices.Contains(each, k) {
			each = append(each, k)
		}
	}
	if len(each) > 12 {
		each = append(each[:12], "...")
	}
	return text.Say("semantic.known_are", "names", strings.Join(each, ", "))
}
