package sqlgate

import "context"

// CheckView judges the definition of a view before the view is put on a whitelist, since whoever may read a view reads with its
// reach: the query itself, or a CREATE VIEW statement as catalogues keep them. The policy is what the people may read who
// will read the view; a view that reads another view needs that one judged too.
func (g *Gate) CheckView(ctx context.Context, dialect Dialect, definition string, p Policy) (Verdict, error) {
	if rule := checkText(dialect, definition, p.maxBytes()); rule != "" {
		return refusal(Verdict{}, rule), nil
	}
	tokens, rule := scan(dialect, definition)
	if rule != "" {
		return refusal(Verdict{}, rule), nil
	}
	if len(tokens) > 0 && tokens[0].is("CREATE") {
		view := topLevel(tokens, 0, "VIEW")
		as := topLevel(tokens, view, "AS")
		if as >= len(tokens) {
			return refusal(Verdict{SQLType: "CREATE"}, ruleSyntax), nil
		}
		definition = definition[tokens[as].end:]
	}
	return g.Check(ctx, dialect, definition, p)
}
