package dbt

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/semantic"
)

const tripsProject = `
semantic_models:
  - name: trips
    model: ref('trips')
    defaults: {agg_time_dimension: began}
    entities: [{name: trip, type: primary, expr: id}]
    dimensions: [{name: began, type: time, type_params: {time_granularity: day}}, {name: city, type: categorical}]
    measures: [{name: trips, agg: count, expr: id}, {name: km, agg: sum}]
metrics:
  - {name: trip_count, type: simple, description: Trips that began, type_params: {measure: trips}}
  - {name: distance, type: simple, type_params: {measure: km}}
`

// workspace is a folder in memory that plans are applied to.
type workspace map[string]string

func (w workspace) fs() fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range w {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func (w workspace) plan(t *testing.T, project string) *Plan {
	t.Helper()
	r, err := Import(fstest.MapFS{"m.yaml": {Data: []byte(project)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(w.fs(), r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (w workspace) apply(p *Plan) {
	for name, body := range p.Writes {
		w[name] = string(body)
	}
	for _, name := range p.Removes {
		delete(w, name)
	}
}

func newTrips(t *testing.T) workspace {
	t.Helper()
	w := workspace{"workspace.yaml": "workspace: trips # mine\n"}
	w.apply(w.plan(t, tripsProject))
	return w
}

func conflicts(p *Plan) (files []string) {
	for _, c := range p.Conflicts {
		files = append(files, c.File)
	}
	return files
}

func TestPlanWritesAWorkspaceThatLoads(t *testing.T) {
	w := newTrips(t)
	m, err := semantic.Load(w.fs())
	if err != nil {
		t.Fatal(err)
	}
	if m.Metric("distance") == nil || m.Entity("trips") == nil || !strings.HasPrefix(m.Registry.GeneratedFrom, "dbt semantic models sha256:") {
		t.Errorf("%d metrics, generated from %q", len(m.Metrics), m.Registry.GeneratedFrom)
	}
	if again := w.plan(t, tripsProject); len(again.Writes)+len(again.Removes)+len(again.Conflicts)+len(again.Changes) != 0 {
		t.Errorf("the same project again: %+v", again)
	}
}

func TestPlanFollowsTheProject(t *testing.T) {
	w := newTrips(t)
	newer := strings.ReplaceAll(tripsProject, "Trips that began", "All trips")
	newer = strings.ReplaceAll(newer, "  - {name: distance, type: simple, type_params: {measure: km}}\n", "  - {name: kilometres, type: simple, type_params: {measure: km}}\n")
	p := w.plan(t, newer)
	want := []semantic.Change{
		{Kind: "removed", Object: "metric distance"},
		{Kind: "changed", Object: "metric trip_count", Fields: []semantic.FieldChange{{Field: "description", Before: "Trips that began", After: "All trips"}}},
		{Kind: "added", Object: "metric kilometres"},
	}
	got := slices.DeleteFunc(slices.Clone(p.Changes), func(c semantic.Change) bool { return c.Object == "registry" || strings.Contains(c.Object, "egistry") })
	if len(got) != len(want) {
		t.Fatalf("changes %+v", p.Changes)
	}
	for i := range want {
		if got[i].Kind != want[i].Kind || got[i].Object != want[i].Object || !slices.Equal(got[i].Fields, want[i].Fields) {
			t.Errorf("change %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	if !slices.Equal(p.Removes, []string{"context/metrics/distance.yaml"}) || len(p.Conflicts) != 0 {
		t.Errorf("removes %v, conflicts %v", p.Removes, p.Conflicts)
	}
}

func TestPlanKeepsWhatAPersonEdited(t *testing.T) {
	const file = "context/metrics/trip_count.yaml"
	w := newTrips(t)
	w[file] = strings.ReplaceAll(w[file], "Trips that began", "Every trip, also those that were called off")
	if p := w.plan(t, tripsProject); !slices.Equal(p.Kept, []string{file}) || len(p.Conflicts) != 0 || p.Writes[file] != nil {
		t.Errorf("an edit that the project does not contradict: kept %v, conflicts %v", p.Kept, p.Conflicts)
	}
	newer := strings.ReplaceAll(tripsProject, "Trips that began", "All trips")
	for range 2 { // a conflict is shown until somebody settles it
		p := w.plan(t, newer)
		if !slices.Equal(conflicts(p), []string{file}) || p.Writes[file] != nil {
			t.Fatalf("conflicts %v", p.Conflicts)
		}
		if c := p.Conflicts[0].Theirs; len(c) != 1 || c[0].Object != "metric trip_count" || c[0].Fields[0].After != "All trips" {
			t.Errorf("the project's side: %+v", c)
		}
		w.apply(p)
	}
	if !strings.Contains(w[file], "called off") {
		t.Error("the edit is gone")
	}
	removed := strings.ReplaceAll(newer, "  - {name: trip_count, type: simple, description: All trips, type_params: {measure: trips}}\n", "")
	if p := w.plan(t, removed); !slices.Equal(conflicts(p), []string{file}) || len(p.Removes) != 0 {
		t.Errorf("an edited object that the project drops: conflicts %v, removes %v", p.Conflicts, p.Removes)
	}
}

func TestPlanKeepsWhatAPersonWrote(t *testing.T) {
	w := workspace{
		"workspace.yaml":                "workspace: trips\n",
		"context/entities/mine.yaml":    "entity: trips\nlabel: My trips\nkey: [trip]\ndimensions:\n  - {name: trip, type: integer, column: id}\n  - {name: began, type: date}\n  - {name: km, type: decimal, measure: true}\ntime: {default: began}\n",
		"context/metrics/distance.yaml": "metric: distance\nentity: trips\nexpr: km\nreducer: avg\n",
	}
	p := w.plan(t, tripsProject)
	if got := conflicts(p); !slices.Equal(got, []string{"context/entities/mine.yaml", "context/metrics/distance.yaml"}) {
		t.Fatalf("conflicts %v", got)
	}
	if p.After.Metric("distance").Reducer != semantic.Avg || p.After.Entity("trips").Label != "My trips" || p.After.Metric("trip_count") == nil {
		t.Error("what a person wrote does not stand, or the rest was not added")
	}
}

func TestPlanRefusesAWorkspaceThatWouldNotLoad(t *testing.T) {
	w := newTrips(t)
	const file = "context/entities/trips.yaml"
	w[file] = strings.ReplaceAll(w[file], "  - {name: city, label: City, type: text}\n", "")
	newer := tripsProject + `  - {name: oslo, type: simple, type_params: {measure: trips}, filter: "{{ Dimension('trip__city') }} = 'Oslo'"}` + "\n"
	r, err := Import(fstest.MapFS{"m.yaml": {Data: []byte(newer)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewPlan(w.fs(), r); err == nil || !strings.Contains(err.Error(), "oslo.yaml") {
		t.Errorf("a metric over a dimension that a person took away: %v", err)
	}
}

func TestPlanAddsCalendarsOnce(t *testing.T) {
	w := newTrips(t)
	spine := tripsProject + `
time_spines:
  - {node_relation: {alias: days}, primary_column: {name: day, time_granularity: day}, custom_granularities: [{name: season}]}
`
	w.apply(w.plan(t, spine))
	if got := w["workspace.yaml"]; !strings.HasPrefix(got, "workspace: trips # mine\ncalendars:\n") || strings.Count(got, "calendars:") != 1 {
		t.Errorf("workspace.yaml:\n%s", got)
	}
	if again := w.plan(t, spine); again.Writes["workspace.yaml"] != nil {
		t.Errorf("again:\n%s", again.Writes["workspace.yaml"])
	}
}
