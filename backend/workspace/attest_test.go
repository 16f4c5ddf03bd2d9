package workspace

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/semantic"
)

const (
	ordersCSV = "order_id,customer_id,region_id,day,amount\n1,1,1,2025-01-05,10\n2,2,1,2025-01-06,20\n3,1,2,2025-02-01,30\n4,9,2,2025-02-02,40\n5,,2,2025-02-03,50\n"
	peopleCSV = "customer_id,name,vip\n1,Ana,true\n2,Bo,false\n3,Carla,false\n"
	regionCSV = "region_id,region,state\n1,North,Norte\n1,North,Sul\n2,South,Leste\n"
	joined    = "entity: orders\nkey: [order_id]\ntime: {default: day}\ndimensions:\n  - {name: order_id, type: integer}\n  - {name: customer_id, type: integer}\n  - {name: region_id, type: integer}\n" +
		"  - {name: day, type: date}\n  - {name: amount, type: integer}\n  - {name: area, derived_from: region, map: {North: Up}, default: Down}\n  - {name: region, type: text, expr: \"CASE WHEN region_id = 1 THEN 'North' ELSE 'South' END\"}\n" +
		"  - {name: big, type: boolean, expr: amount > 15}\n---\n" +
		"entity: people\nkey: [customer_id]\ndisplay: name\ndimensions:\n  - {name: customer_id, type: integer}\n  - {name: name, type: text}\n  - {name: vip, type: boolean}\n---\n" +
		"entity: vips\nsource: {sql: \"SELECT * FROM people WHERE vip\"}\nkey: [customer_id]\ndimensions:\n  - {name: customer_id, type: integer}\n  - {name: name, type: text}\n---\n" +
		"entity: regions\nsource: {table: region}\ndimensions:\n  - {name: region_id, type: integer}\n  - {name: state, type: text}\n"
	paths = "from: orders\njoins:\n  - {to: people, on: {customer_id: customer_id}, total: true}\n  - {to: regions, on: {region_id: region_id}}\n" +
		"  - {to: vips, on: {region: name}}\n"
	closing = "metric: closing\nentity: orders\nexpr: amount\nreducer: sum\nadditivity: {time: {semi: last, per: [region_id]}}\n"
)

// chain is a workspace whose joins are declared by hand.
func chain(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "chain")
	write(t, dir, "data/orders.csv", ordersCSV)
	write(t, dir, "data/people.csv", peopleCSV)
	write(t, dir, "data/region.csv", regionCSV)
	write(t, dir, "workspace.yaml", "workspace: chain\nsources: [data/orders.csv, data/people.csv, data/region.csv]\n")
	write(t, dir, "context/entities/all.yaml", joined)
	write(t, dir, "context/join-paths/orders.yaml", strings.Replace(paths, "  - {to: vips, on: {region: name}}\n", "", 1))
	write(t, dir, "context/metrics/closing.yaml", closing)
	return dir
}

func joinTo(t *testing.T, m *semantic.Model, to string) semantic.Join {
	t.Helper()
	for _, j := range m.Joins {
		if j.To == to {
			return j
		}
	}
	t.Fatalf("no join to %s", to)
	return semantic.Join{}
}

// The model that requests work with says what the data says of its joins, whatever was declared.
func TestJoinsAreAttested(t *testing.T) {
	dir := chain(t)
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	m := w.Knowledge().Model
	if j := joinTo(t, m, "people"); j.Total || !reflect.DeepEqual(j.Attested, &semantic.Attestation{Unique: true, Orphans: 1, Missing: 1}) {
		t.Errorf("people: %+v %+v", j, j.Attested)
	}
	if j := joinTo(t, m, "regions"); !j.Total || !reflect.DeepEqual(j.Attested, &semantic.Attestation{}) {
		t.Errorf("a far side that repeats stays in the model and says so: %+v %+v", j, j.Attested)
	}
	version := m.Version

	// The data moves: now every order has its customer.
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "data/orders.csv", strings.NewReplacer(",9,", ",3,", "5,,", "5,2,").Replace(ordersCSV))
	again := openTarget(t, Target{Dir: dir}, t.TempDir())
	m = again.Knowledge().Model
	if j := joinTo(t, m, "people"); !j.Total || !reflect.DeepEqual(j.Attested, &semantic.Attestation{Unique: true}) {
		t.Errorf("people, mended: %+v %+v", j, j.Attested)
	}
	if m.Version != version {
		t.Error("what was measured changed the version")
	}
}

