package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	salesCSV    = "sale_id,day,region,amount,cost\n1,2025-01-05,East,10.25,4\n2,2025-01-06,West,20.25,5\n3,2025-02-01,East,25.25,6\n"
	salesEntity = "entity: sales\nsource: {table: sales}\nkey: [sale_id]\ndimensions:\n" +
		"  - {name: sale_id, type: integer}\n  - {name: day, type: date}\n  - {name: region, type: text}\n  - {name: amount, type: decimal}\n  - {name: cost, type: decimal}\ntime: {default: day}\n"
	turnover = "metric: turnover\nlabel: Turnover\nkind: leaf\nentity: sales\nreducer: sum\nexpr: amount\n"
)

// shop is a workspace folder with a hand-written context.
func shop(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "shop")
	write(t, dir, "data/sales.csv", salesCSV)
	write(t, dir, "workspace.yaml", "workspace: shop\nsources: [data/sales.csv]\n")
	write(t, dir, "context/entities/sales.yaml", salesEntity)
	write(t, dir, "context/metrics/sales.yaml", turnover)
	return dir
}

// A context file that is edited while the workspace is open counts from the next question on.
func TestEditedContextCounts(t *testing.T) {
	dir := shop(t)
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	if got := cells(t, w, "turnover"); got != "55.75" {
		t.Fatalf("before the edit: %s", got)
	}
	before, _ := w.Model()
	version := before.Version
	write(t, dir, "context/metrics/sales.yaml", strings.Replace(turnover, "expr: amount", "expr: amount - cost", 1))
	if got := cells(t, w, "turnover"); got != "40.75" {
		t.Errorf("after the edit: %s", got)
	}
	write(t, dir, "context/metrics/spend.yaml", "metric: outlay\nlabel: Outlay\nkind: leaf\nentity: sales\nreducer: sum\nexpr: cost\n")
	if got := cells(t, w, "outlay by region"); got != "East|10\nWest|5" {
		t.Errorf("a new file: %s", got)
	}
	after, loaded := w.Model()
	if after.Version == version || loaded.Stale || loaded.Err != nil {
		t.Errorf("version %s then %s, loaded %+v", version, after.Version, loaded)
	}
}

// A file that no longer loads leaves the last good model in use and says which line is wrong; correcting it ends that.
func TestBrokenEditLeavesTheLastGoodModel(t *testing.T) {
	dir := shop(t)
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	for name, broken := range map[string]string{
		"syntax":      "metric: turnover\nlabel: {Turnover\n",
		"unknown key": strings.Replace(turnover, "kind: leaf", "colour: blue\nkind: leaf", 1),
		"bad column":  strings.Replace(turnover, "expr: amount", "expr: amout", 1),
	} {
		write(t, dir, "context/metrics/sales.yaml", broken)
		for range 2 {
			if got := cells(t, w, "turnover"); got != "55.75" {
				t.Errorf("%s: the answer is %s", name, got)
			}
		}
		_, loaded := w.Model()
		if !loaded.Stale || loaded.Err == nil || !strings.Contains(loaded.Err.Error(), "metrics/sales.yaml:") {
			t.Errorf("%s: loaded %+v", name, loaded)
		}
		write(t, dir, "context/metrics/sales.yaml", turnover+"# "+name+"\n")
		if got := cells(t, w, "turnover"); got != "55.75" {
			t.Errorf("%s, corrected: the answer is %s", name, got)
		}
		if _, loaded := w.Model(); loaded.Stale || loaded.Err != nil {
			t.Errorf("%s, corrected: loaded %+v", name, loaded)
		}
	}
}

// A source that changed is read again at the next opening.
func TestChangedSourceIsReadAgain(t *testing.T) {
	dir, home := shop(t), t.TempDir()
	first := openTarget(t, Target{Dir: dir}, home)
	if got := cells(t, first, "turnover"); got != "55.75" {
		t.Fatalf("at first: %s", got)
	}
	write(t, dir, "data/sales.csv", salesCSV+"4,2025-03-01,North,100.00,1\n")
	second := openTarget(t, Target{Dir: dir}, home)
	if got := cells(t, second, "turnover"); got != "155.75" {
		t.Errorf("opened again: %s", got)
	}
	if got := cells(t, second, "turnover for North"); got != "100" && got != "100.00" {
		t.Errorf("a new value is not known: %s", got)
	}
	if n := len(second.Sources()); n != 1 {
		t.Errorf("%d sources", n)
	}
}

// A source that is gone after its import can be asked about, in the same process and in the next.
func TestSourceThatIsGoneStaysUsable(t *testing.T) {
	path, home := write(t, t.TempDir(), "sales.csv", salesCSV), t.TempDir()
	target := Target{Data: []string{path}}
	first := openTarget(t, target, home)
	want := cells(t, first, "total amount by region")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := cells(t, first, "total amount by region"); got != want {
		t.Errorf("the same process: %s", got)
	}
	if got := cells(t, openTarget(t, target, home), "total amount by region"); got != want || got != "East|35.50\nWest|20.25" {
		t.Errorf("the next process: %s, before %s", got, want)
	}
}

// Two files that share a key are joined by the inferred model.
func TestTwoFilesAreJoined(t *testing.T) {
	dir := t.TempDir()
	customers := write(t, dir, "customers.csv", "customer_id,customer_name,country\n1,Ana,France\n2,Bo,Japan\n3,Carla,France\n")
	orders := write(t, dir, "orders.csv", "order_id,customer_id,ordered_on,amount\n10,1,2025-01-05,10.50\n11,2,2025-01-06,20.00\n12,1,2025-02-07,5.25\n13,3,2025-02-08,7.00\n")
	for _, files := range [][]string{{customers, orders}, {orders, customers}} {
		w := openTarget(t, Target{Data: files}, t.TempDir())
		if got := cells(t, w, "total amount by country"); got != "France|22.75\nJapan|20.00" && got != "France|22.75\nJapan|20" {
			t.Errorf("%v: %s", files, got)
		}
		if got := cells(t, w, "number of orders by country"); got != "France|3\nJapan|1" {
			t.Errorf("%v: %s", files, got)
		}
	}
	// The same files in another order are the same workspace.
	home := t.TempDir()
	a, b := openTarget(t, Target{Data: []string{customers, orders}}, home), openTarget(t, Target{Data: []string{orders, customers}}, home)
	if a.Dir() != b.Dir() {
		t.Errorf("%s and %s", a.Dir(), b.Dir())
	}
}
