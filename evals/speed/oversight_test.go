//go:build cgo && unix

package speed

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/retrieval"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/sqlgate"
	"assay/backend/store"
	"assay/backend/workspace"
)

// overseen is an answered question with what it is judged by.
type overseen struct {
	question string
	frameQL  string
	sql      string
	plan     *frameql.Plan
}

// BenchmarkOversight is what gate, risk and rules take of an answer together: a first look at its SQL, and at SCOPE and at PLAN
// the nearest of a hundred or a thousand golden queries, the assessment and the judgement. p95-ms is over the questions of the
// Northwind set.
func BenchmarkOversight(b *testing.B) {
	ctx := b.Context()
	w, err := workspace.OpenSample(ctx, "northwind", workspace.Options{DataDir: b.TempDir(), Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	all := answeredOf(b, w)
	model := w.Knowledge().Model

	parse, closing, err := store.OpenParser()
	if err != nil {
		b.Fatal(err)
	}
	defer closing()
	gate := sqlgate.New(parse)
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("golden=%d", n), func(b *testing.B) {
			oversee(b, all, model, gate, goldens(b, n))
		})
	}
}

func oversee(b *testing.B, all []overseen, model *semantic.Model, gate *sqlgate.Gate, golden *retrieval.Store) {
	ctx, policy := b.Context(), sqlgate.Policy{Schemas: []string{"main"}}
	book, lexicon := rules.Builtin(), risk.NewLexicon()
	actor, err := book.Identify("", rules.Caller{OSUser: "x"})
	if err != nil {
		b.Fatal(err)
	}
	var took []float64
	for b.Loop() {
		for _, o := range all {
			begin := time.Now()
			stakes, _ := lexicon.Read(o.question)
			verdict, err := gate.Check(ctx, sqlgate.DuckDB, o.sql, policy)
			if err != nil || !verdict.Allowed {
				b.Fatal(o.question, verdict.Reason, err)
			}
			for _, plan := range []*frameql.Plan{nil, o.plan} {
				e := risk.Evidence{Stakes: stakes}
				c := rules.Case{Actor: actor, Provisional: plan == nil}
				like := retrieval.Query{Kind: retrieval.Golden, Question: o.question}
				if plan != nil {
					shape := risk.ShapeOf(plan.Complexity)
					e.Shape, e.Sources = &shape, risk.SourcesOf(model, plan.Entities, begin)
					c.Plan, like.FrameQL = &rules.Plan{Bytes: 1e6, Rows: 1e4}, o.frameQL
					for _, t := range verdict.Objects {
						c.Objects = append(c.Objects, rules.Object{Schema: "main", Table: t})
					}
				}
				best, _, err := golden.Best(ctx, like)
				if err != nil {
					b.Fatal(err)
				}
				e.Golden = risk.Nearest{Similarity: best.Similarity, Of: golden.Count(retrieval.Golden, "")}
				a := risk.Assess(e)
				c.Likelihood, c.Cost, c.Complexity = a.Likelihood, a.Cost.Value, a.Factors.Complexity
				book.Judge(c)
			}
			took = append(took, float64(time.Since(begin).Microseconds())/1000)
		}
	}
	slices.Sort(took)
	b.ReportMetric(percentile(took, 50), "p50-ms")
	b.ReportMetric(percentile(took, 95), "p95-ms")
	b.ReportMetric(percentile(took, 99), "p99-ms")
}

// answeredOf asks the questions of the Northwind set and gives those that were answered.
func answeredOf(b *testing.B, w *workspace.Workspace) []overseen {
	b.Helper()
	f, err := os.Open("../northwind.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var all []overseen
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c struct{ Question string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			b.Fatal(err)
		}
		a, err := w.Ask(b.Context(), analyst.Request{Question: c.Question}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if a.Frame == nil {
			continue
		}
		query, err := frameql.Parse(a.Frame.FrameQL)
		if err != nil {
			b.Fatal(err)
		}
		plan, refusals := frameql.Resolve(query, frameql.Env{Model: w.Knowledge().Model, Now: time.Now()})
		if len(refusals) > 0 {
			b.Fatal(refusals)
		}
		all = append(all, overseen{c.Question, a.Frame.FrameQL, a.Frame.SQL, plan})
	}
	return all
}

// goldens is a store of n golden queries.
func goldens(b *testing.B, n int) *retrieval.Store {
	b.Helper()
	var records []retrieval.Record
	for i := range n {
		records = append(records, retrieval.Record{Kind: retrieval.Golden, ID: fmt.Sprint(i), Question: fmt.Sprintf("metric %d by dimension %d", i, i%17), FrameQL: fmt.Sprintf("SELECT d%d, m%d", i%17, i)})
	}
	s, _, err := retrieval.Open(b.Context(), retrieval.Options{Embedder: retrieval.BuiltIn(), Records: records})
	if err != nil {
		b.Fatal(err)
	}
	return s
}