func TestWhatIsKnownOfTheData(t *testing.T) {
	w := openTarget(t, Target{Dir: chain(t)}, t.TempDir())
	k := w.Knowledge()
	for entity, want := range map[string]int64{"orders": 5, "People": 3, "vips": 1, "nothing": 0} {
		if got := k.Rows(entity); got != want {
			t.Errorf("rows of %s: %d", entity, got)
		}
	}
	for dimension, want := range map[string]int64{
		"orders.customer_id": 3, "Orders.Region_id": 2, "people.name": 3, "people.vip": 2, "regions.state": 3,
		"orders.area": 2, "orders.region": 2, "orders.big": 2, "orders.nothing": 0, "nothing": 0,
	} {
		if got := k.Distinct(dimension); got != want {
			t.Errorf("values of %s: %d", dimension, got)
		}
	}
	if values, complete := k.Values("people.name"); !complete || len(values) != 3 {
		t.Errorf("names: %v %v", values, complete)
	}
	if values, complete := k.Values("orders.amount"); complete || values != nil {
		t.Errorf("a number has no index: %v", values)
	}
	for _, c := range []struct {
		entity        string
		dimensions    []string
		unique, known bool
	}{
		{"orders", []string{"ORDER_ID"}, true, true},
		{"orders", []string{"day", "region_id"}, true, true}, // what the metric closing rests on, in any order
		{"orders", []string{"day"}, false, false},
	} {
		if unique, known := k.Unique(c.entity, c.dimensions); unique != c.unique || known != c.known {
			t.Errorf("%v: %v %v", c.dimensions, unique, known)
		}
	}
}

// What was measured is kept for the data that it was measured on, statement by statement.
func TestMeasurementsAreKept(t *testing.T) {
	dir, home := chain(t), t.TempDir()
	w := openTarget(t, Target{Dir: dir}, home)
	model := w.Knowledge().Model
	if _, open := w.attest(context.Background(), w.keptStatements().known, model); open != 0 {
		t.Errorf("%d things would be measured again", open)
	}
	write(t, dir, "context/join-paths/orders.yaml", strings.Replace(paths, "on: {region_id: region_id}", "on: {order_id: region_id}", 1))
	if got := cells(t, w, "closing"); got == "" {
		t.Fatal("no answer")
	}
	m := w.Knowledge().Model
	if j := joinTo(t, m, "regions"); j.Attested == nil || j.Attested.Orphans != 3 {
		t.Errorf("an edited join is measured: %+v", j.Attested)
	}
	if j := joinTo(t, m, "vips"); j.Attested != nil || j.Total {
		t.Errorf("a join over a computed dimension is not measured: %+v", j.Attested)
	}
	// A file that cannot be read costs a measurement and nothing else.
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, ".assay", statementsFile)
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := openTarget(t, Target{Dir: dir}, home)
	if j := joinTo(t, again.Knowledge().Model, "people"); j.Attested == nil {
		t.Error("a damaged file was not measured again")
	}
}

// Large data is measured while questions are answered; the view changes when it is done.
func TestMeasuringInTheBackground(t *testing.T) {
	w := openTarget(t, Target{Dir: chain(t)}, t.TempDir())
	k := w.Knowledge()
	declared := semantic.WithAttestations(k.Model, func(*semantic.Join) *semantic.Attestation { return nil })
	for i := range declared.Joins {
		declared.Joins[i].Attested = nil
	}
	v := view{model: declared, base: k}
	begin := func() *background {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.show(v, attestation{})
		w.attestLater(&statements{key: "k", kept: map[string][]any{}}, v)
		return w.measuring
	}
	<-begin().done
	if j := joinTo(t, w.Knowledge().Model, "people"); j.Attested == nil || j.Attested.Orphans != 1 {
		t.Errorf("after measuring: %+v", j.Attested)
	}
	// Another view that is made meanwhile is not replaced.
	w.mu.Lock()
	w.show(v, attestation{})
	w.attestLater(&statements{key: "k", kept: map[string][]any{}}, v)
	ended := w.stopMeasuring()
	w.mu.Unlock()
	<-ended
	if j := joinTo(t, w.Knowledge().Model, "people"); j.Attested != nil {
		t.Errorf("a measurement that was given up changed the view: %+v", j.Attested)
	}
	begin() // and closing waits for it
}

