package analyst

import (
	"slices"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/knowledge"
	"assay/backend/session"
	"assay/backend/text"
)

// TestNarrationsHaveTheStyleThatIsPreferred says frames at each length, in each tone and in millions, and looks that every digit of what is said of the numbers is cited.
func TestNarrationsHaveTheStyleThatIsPreferred(t *testing.T) {
	month := frameql.Column{Name: "month", Role: frameql.RoleDimension, Type: "date", Grain: "month"}
	category := frameql.Column{Name: "category", Role: frameql.RoleDimension, Type: "text"}
	revenue := frameql.Column{Name: "revenue", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD"}
	course := frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("1250000")}, []any{"1997-02-01", dec("990000")}, []any{"1997-03-01", dec("2000000")}, []any{"1997-04-01", dec("1500000")})
	ranking := frame([]frameql.Column{category, revenue}, []any{"Tea", dec("3000000")}, []any{"Fish", dec("1000000")}, []any{"Meat", dec("2500000")}, []any{"Bread", dec("50000")})
	single := frame([]frameql.Column{revenue}, []any{dec("1250000")})
	for _, c := range []struct {
		frame              *frameql.Frame
		length, tone, want string
	}{
		{course, knowledge.Brief, "", "From 1.25 million USD in January 1997 to 1.5 million USD in April 1997; as far as is known."},
		{course, knowledge.Normal, "", "Revenue: from 1.25 million USD in January 1997 to 1.5 million USD in April 1997, highest in March 1997 with 2 million USD; as far as is known."},
		{course, knowledge.FullLength, "", "Revenue: from 1.25 million USD in January 1997 to 1.5 million USD in April 1997, highest in March 1997 with 2 million USD, lowest in February 1997 with 0.99 million USD, over 4 rows; as far as is known."},
		{ranking, knowledge.Brief, "", "Tea is highest with 3 million USD; as far as is known."},
		{ranking, "", "", "Revenue: Tea is highest with 3 million USD, Bread lowest with 0.05 million USD; as far as is known."},
		{ranking, knowledge.FullLength, "", "Revenue: Tea is highest with 3 million USD, Bread lowest with 0.05 million USD; between them are Meat with 2.5 million USD, Fish with 1 million USD, and 4 rows in all; as far as is known."},
		{single, knowledge.Brief, "", "1.25 million USD; as far as is known."},
		{single, knowledge.FullLength, "", "Revenue: 1.25 million USD; as far as is known."},
		{course, "", knowledge.Formal, "Revenue: the series begins at 1.25 million USD in January 1997, ends at 1.5 million USD in April 1997, and reaches its highest value of 2 million USD in March 1997; as far as is known."},
		{course, knowledge.Brief, knowledge.Friendly, "It starts out at 1.25 million USD in January 1997 and ends up at 1.5 million USD in April 1997; as far as is known."},
		{course, knowledge.FullLength, knowledge.Formal, "Revenue: the series begins at 1.25 million USD in January 1997, ends at 1.5 million USD in April 1997, and ranges from 0.99 million USD in February 1997 to 2 million USD in March 1997 over 4 rows; as far as is known."},
		{ranking, "", knowledge.Friendly, "Revenue: Tea comes out on top with 3 million USD, and Bread is at the bottom with 0.05 million USD; as far as is known."},
		{ranking, knowledge.Brief, knowledge.Formal, "The highest value is that of Tea with 3 million USD; as far as is known."},
		{ranking, knowledge.FullLength, knowledge.Friendly, "Revenue: Tea comes out on top with 3 million USD, and Bread is at the bottom with 0.05 million USD; in between you’ll find Meat with 2.5 million USD, Fish with 1 million USD, and that makes 4 rows in all; as far as is known."},
		{ranking, "", knowledge.PlainTone, "Revenue: Tea is highest with 3 million USD, Bread lowest with 0.05 million USD; as far as is known."},
		{single, "", knowledge.Formal, "Revenue: the value is 1.25 million USD; as far as is known."},
		{single, knowledge.Brief, knowledge.Friendly, "That’s 1.25 million USD; as far as is known."},
	} {
		dressed, scaled, _ := frameview.Dressed(c.frame, frameview.Look{Scale: "millions"})
		n := narrateIn(style{c.length, c.tone}, &frameql.Plan{}, dressed, "Revenue", "as far as is known")
		if n.Text != c.want || !scaled {
			t.Errorf("%s %s: %s\nwant %s", c.length, c.tone, n.Text, c.want)
		}
		rest := n.Text
		for _, cited := range slices.Backward(n.Citations) {
			rest = rest[:cited.Start] + rest[cited.End:]
		}
		if hasDigit(rest) {
			t.Errorf("%s %s: a digit is not cited: %s", c.length, c.tone, rest)
		}
	}
}

func TestRecordedPreferencesMayComeFromAnywhere(t *testing.T) {
	turn := session.Turn{Trace: []session.Step{
		{Name: "check", Facts: map[string]any{preferredFact: []any{
			map[string]any{"id": "a", "kind": "scale", "value": "millions"},
			map[string]any{"id": "b", "kind": "scale", "value": "billions"},
			map[string]any{"id": "c", "kind": "decimals", "value": "900"},
			map[string]any{"id": "d", "kind": "currency", "value": "EUR"},
		}}},
		{Name: "chart", Facts: map[string]any{preferredFact: "nonsense"}},
		{Name: "narrate", Facts: map[string]any{preferredFact: []preferred{{"e", knowledge.Length, knowledge.Brief}}}},
		{Name: "other", Facts: map[string]any{preferredFact: map[string]any{"id": strings.Repeat("x", 10)}}},
	}}
	got := preferredBy(turn)
	if len(got) != 2 || got[0].Value != "millions" || got[1].Kind != knowledge.Length {
		t.Errorf("%+v", got)
	}
	if all := preferredBy(session.Turn{}); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// TestEveryToneHasEveryStatement looks that what is said in one tone can be said in each.
func TestEveryToneHasEveryStatement(t *testing.T) {
	for _, tone := range knowledge.PreferenceValues(knowledge.Tone) {
		for _, statement := range []string{"one", "equal", "empty", "no_values", "cut", "series", "series_brief", "series_full", "ranking", "ranking_brief", "list", "list_brief", "between"} {
			if said := text.Say(style{Tone: tone}.toned(statement)); strings.HasPrefix(said, "[") {
				t.Errorf("%s in a %s tone: %s", statement, tone, said)
			}
		}
	}
}
