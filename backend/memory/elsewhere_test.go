package memory

import (
	"path/filepath"
	"slices"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

// cameAlong is an imported session of two turns with a model beside it.
func cameAlong(t *testing.T, m *Memory, id, secret string) {
	t.Helper()
	a := Arriving{
		ID: id, Title: "From afar", Created: noon, Model: map[string][]byte{"context/metrics/revenue.yaml": []byte("metric: " + secret)},
		Imported: session.Imported{File: "handed.assay", At: noon, By: "ada", Signature: session.SignatureValid, Fingerprint: "aa bb", Origin: &session.Origin{SessionID: "there", Title: "Far off", Turn: 3}},
	}
	err := m.Import(t.Context(), a, func(yield func(session.Turn, error) bool) {
		for i := 1; i <= 2; i++ {
			come := turn(id, i)
			come.RequestID, come.Question, come.Index, come.Place, come.Chosen = id+string(rune('0'+i)), "what came", i, i, true
			come.Elsewhere = &session.Elsewhere{File: "handed.assay", At: noon, Signature: session.SignatureValid, Fingerprint: "aa bb", Relayed: i == 2}
			if !yield(come, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
}

// marks says of each turn of a session whether it came from elsewhere, and whether it was handed on before.
func marks(t *testing.T, m *Memory, id string) (all []string) {
	t.Helper()
	d, err := m.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range d.Turns {
		switch {
		case x.Elsewhere == nil:
			all = append(all, "own")
		case x.Elsewhere.Relayed:
			all = append(all, "relayed")
		default:
			all = append(all, x.Elsewhere.File)
		}
	}
	return all
}

// What came with a file is known as that in every branch, and what is asked there is not.
func TestTheMarkOfWhatCameStaysInABranch(t *testing.T) {
	m := fresh(t)
	cameAlong(t, m, "came", "x")
	names := counted()
	if _, err := m.Fork(t.Context(), "came", ForkAt{}, "branch", names); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Begin(t.Context(), request("own", "branch", "and by month")); err != nil {
		t.Fatal(err)
	}
	if err := m.Finish(t.Context(), "own", analyst.Closing{Turn: turn("branch", 3)}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Fork(t.Context(), "branch", ForkAt{}, "again", names); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]string{"came": {"handed.assay", "relayed"}, "branch": {"handed.assay", "relayed", "own"}, "again": {"handed.assay", "relayed", "own"}} {
		if got := marks(t, m, id); !slices.Equal(got, want) {
			t.Errorf("%s: %v", id, got)
		}
	}
	all, err := m.Written(t.Context(), "ada", "", 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		if w.Question == "what came" {
			t.Errorf("a query that ran elsewhere is listed as the person's own: %+v", w)
		}
	}
	if known, err := m.SignedWith(t.Context(), "aa bb"); err != nil || !slices.Equal(known, []string{"From afar"}) {
		t.Errorf("known %v, %v", known, err)
	}
	d, err := m.Session(t.Context(), "came")
	if err != nil || d.Origin != nil || d.Imported.Origin == nil || d.Imported.Origin.Title != "Far off" {
		t.Errorf("origin %+v %+v, %v", d.Origin, d.Imported, err)
	}
	if _, err := m.Tree(t.Context(), "there"); fault.CodeOf(err) != fault.NotFound { // a stranger's word makes nobody a relative
		t.Errorf("the file put itself into a family: %v", err)
	}
}

// The model that came goes with its session, to the last byte.
func TestTheModelThatCameGoesWithItsSession(t *testing.T) {
	dir := t.TempDir()
	m := open(t, filepath.Join(dir, "memory.sqlite"))
	cameAlong(t, m, "came", "Zebraquagga")
	files, err := m.SessionModel(t.Context(), "came")
	if err != nil || string(files["context/metrics/revenue.yaml"]) != "metric: Zebraquagga" {
		t.Fatalf("%q, %v", files, err)
	}
	if _, err := m.SessionModel(t.Context(), "nobody"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("of a session that is not there: %v", err)
	}
	if len(filesWith(t, dir, "Zebraquagga")) == 0 {
		t.Fatal("the test sees nothing: it is nowhere before it goes")
	}
	if _, err := m.Purge(t.Context(), "came", "ada"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if found := filesWith(t, dir, "Zebraquagga"); len(found) > 0 {
		t.Errorf("it stands in %v", found)
	}
}

// Sessions that were imported and forked before the mark was kept get it.
func TestSessionsOfBeforeGetTheMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.sqlite")
	if err := touch(path); err != nil {
		t.Fatal(err)
	}
	db, err := connect(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := migrateTo(t.Context(), db, before(t, "0014"), path, noon); err != nil {
		t.Fatal(err)
	}
	const at = `'2026-01-15T12:00:00Z'`
	for _, statement := range []string{
		`INSERT INTO session (id, title, created, updated, origin, origin_turn, imported) VALUES
			('came', 'Came', ` + at + `, ` + at + `, '', 0, '{"file":"handed.assay","sha256":"","at":"2026-01-15T12:00:00Z","by":"ada","signature":"valid","signer":"A. Nalyst","fingerprint":"aa","program":"","workspace":"Afar","frames":"whole","session_id":"x","requests":{}}'),
			('fork', 'Fork', ` + at + `, ` + at + `, 'came', 1, NULL), ('second', 'Second', ` + at + `, ` + at + `, 'fork', 2, NULL), ('lost', 'Lost', ` + at + `, ` + at + `, 'purged', 1, NULL)`,
		`INSERT INTO request (id, session, turn, question, actor, asked, overrides, instance, finished, outcome, status, frame_ql, answer, settled, settled_at)
			SELECT column1 || column2, column1, column2, 'q', 'ada', ` + at + `, '{}', 'gone', ` + at + `, 'answer', 'completed', '', '{}', column3, ` + at + `
			FROM (VALUES ('came', 1, 'imported'), ('fork', 1, 'imported'), ('fork', 2, ''), ('second', 1, 'imported'), ('second', 2, ''), ('lost', 1, 'imported'))`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	m := open(t, path)
	for id, want := range map[string][]string{"came": {"handed.assay"}, "fork": {"handed.assay", "own"}, "second": {"handed.assay", "own"}, "lost": {""}} {
		if got := marks(t, m, id); !slices.Equal(got, want) {
			t.Errorf("%s: %q", id, got)
		}
	}
	d, err := m.Session(t.Context(), "second")
	if err != nil || d.Turns[0].Elsewhere.Signer != "A. Nalyst" || d.Turns[0].Elsewhere.Workspace != "Afar" || !d.Turns[0].Elsewhere.At.Equal(noon) {
		t.Errorf("%+v, %v", d.Turns[0].Elsewhere, err)
	}
}
