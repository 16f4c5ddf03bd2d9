package compile

import "assay/backend/semantic"

// CountQuery counts the rows of the first source, rows_in, and what its conditions keep of them: kept together, then
// filter_1, filter_2, ... each alone, the period last. Each count has a context and so a scan of its own, which a stored
// frame may answer; over the base data one scan with filters is cheaper. nil: there are more than ten conditions.
func CountQuery(q *Query) *Query {
	if len(q.Sources[0].Where) > 10 {
		return nil
	}
	out := &Query{Sources: q.Sources[:1]}
	count := Leaf{Reducer: "count", Zero: true, Name: "rows", Type: semantic.Integer}
	for _, l := range q.Leaves {
		if l.Source == 0 && l.Time != nil {
			count.Time = l.Time
			break
		}
	}
	out.Leaves = []Leaf{count}
	add := func(name string, x Context) {
		out.Contexts = append(out.Contexts, x)
		out.Outputs = append(out.Outputs, Output{Name: name, Cell: &Scalar{Op: "leaf", Ctx: len(out.Contexts) - 1, Type: semantic.Integer}})
	}
	var own Context
	if len(q.Contexts) > 0 && count.Time != nil {
		own.From, own.To = q.Contexts[0].From, q.Contexts[0].To
	}
	add("rows_in", Context{IgnoreFilters: true})
	add("kept", own)
	where := q.Sources[0].Where
	for i := range where {
		alone := Context{}
		for k := range where {
			if k != i {
				alone.Ignored = append(alone.Ignored, k)
			}
		}
		add("filter_"+itoa(i+1), alone)
	}
	if !own.From.IsZero() || !own.To.IsZero() {
		add("filter_"+itoa(len(where)+1), Context{IgnoreFilters: true, From: own.From, To: own.To})
	}
	return out
}
