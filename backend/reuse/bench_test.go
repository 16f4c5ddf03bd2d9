package reuse

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

func rat(n int) *big.Rat { return new(big.Rat).SetInt64(int64(n)) }

// thousand gives an index of 1,000 frames of one fact that all hold the leaf, and a branch that only the largest answers.
func thousand() (*Index, compile.Branch, Facts) {
	col := func(name string) *compile.Scalar {
		return &compile.Scalar{Op: "col", Text: name, Type: semantic.Text}
	}
	at := &compile.Scalar{Op: "col", Text: "at", Type: semantic.Date}
	cut := func(unit string) *compile.Scalar {
		return &compile.Scalar{Op: "trunc", Text: unit, Args: []*compile.Scalar{at}, Type: semantic.Date}
	}
	source := &compile.Source{Nodes: []compile.Node{{Table: "f", Parent: -1}}}
	for i := range 8 {
		source.Nodes = append(source.Nodes, compile.Node{Table: fmt.Sprintf("d%d", i), Unique: true, On: []compile.Pair{{Parent: col(fmt.Sprintf("d%d_id", i)), Own: &compile.Scalar{Op: "col", Node: i + 1, Text: "id"}}}})
	}
	facts := Facts{Model: "m", Epochs: map[string]string{"f": "e"}}
	leaf := compile.Leaf{Reducer: "sum", Expr: col("amount")}
	b0, b1 := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	var frames []Frame
	for i := range 1000 {
		f := Frame{
			ID: fmt.Sprint(i), Table: fmt.Sprintf("frames.f_%d", i), Model: "m", Epochs: facts.Epochs, Exact: true, Rows: int64(1000 + i), BaseRows: 1e8,
			First: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Watermark: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		}
		f.Branch = compile.Branch{Source: source, Tables: []string{"f"}, Time: at, Leaves: []compile.BranchLeaf{{Leaf: leaf, Name: "l1"}}}
		f.Branch.Keys = []compile.BranchKey{{Expr: cut("day"), Name: "k1"}}
		for k := range 3 {
			f.Branch.Keys = append(f.Branch.Keys, compile.BranchKey{Expr: &compile.Scalar{Op: "col", Node: 1 + (i+k)%8, Text: fmt.Sprintf("c%d", (i+k)%20)}, Name: fmt.Sprintf("k%d", k+2)})
		}
		switch { // each fails another clause, most of them late
		case i == 999:
			f.Branch.Keys = append(f.Branch.Keys, compile.BranchKey{Expr: col("region"), Name: "k9"})
		case i%4 == 0:
			f.Branch.Keys[0].Expr = cut("week")
			f.Branch.From, f.Branch.To = b0, b1
		case i%4 == 1:
			f.Branch.Keys[0].Expr = cut("quarter")
		case i%4 == 2: // without the region
		default:
			f.Branch.Filters = []*compile.Scalar{{Op: "in", Args: []*compile.Scalar{col("region"), {Op: "str", Text: "West"}, {Op: "str", Text: "East"}}}}
		}
		frames = append(frames, f)
	}
	b := frames[0].Branch
	b.Time = at
	b.Keys = []compile.BranchKey{{Expr: cut("month"), Name: "month"}}
	b.Filters = []*compile.Scalar{{Op: "in", Args: []*compile.Scalar{col("region"), {Op: "str", Text: "West"}, {Op: "str", Text: "North"}}}}
	b.From, b.To = b0, b1
	return NewIndex(frames...), b, facts
}

// TestThousandFrames makes sure that the benchmark measures what it says.
func TestThousandFrames(t *testing.T) {
	x, b, now := thousand()
	if served, why := x.Match(b, now); served == nil || served.Frame != "999" {
		t.Fatalf("%+v: %s", served, why)
	}
}

// BenchmarkMatch is one decision at 1,000 frames of the same fact and leaf, of which the last answers.
func BenchmarkMatch(b *testing.B) {
	x, branch, now := thousand()
	b.ReportAllocs()
	for b.Loop() {
		x.Match(branch, now)
	}
}
