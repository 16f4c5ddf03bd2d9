package analyst

import (
	"strings"

	"assay/backend/frameql"
	"assay/backend/llm"
)

// naming gives how likely the pieces of a model's words were that name an entity, a metric or a dimension of the plan that they became, as natural logarithms. What only holds the form of a query, such as a
// bracket, is always likely and says nothing. none: there is no plan, or the model does not say how likely its words were.
func naming(all []llm.LogProb, plan *frameql.Plan) []float64 {
	if plan == nil || len(all) == 0 {
		return nil
	}
	var words strings.Builder
	ends := make([]int, len(all))
	for i, p := range all {
		words.WriteString(p.Text)
		ends[i] = words.Len()
	}
	said := words.String()
	named := make([]bool, len(said))
	for _, names := range [][]string{plan.Entities, plan.Metrics, plan.Dimensions} {
		for _, full := range names {
			for name := range strings.SplitSeq(full, ".") {
				for at := 0; name != ""; {
					i := strings.Index(said[at:], name)
					if i < 0 {
						break
					}
					for j := range name {
						named[at+i+j] = true
					}
					at += i + len(name)
				}
			}
		}
	}
	var logs []float64
	start := 0
	for i, end := range ends {
		for j := start; j < end; j++ {
			if named[j] {
				logs = append(logs, all[i].Log)
				break
			}
		}
		start = end
	}
	return logs
}