const schoolDays = "day,term,school_year\n2025-01-01,A,2025\n2025-01-02,A,2025\n2025-01-03,B,2025\n2025-01-04,A,2026\n"

func schooled(t *testing.T, days string) string {
	dir := shop(t)
	sources := "data/sales.csv"
	if days != "" {
		write(t, dir, "data/days.csv", days)
		sources += ", data/days.csv"
	}
	write(t, dir, "workspace.yaml", "workspace: shop\nsources: ["+sources+"]\ncalendars: [{name: school, table: days, date_column: day, units: {term: term, fiscal_year: school_year}}]\n")
	return dir
}

func TestCalendarOfATable(t *testing.T) {
	w := openTarget(t, Target{Dir: schooled(t, schoolDays)}, t.TempDir())
	c := w.Knowledge().Model.Calendar("school")
	var labels []string
	for _, b := range c.Buckets["term"] {
		labels = append(labels, b.Label+" "+b.From.Format("02")+"-"+b.To.Format("02"))
	}
	if got := strings.Join(labels, ", "); got != "A 01-03, B 03-04, A 04-05" || len(c.Buckets["fiscal_year"]) != 2 {
		t.Errorf("terms: %s", got)
	}
	// Without its table the workspace opens, and the calendar has no units.
	bare := openTarget(t, Target{Dir: schooled(t, "")}, t.TempDir())
	if c := bare.Knowledge().Model.Calendar("school"); c == nil || c.Buckets != nil {
		t.Errorf("without a table: %+v", c)
	}
}

func TestBrokenCalendarNamesTheDay(t *testing.T) {
	for name, days := range map[string]string{
		"2025-01-02": strings.Replace(schoolDays, "2025-01-02,A,2025\n", "", 1),
		"2025-01-03": schoolDays + "2025-01-03,B,2025\n",
		"2025-01-04": strings.Replace(schoolDays, "2025-01-04,A", "2025-01-04,", 1),
	} {
		w := openTarget(t, Target{Dir: schooled(t, days)}, t.TempDir())
		if said := wrongs(w); !strings.Contains(said, name) || !strings.Contains(said, "school") {
			t.Errorf("%s: %s", name, said)
		}
		if c := w.Knowledge().Model.Calendar("school"); c == nil || c.Buckets != nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestUnknownZoneOfADimension(t *testing.T) {
	dir := shop(t)
	write(t, dir, "context/entities/sales.yaml", strings.Replace(salesEntity, "{name: day, type: date}", "{name: day, type: timestamp, time_zone: Mars/Olympus}", 1))
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	if said := wrongs(w); !strings.Contains(said, "Mars/Olympus") || !strings.Contains(said, "context/entities/sales.yaml:") {
		t.Error(said)
	}
	if w.Knowledge().Model.Dimension("sales.day") != nil {
		t.Error("a time whose zone nobody knows is read")
	}
}

// A table whose key repeats (a region on each of its states) is never proposed as the one side of a join.
func TestFarSideThatRepeatsIsNotProposed(t *testing.T) {
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	folder := filepath.Join(shared, "data", "cortex")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the shared data is not here; set ASSAY_SHARED")
	}
	var files []string
	for _, name := range []string{"daily_revenue.csv", "product.csv", "region.csv"} {
		files = append(files, filepath.Join(folder, name))
	}
	w := openTarget(t, Target{Data: files}, t.TempDir())
	m, _ := w.Model()
	if len(m.Entities) != 3 {
		t.Fatalf("%d entities", len(m.Entities))
	}
	for _, j := range m.Joins {
		if j.To == "region" || j.From == "region" {
			t.Errorf("%s is joined to %s by %v: %s", j.From, j.To, j.On, j.Basis)
		}
	}
}

// Steps of hierarchies say what the data says: the model that requests work with knows whether they hold, and a query that
// needs one that does not is refused with the counter-example.
func TestHierarchiesAreAttested(t *testing.T) {
	dir := chain(t)
	write(t, dir, "context/entities/all.yaml", strings.Replace(joined, "  - {name: vip, type: boolean}\n", "  - {name: vip, type: boolean}\nhierarchies:\n  - {name: who, path: [name, vip]}\n  - {name: all, path: [vip, name]}\n", 1))
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	all := w.Knowledge().Model.Entity("people").Hierarchies
	if d := all[0].Step(0); d == nil || !d.Holds() || d.Members != 3 || d.Epoch == "" || !strings.Contains(d.SQL, "people") {
		t.Errorf("name to vip: %+v", d)
	}
	d := all[1].Step(0)
	if d == nil || d.Holds() || d.Members != 2 || d.Pairs != 3 || *d.Member != "false" || *d.Among[0] != "Bo" || *d.Among[1] != "Carla" {
		t.Fatalf("vip to name: %+v", d)
	}
	if _, open := w.attest(context.Background(), w.keptStatements().known, w.Knowledge().Model); open != 0 {
		t.Errorf("%d things would be measured again", open)
	}
	epoch := d.Epoch
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "data/people.csv", strings.Replace(peopleCSV, "3,Carla,false", "3,Carla,", 1))
	again := openTarget(t, Target{Dir: dir}, t.TempDir())
	if d := again.Knowledge().Model.Entity("people").Hierarchies[1].Step(0); d == nil || !d.Holds() || *d.Bare != "Carla" || d.Epoch == epoch {
		t.Errorf("vip to name, after the data moved: %+v", d)
	}
}

