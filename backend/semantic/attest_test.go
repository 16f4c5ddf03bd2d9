package semantic

import "testing"

func TestAttestationsAreNoPartOfTheVersion(t *testing.T) {
	m := loadGood(t)
	facts := map[string]*Attestation{
		"":          {Unique: true, Orphans: 3},
		"ship_to":   {Unique: true},
		"neighbour": nil,
	}
	got := WithAttestations(m, func(j *Join) *Attestation { return facts[j.Role] })
	if got.Version != m.Version {
		t.Error("the version changed")
	}
	only := WithAttestations(m, func(j *Join) *Attestation { return facts[j.Role] })
	for i := range only.Joins {
		only.Joins[i].Total = m.Joins[i].Total
	}
	if version(only) != m.Version {
		t.Error("an attestation is part of the version")
	}
	joins := got.JoinsFrom("orders")
	if joins[0].Total || joins[0].Attested.Orphans != 3 {
		t.Errorf("a declared total that the data contradicts is taken back: %+v", joins[0])
	}
	if !joins[1].Total || !joins[1].Attested.Unique {
		t.Errorf("a measured total holds: %+v", joins[1])
	}
	if got.Joins[1].Attested != nil {
		t.Errorf("what was not measured stays as it is: %+v", got.Joins[1])
	}
	if before := m.JoinsFrom("orders"); !before[0].Total || before[0].Attested != nil || before[1].Total {
		t.Errorf("the model itself changed: %+v", before)
	}
}

func TestStepsAreNoPartOfTheVersion(t *testing.T) {
	m := loadGood(t)
	asked := 0
	got := WithDependencies(m, func(_ *Entity, _, _ string) *StepAttestation {
		asked++
		return &StepAttestation{Members: 2, Pairs: 3}
	})
	if asked == 0 || got.Version != m.Version || version(got) != m.Version {
		t.Errorf("%d steps; the version changed", asked)
	}
	for i := range got.Entities {
		e := got.Entity(got.Entities[i].Name)
		for k := range e.Hierarchies {
			if h := &e.Hierarchies[k]; len(h.Steps) != len(h.Path)-1 || h.Step(0).Holds() || h.Step(len(h.Steps)) != nil || m.Entities[i].Hierarchies[k].Step(0) != nil {
				t.Errorf("%s: %+v", e.Name, h)
			}
		}
	}
}

func TestBucketsAreNoPartOfTheVersion(t *testing.T) {
	m := loadGood(t)
	buckets := map[string][]CalendarBucket{"term": {{From: day("2025-01-01"), To: day("2025-02-01"), Label: "A", Ordinal: 1}}}
	got := WithBuckets(m, "school", buckets)
	if version(got) != m.Version || got.Version != m.Version || m.Calendar("school").Buckets != nil || len(got.Calendar("school").Buckets["term"]) != 1 {
		t.Errorf("buckets: %+v", got.Calendar("school"))
	}
	if len(got.Calendar("retail").Buckets) != 4 {
		t.Error("another calendar lost its buckets")
	}
}
