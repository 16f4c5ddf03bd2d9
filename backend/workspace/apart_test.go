package workspace

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/risk"
)

// TestNothingCrossesBetweenWorkspaces: the same people in two workspaces of one installation. What they teach, prefer, agree on, accept and ask in the one, and what its data hold, is nowhere in the
// other: not in its answers, lists and vectors, and not in its files.
func TestNothingCrossesBetweenWorkspaces(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	file := write(t, other, "harvest.csv", "fruit,weight\nQuittenbaum,3\nMispel,4\n")
	one := openShared(t, home)
	two := openTarget(t, Target{Data: []string{file}}, home)
	write(t, two.dir, "rules/roles.yaml", people)
	two.refresh(t.Context())

	for _, who := range []string{"ada", "bob", "cyd", "dan"} {
		teach(t, one, who, "Zwetschgen means gross revenue")
	}
	if _, err := one.Teach(t.Context(), analyst.Lesson{Words: "show numbers in millions", Caller: ada}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if v, err := one.Decide(t.Context(), shared(t, one, "gil")[0].ID, knowledge.Approve, "Zwetschgen are sold", "", as("gil")); err != nil || v.Stands != knowledge.Approved {
		t.Fatal(fault.Detail(err))
	}
	query, asked := readAs(t, one, ada, "zwetschgen-session", "Zwetschgen by category in 1997")
	if !strings.Contains(query, "gross_revenue") {
		t.Fatal(query)
	}
	if _, err := one.Say(t.Context(), analyst.Word{RequestID: asked.RequestID, On: analyst.OnAccepted, Caller: ada}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, err := one.KeepGolden(t.Context(), asked.RequestID, "", ada); err != nil {
		t.Fatal(fault.Detail(err))
	}

	if query, a := readAs(t, two, ada, "", "Zwetschgen by fruit"); strings.Contains(query, "gross_revenue") || len(a.Remembered) != 0 {
		t.Errorf("it is read as %s with %+v", query, a.Remembered)
	}
	if _, a := readAs(t, two, ada, "", "total weight"); a.Frame == nil || a.Frame.Columns[0].Scale != "" {
		t.Errorf("it looks as in the other one: %+v", a.Frame)
	}
	if mine, err := two.Corrections(t.Context(), "", ada); err != nil || len(mine) != 0 {
		t.Errorf("taught is %+v, %v", mine, err)
	}
	if mine, err := two.Preferences(t.Context(), "", ada); err != nil || len(mine) != 0 {
		t.Errorf("preferred is %+v, %v", mine, err)
	}
	if all := shared(t, two, "gil"); len(all) != 0 {
		t.Errorf("shared is %+v", all)
	}
	who, err := two.Identify("", ada)
	if err != nil {
		t.Fatal(err)
	}
	if near := two.nearest(t.Context(), who, "Zwetschgen by category in 1997", query); near != (risk.Nearest{}) {
		t.Errorf("the nearest golden query is %+v", near)
	}
	if _, err := two.Memory().Session(t.Context(), "zwetschgen-session"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the session is there: %v", err)
	}
	if query, _ := readAs(t, one, ada, "", "revenue of Quittenbaum"); strings.Contains(query, "Quittenbaum'") {
		t.Errorf("a value of the other one is known: %s", query)
	}

	for _, w := range []*Workspace{one, two} {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for words, dir := range map[string]string{"Zwetschgen are sold": two.dir, "Zwetschgen means": two.dir, "zwetschgen-session": two.dir, "gross_revenue": two.dir, "Mispel": one.dir} {
		held, looked := holding(t, dir, words)
		if len(held) > 0 || looked == 0 {
			t.Errorf("%q stands in %v of %d files", words, held, looked)
		}
	}
	if held, _ := holding(t, one.dir, "Zwetschgen are sold"); len(held) == 0 {
		t.Error("what was taught stands nowhere: the search is at fault")
	}
}

// holding lists the files under a folder that hold some bytes, and counts those that were looked at.
func holding(t *testing.T, dir, words string) (held []string, looked int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		looked++
		if bytes.Contains(raw, []byte(words)) {
			held = append(held, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return held, looked
}
