package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/store"
)

// Whatever stands in one of its files, a workspace opens and answers from the others, says which file and which line is wrong, and the
// repair that it offers mends it.
func TestAnyFileMayBeWrong(t *testing.T) {
	dir := shop(t)
	write(t, dir, "data/other.csv", "name,weight\nx,2\ny,3\n")
	write(t, dir, "workspace.yaml", "workspace: shop\nsources: [data/sales.csv, data/other.csv]\n")
	sound := map[string]string{
		"workspace.yaml":               "workspace: shop\nsources: [data/sales.csv, data/other.csv]\n",
		"ANALYST.md":                   "# Refuse\n- salaries: they are not here\n",
		"context/registry.yaml":        "model_version: 1\n",
		"context/entities/sales.yaml":  salesEntity,
		"context/metrics/sales.yaml":   turnover,
		"context/gotchas/cost.yaml":    "gotcha: cost\napplies_to: [sales.cost]\nstatement: Costs are estimates.\n",
		"context/golden/turnover.yaml": "question: turnover?\nframe_ql: SELECT turnover\n",
		"context/terms/big.yaml":       "term: big\nmeans: amount above 20\n",
		"context/domains/sales.md":     "Sales.",
		"skills/twice.star":            "def twice(x):\n    return x\n",
	}
	for name, body := range sound {
		write(t, dir, name, body)
	}
	first := openTarget(t, Target{Dir: dir}, t.TempDir())
	if got := cells(t, first, "turnover"); got != "55.75" {
		t.Fatalf("at first: %s\n%s", got, wrongs(first))
	}
	for _, s := range []string{"", "\x00\xff\xfe", "{", "- [a, b", "nonsense: 1\n", "a: b: c", strings.Repeat("[", 300), "<<<<<<< mine\na: 1\n=======\na: 2\n>>>>>>> theirs\n", "entity: sales\nentity: sales\n"} {
		for name, body := range sound {
			if strings.HasPrefix(name, "skills/") || strings.HasSuffix(name, ".md") {
				continue // texts say what they say
			}
			write(t, dir, name, s)
			w := openTarget(t, Target{Dir: dir}, t.TempDir())
			a, err := w.Ask(t.Context(), analyst.Request{FrameQL: "SELECT SUM(other.weight)"}, nil)
			if err != nil || a.Frame == nil || len(a.Frame.Rows) != 1 {
				t.Errorf("%s with %.12q: %v %+v\n%s", name, s, fault.Detail(err), a, wrongs(w))
			}
			said := w.Problems()
			if s != "" && len(said) == 0 {
				t.Errorf("%s with %.12q: nothing is said", name, s)
			}
			for _, p := range said {
				if p.File != name || !strings.Contains(strings.Join(p.Repairs, ","), repairRestore) {
					continue
				}
				if err := w.Repair(t.Context(), p.ID, repairRestore); err != nil {
					t.Errorf("%s with %.12q: %s", name, s, fault.Detail(err))
				}
				if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != body {
					t.Errorf("%s with %.12q is %q after it was restored", name, s, got)
				}
				break
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			write(t, dir, name, body)
		}
	}
	if got := cells(t, openTarget(t, Target{Dir: dir}, t.TempDir()), "turnover"); got != "55.75" {
		t.Errorf("at last: %s", got)
	}
}

// A table of which a wrong file may speak is not guessed about: what is personal in it may stand there.
func TestNothingIsGuessedInPlaceOfAWrongFile(t *testing.T) {
	dir := shop(t)
	write(t, dir, "context/entities/sales.yaml", strings.Replace(salesEntity, "{name: region, type: text}", "{name: region, type: text, pii: person_name}\n  - [", 1))
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	if m := w.Knowledge().Model; len(m.Entities) != 0 || w.Personal("sales", "region") == "" || w.Personal("sales", "amount") == "" {
		t.Errorf("%+v, region %q", m.Entities, w.Personal("sales", "region"))
	}
	write(t, dir, "context/entities/sales.yaml", strings.Replace(salesEntity, "{name: region, type: text}", "{name: region, type: txt}", 1))
	w = openTarget(t, Target{Dir: dir}, t.TempDir())
	if got := cells(t, w, "turnover"); got != "55.75" || w.Personal("sales", "region") == "" || w.Personal("sales", "amount") != "" {
		t.Errorf("%s, region %q, amount %q\n%s", got, w.Personal("sales", "region"), w.Personal("sales", "amount"), wrongs(w))
	}
}

// Rules that cannot be read forbid what they may have forbidden.
func TestWrongRulesAreClosed(t *testing.T) {
	for name, body := range map[string]string{
		"roles.yaml": "roles: [", "autonomy.yaml": "matrix: 3\n", "escalation.yaml": "takes_over: {default: [nobody]}\n", "pii.yaml": "columns: 1\n", "role.yaml": "roles: []\n", "pii.yml": "",
	} {
		dir := shop(t)
		write(t, dir, rules.Folder+"/"+strings.TrimSpace(name), body)
		w := openTarget(t, Target{Dir: dir}, t.TempDir())
		a, err := w.Ask(t.Context(), analyst.Request{Question: "turnover"}, nil)
		ran := err == nil && a.Frame != nil
		if name = strings.TrimSpace(name); ran != (name == "pii.yaml") {
			t.Errorf("%s: %+v %v", name, a, err)
		}
		if name == "pii.yaml" && w.Personal("sales", "region") == "" {
			t.Errorf("%s %q: a column is not personal", name, body)
		}
		if said := wrongs(w); !strings.Contains(said, rules.Folder+"/"+name) || strings.Contains(said, repairSetAside) {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// A file of the store that is damaged is named wherever somebody asks for what was in it, and importing it again mends it.
func TestDamagedDataIsNamed(t *testing.T) {
	for name, damage := range map[string]func(raw []byte) []byte{
		"cut":    func(raw []byte) []byte { return raw[:len(raw)/3] },
		"empty":  func([]byte) []byte { return nil },
		"zeroed": func(raw []byte) []byte { return make([]byte, len(raw)) },
		"body": func(raw []byte) []byte {
			for i := 12 * 1024; i < len(raw); i++ {
				raw[i] ^= 0x5a
			}
			return raw
		},
		"header": func(raw []byte) []byte { copy(raw[8:], "nonsense"); return raw },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "workspace.yaml", "workspace: shop\n")
			outside := t.TempDir()
			bad, good := write(t, outside, "payments.csv", "day,amount\n2025-01-05,3\n2025-01-06,4\n"), write(t, outside, "other.csv", "name,weight\nx,2\ny,3\n")
			opt := Options{DataDir: t.TempDir(), Now: noon, inProcess: true}
			w, err := Open(t.Context(), Target{Dir: dir}, opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []string{bad, good} {
				if _, err := w.Import(t.Context(), store.ImportRequest{Path: f}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			files, _ := filepath.Glob(filepath.Join(dir, ".assay", "store", "payments-*.duckdb"))
			raw, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(files[0], damage(raw), 0o600); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(filepath.Join(dir, ".assay", "facts.json"))
			_ = os.Remove(filepath.Join(dir, ".assay", "tables.json"))
			if w, err = Open(t.Context(), Target{Dir: dir}, opt); err != nil {
				t.Fatal(fault.Detail(err))
			}
			defer func() { _ = w.Close() }()
			if got := cells(t, w, "total weight"); got != "5" {
				t.Errorf("the other table: %s", got)
			}
			said := ""
			if a, err := w.Ask(t.Context(), analyst.Request{Question: "total amount"}, nil); err != nil {
				said = err.Error()
			} else if a.Refusal != nil {
				said = a.Refusal.Message
			}
			if !strings.Contains(said, "payments") {
				t.Errorf("asked for what is damaged: %q\n%s", said, wrongs(w))
			}
			for _, p := range w.Problems() {
				if strings.Contains(strings.Join(p.Repairs, ","), repairRefresh) {
					if err := w.Repair(t.Context(), p.ID, repairRefresh); err != nil {
						t.Fatal(fault.Detail(err))
					}
					break
				}
			}
			if got := cells(t, w, "total amount"); got != "7" || len(w.Problems()) != 0 {
				t.Errorf("imported again: %s\n%s", got, wrongs(w))
			}
		})
	}
}
