package memory

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
)

func named(q []SavedQuery) string {
	all := make([]string, len(q))
	for i, one := range q {
		all[i] = one.Name + "=" + one.Text
	}
	return strings.Join(all, "; ")
}

func TestASavedQueryIsReplacedOnlyByWhoSawItAsItIs(t *testing.T) {
	c := &clock{t: noon}
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	m, err := Open(t.Context(), Options{Path: path, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	save := func(actor, name, text string, replacing *time.Time) (SavedQuery, error) {
		return m.SaveQuery(t.Context(), actor, SavedQuery{Name: name, Language: "sql", Text: text}, replacing)
	}
	list := func(actor string) string {
		all, err := m.SavedQueries(t.Context(), actor)
		if err != nil {
			t.Fatal(err)
		}
		return named(all)
	}
	first, err := save("ada", "  Orders \n by  land ", "SELECT 1", nil)
	if err != nil || first.Name != "Orders by land" || first.ID == "" || !first.Created.Equal(noon) || !first.Changed.Equal(noon) {
		t.Fatalf("saved %+v, %v", first, err)
	}
	if _, err := save("ada", "ORDERS by Land", "SELECT 2", nil); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("the same name in another case: %v", err)
	}
	if _, err := save("bob", "Orders by land", "SELECT 3", nil); err != nil {
		t.Errorf("the name of somebody else: %v", err)
	}
	second, err := save("ada", "orders by land", "SELECT 2", &first.Changed) // the clock stands still
	if err != nil || second.ID != first.ID || !second.Changed.After(first.Changed) || !second.Created.Equal(noon) {
		t.Errorf("replaced by %+v, %v", second, err)
	}
	_, err = save("ada", "orders by land", "SELECT 4", &first.Changed)
	code(t, err, fault.Conflict, "was changed")
	c.forward(time.Minute)
	if _, err := save("ada", "Éclairs", "SELECT 'é'", &first.Changed); err != nil { // it is gone: there is nothing to lose
		t.Errorf("saving what was deleted elsewhere: %v", err)
	}
	if got, want := list("ada"), "orders by land=SELECT 2; Éclairs=SELECT 'é'"; got != want {
		t.Errorf("ada keeps %s, want %s", got, want)
	}
	renamed, err := m.RenameQuery(t.Context(), "ada", first.ID, "By land")
	if err != nil || renamed.Text != "SELECT 2" || !renamed.Changed.Equal(noon.Add(time.Minute)) {
		t.Errorf("renamed %+v, %v", renamed, err)
	}
	_, err = m.RenameQuery(t.Context(), "ada", first.ID, "éclairs")
	code(t, err, fault.Conflict, "éclairs")
	_, err = m.RenameQuery(t.Context(), "bob", first.ID, "mine")
	code(t, err, fault.NotFound, "not there")
	code(t, m.DeleteQuery(t.Context(), "bob", first.ID), fault.NotFound, "not there")
	if err := m.DeleteQuery(t.Context(), "ada", first.ID); err != nil {
		t.Error(err)
	}
	code(t, m.DeleteQuery(t.Context(), "ada", first.ID), fault.NotFound, "not there")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = open(t, path)
	if got, want := list("ada")+" | "+list("bob")+" | "+list("eve"), "Éclairs=SELECT 'é' | Orders by land=SELECT 3 | "; got != want {
		t.Errorf("after a restart %q, want %q", got, want)
	}
}

func TestASavedQueryHasANameATextALanguageAndALimit(t *testing.T) {
	m := fresh(t)
	for _, c := range []struct {
		q     SavedQuery
		code  fault.Code
		words string
	}{
		{SavedQuery{Name: " \n ", Language: "sql", Text: "SELECT 1"}, fault.Invalid, "needs a name"},
		{SavedQuery{Name: "a", Language: "sql", Text: " \n"}, fault.Invalid, "empty"},
		{SavedQuery{Name: "a", Language: "python", Text: "1"}, fault.Invalid, "python"},
		{SavedQuery{Name: strings.Repeat("é", MostSavedName+1), Language: "sql", Text: "SELECT 1"}, fault.Limit, "120"},
		{SavedQuery{Name: "a", Language: "sql", Text: strings.Repeat("é", MostSavedText+1)}, fault.Limit, "200000"},
	} {
		_, err := m.SaveQuery(t.Context(), "ada", c.q, nil)
		code(t, err, c.code, c.words)
	}
	if _, err := m.SaveQuery(t.Context(), "ada", SavedQuery{Name: strings.Repeat("é", MostSavedName), Language: "frame_ql", Text: strings.Repeat("é", MostSavedText)}, nil); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := m.write.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO saved_query SELECT 'id' || i, 'ada', 'n' || i, 'n' || i, 'sql', 'x', ?, ? FROM n`, MostSavedQueries-1, stamp(noon), stamp(noon)); err != nil {
		t.Fatal(err)
	}
	_, err := m.SaveQuery(t.Context(), "ada", SavedQuery{Name: "one more", Language: "sql", Text: "SELECT 1"}, nil)
	code(t, err, fault.Limit, "1000")
}
