package analyst

import (
	"context"
	"fmt"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/semantic"
)

// observing is a cache that remembers what it is told.
type observing struct{ seen []string }

func (o *observing) Serve(compile.Branch) (*compile.Served, string) { return nil, "" }

func (o *observing) Observe(b compile.Branch, took time.Duration, rows int64) {
	o.seen = append(o.seen, fmt.Sprint(b.Tables[0], " ", took, " ", rows))
}

func (o *observing) Query(context.Context, frameql.Statement, frameql.Statement) (*frameql.Frame, error) {
	return nil, nil
}

func (o *observing) Cost(context.Context, frameql.Statement) (PlanCost, error) {
	return PlanCost{}, nil
}

// The cache learns of each scan that read base data, also beside frames or for the rest of a period; not of one that a frame
// answered, nor of one that none can answer, nor of what was cut off.
func TestCacheLearnsWhatBaseDataGave(t *testing.T) {
	var o observing
	r := &run{a: &Analyst{deps: Deps{Frames: func(string) Frames { return &o }}}, knowledge: Knowledge{Model: &semantic.Model{}}}
	for _, table := range []string{"by frame", "missed", "never", "in part"} {
		r.branches = append(r.branches, compile.Branch{Tables: []string{table}})
	}
	r.uses = []compile.CacheUse{{Branch: 0, Frame: "f_1"}, {Branch: 1}, {Branch: 2, Never: true}, {Branch: 3, Frame: "f_1", Part: true}}
	answer := frameql.Frame{Took: time.Second, Rows: make([][]any, 3)}
	r.observe(&answer)
	if got := fmt.Sprint(o.seen); got != "[missed 1s 3 in part 1s 3]" {
		t.Errorf("it learned of %s", got)
	}
	answer.Truncated = &frameql.Truncated{Cap: 3, TotalRows: 9}
	r.observe(&answer)
	r.req.NoCache, answer.Truncated = true, nil
	r.observe(&answer)
	if len(o.seen) != 2 {
		t.Errorf("it learned of %v", o.seen)
	}
}