// TestGotchasAreChecked: the check of a known trap is run on the present data; where it gives something else, answers that it is about say so, and one that is critical is open.
func TestGotchasAreChecked(t *testing.T) {
	w := openShared(t, t.TempDir())
	gotcha := func(expect, severity, query string) {
		t.Helper()
		write(t, w.dir, "context/gotchas/freight-is-known.yaml", "gotcha: freight-is-known\napplies_to: [freight, customers.country]\nseverity: "+severity+
			"\nstatement: Freight is known of every order.\ncheck: {query: \""+query+"\", expect: "+expect+"}\n")
		w.refresh(t.Context())
		if _, l := w.Model(); l.Stale {
			t.Fatal(l.Err)
		}
	}
	ask := func() *analyst.Answer {
		t.Helper()
		a, err := w.Ask(t.Context(), analyst.Request{FrameQL: "SELECT customers.country, freight AT customers.country DURING 1997", SessionID: newID(), Caller: as("ada")}, nil)
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return a
	}
	const orders = "SELECT order_count AT ()"
	for _, c := range []struct {
		expect, severity, query string
		says, refused           bool
	}{
		{"830", "info", orders, false, false},
		{"830.0", "critical", orders, false, false},
		{"12", "info", orders, true, false},
		{"12", "critical", orders, false, true}, // a combination that it is about
		{"12", "critical", "SELECT nothing_of_the_kind AT ()", false, false},
	} {
		gotcha(c.expect, c.severity, c.query)
		a := ask()
		at := slices.IndexFunc(a.Findings, func(f analyst.Finding) bool {
			return f.Code == "GOTCHA" && strings.Contains(f.Message, "Freight is known")
		})
		if refused := a.Refusal != nil; refused != c.refused {
			t.Errorf("%+v: refused %v: %+v %v %+v", c, refused, a.Refusal, a.Outcome, a.Findings)
			continue
		} else if refused {
			continue
		}
		if at < 0 || strings.Contains(a.Findings[at].Message, "gives 830 on the present data and not 12") != c.says || c.says && a.Findings[at].Severity != "caution" {
			t.Errorf("%+v: %+v", c, a.Findings)
		}
		lacks := slices.ContainsFunc(a.Verification.Checks, func(k analyst.Check) bool {
			return k.Code == "ATTESTED" && strings.Contains(k.Message, "Freight is known")
		})
		if open := c.severity == "critical" && c.query != orders; lacks != open { // one that cannot be checked is open
			t.Errorf("%+v: %+v", c, a.Verification.Checks)
		}
	}
}
