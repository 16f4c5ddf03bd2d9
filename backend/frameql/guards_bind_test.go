package frameql_test

import (
	"fmt"
	"strings"
	"testing"

	. "assay/backend/frameql"
)

// TestDefinitionsWithinDefinitions: names of WITH stand for expressions, which may not be nested more deeply together than
// one may be.
func TestDefinitionsWithinDefinitions(t *testing.T) {
	nested := func(depth int) string {
		parts := []string{"a0 = revenue + 1"}
		for i := 1; i < depth; i++ {
			parts = append(parts, fmt.Sprintf("a%d = a%d + 1", i, i-1))
		}
		return fmt.Sprintf("WITH %s SELECT a%d AS deep", strings.Join(parts, ", "), depth-1)
	}
	for depth, deep := range map[int]bool{3: false, 199: false, 200: true, 201: true, 230: true} {
		q, err := Parse(nested(depth))
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, env())
		switch {
		case !deep && plan == nil:
			t.Errorf("%d definitions: %v", depth, refusals)
		case deep && (len(refusals) != 1 || refusals[0].Code != "INVALID_QUERY" || !strings.Contains(refusals[0].Message, "200 levels")):
			t.Errorf("%d definitions: %v, %d refusals", depth, refusals, len(refusals))
		}
	}
}

// TestSharesThatDoNotAddUp: the notice of a share tells whether it is one of the whole or of a part.
func TestSharesThatDoNotAddUp(t *testing.T) {
	for query, within := range map[string]bool{
		"SELECT country, SHARE(average_freight) AS part AT country":                                           false,
		"SELECT country, status, SHARE(average_freight, AT country) AS part AT (country, status)":             true,
		"SELECT country, status, SHARE(average_freight, AT () IGNORING FILTERS) AS part AT (country, status)": true,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, env())
		if plan == nil {
			t.Fatalf("%s: %v", query, refusals)
		}
		found := false
		for _, n := range plan.Notices {
			if n.Code == ShareOver {
				found = true
				if n.Facts["within"] != within {
					t.Errorf("%s: %v", query, n.Facts)
				}
			}
		}
		if !found {
			t.Errorf("%s: no notice", query)
		}
	}
}

// TestRoleOfNothing: a join of a model that leads nowhere is no way to anything.
func TestRoleOfNothing(t *testing.T) {
	q, err := Parse("SELECT page, ghost.town")
	if err != nil {
		t.Fatal(err)
	}
	if plan, refusals := Resolve(q, wide()); plan != nil || len(refusals) != 1 || refusals[0].Code != "UNKNOWN_NAME" {
		t.Errorf("%v %v", plan, refusals)
	}
}
