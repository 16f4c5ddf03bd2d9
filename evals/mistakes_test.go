package evals_test

import (
	"encoding/json"
	"regexp"
	"strings"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

// mistake is a query that a mind may write and that is refused, and what is wrong with it.
type mistake struct{ name, query string }

// mistaken are wrong queries over the samples, each refused for another reason.
var mistaken = map[string][]mistake{
	"northwind": {
		{"an unknown metric", "SELECT no_such_metric_here AT no_such_dimension"},
		{"a fan-out", "SELECT freight AT products.product_name"},
		{"a grain that the data does not have", "SELECT revenue AT order_date.hour"},
		{"a number as a condition of rows", "SELECT customers.country AT customers.country WHERE revenue > 5"},
		{"a step without a time", "SELECT PREV(revenue) AT customers.country"},
		{"no SELECT", "revenue AT customers.country"},
	},
	"adventureworks": {
		{"an unknown metric", "SELECT no_such_metric_here AT no_such_dimension"},
		{"a fan-out", "SELECT total_due AT productcategories.category_name"},
		{"a grain that the data does not have", "SELECT total_due AT order_date.hour"},
		{"a number as a condition of rows", "SELECT employees.territory AT employees.territory WHERE total_due > 5"},
		{"a step without a time", "SELECT PREV(total_due) AT employees.territory"},
		{"no SELECT", "total_due AT employees.territory"},
	},
}

var longName = regexp.MustCompile(`\b[a-z_]{6,}\b`)

// mistakes are those of one case: the right query with its first long name misspelt, and the next of the sample.
func mistakes(sample, query string, turn int) []mistake {
	all := []mistake{mistaken[sample][turn%len(mistaken[sample])]}
	if at := longName.FindStringIndex(query); at != nil {
		middle := (at[0] + at[1]) / 2
		all = append(all, mistake{"a misspelt name", query[:middle] + query[middle-1:middle] + query[middle:]})
	}
	return all
}

// mender is a mind that begins with a wrong query, goes on with the first repair that the refusal names, and ends with the query that it wanted.
type mender struct {
	wrong, right string
	refusals     int
	code         string // of the first refusal
	ran          bool
	last         string
}

func (m *mender) say(r llm.Request) llmtest.Reply {
	var came struct {
		Kind    string   `json:"error_kind"`
		Code    string   `json:"refusal_kind"`
		Repairs []string `json:"repairs"`
	}
	results := r.Messages[len(r.Messages)-1].Results
	if len(results) == 0 {
		return m.send(m.wrong)
	}
	if json.Unmarshal([]byte(results[0].Content), &came) == nil && came.Kind != "" {
		if m.refusals++; m.refusals == 1 {
			m.code = came.Code
		}
		if len(came.Repairs) > 0 && m.refusals == 1 {
			return m.send(came.Repairs[0])
		}
		return m.send(m.right)
	}
	m.ran = true
	if m.last != m.right {
		return m.send(m.right)
	}
	return llmtest.Text("done")
}

func (m *mender) send(query string) llmtest.Reply {
	m.last = strings.TrimSpace(query)
	return executes(query)
}
