package skill

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPageOfSkills loads the example of docs/skills.md and looks for every function there.
func TestPageOfSkills(t *testing.T) {
	raw, err := os.ReadFile("../../docs/skills.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	_, source, _ := strings.Cut(page, "```python\n")
	source, _, _ = strings.Cut(source, "```")
	all, problems := Load(fstest.MapFS{"skills/concentration.star": {Data: []byte(source)}})
	if len(all) != 1 || len(problems) > 0 {
		t.Fatalf("%v %v", all, problems)
	}
	if _, got := does(t, deskOf(monthly(map[string]string{"2021-01-01": "30", "2021-02-01": "10"}), nil), all[0], `{"top": 2}`); !strings.Contains(got, `"share_of_the_largest":0.75`) {
		t.Errorf("%s", got)
	}
	for _, name := range []string{"frame(", "try_frame(", "sum(", "mean(", "variance(", "ratio(", "sqrt(", "round(", "fail("} {
		if !strings.Contains(page, "`"+name) && !strings.Contains(page, ", `"+name) {
			t.Errorf("the page does not say %s", name)
		}
	}
}
