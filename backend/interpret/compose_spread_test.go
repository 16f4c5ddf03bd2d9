package interpret

import (
	"testing"

	"assay/backend/semantic"
)

// papers is a library of papers, of which each may have several authors.
func papers() *semantic.Model {
	text, integer := semantic.Text, semantic.Integer
	m := &semantic.Model{Name: "papers", Version: "sha256:test"}
	m.Entities = []semantic.Entity{
		entity("papers", "Papers", []string{"paper_id"}, "title", "", dim("paper_id", integer), dim("title", text), dim("citations", integer, measured), dim("is_open", integer)),
		entity("authors", "Authors", []string{"author_id"}, "name", "", dim("author_id", integer), dim("name", text), dim("city", text), dim("make", text)),
		entity("writings", "Writings", []string{"author_id", "paper_id"}, "", "", dim("author_id", integer), dim("paper_id", integer)),
	}
	m.Joins = []semantic.Join{link("writings", "papers", "paper_id"), link("writings", "authors", "author_id")}
	sum := semantic.Additivity{Default: "additive"}
	m.Metrics = []semantic.Metric{
		{Name: "citations", Label: "Citations", Entity: "papers", Kind: semantic.Leaf, Expr: "citations", Reducer: semantic.Sum, Additivity: sum},
		{Name: "paper_count", Label: "Number of papers", Synonyms: []string{"papers"}, Entity: "papers", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Additivity: sum},
	}
	return m
}

func TestNumbersOfMembersThatBelongToSeveral(t *testing.T) {
	m := papers()
	ix := NewIndex(m, []ValueSet{{Entity: "authors", Dimension: "city", Values: []string{"Lyon", "Oslo"}, Complete: true}})
	for question, query := range map[string]string{
		"total citations of each author":                       "SELECT authors.name, SUM(MAX(papers.citations) AT (authors, papers)) AT authors FROM writings",
		"number of papers and total citations for each author": "SELECT authors.name, SUM(MAX(papers.citations) AT (authors, papers)), COUNT(DISTINCT papers.paper_id) AT authors FROM writings",
		"number of open papers":                                "SELECT paper_count WHERE papers.is_open = 1",
		"how many closed papers are there":                     "SELECT paper_count WHERE papers.is_open = 0",
		"ratio of open papers to closed papers":                "SELECT paper_count FILTER (WHERE papers.is_open = 1) / paper_count FILTER (WHERE papers.is_open = 0)",
	} {
		r := ix.Read(Request{Question: question, Env: traderEnv(m)})
		if r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != query {
			t.Errorf("%s: %s\nwant %s", question, outcome(r), query)
		}
	}
}
