package interpret

import (
	"slices"
	"testing"
	"time"

	"assay/backend/frameql"
)

// "More than that" compares with the number that an earlier answer gave, and the reading says so.
func TestANumberIsRecalled(t *testing.T) {
	m := faculty()
	k := &talk{ix: NewIndex(m, facultyValues()), env: frameql.Env{Model: m, Now: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)}}
	k.say("what is the average age of students from Leeds?")
	k.history.Turns[0].Number = "21.5"
	r := k.say("which students are older than that?")
	if got, want := outcome(r), "answered: SELECT student.name, student.age AT student WHERE student.age > 21.5"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if f := r.Reading.Follow; !slices.Contains(f.Kinds, PatchRecall) || f.From != 1 || len(f.Carried) == 0 || f.Carried[0].Slot != "number" {
		t.Errorf("it does not say what it compares with: %+v", f)
	}
	if got, want := outcome(k.say("how about below that average?")), "answered: SELECT student.name, student.age AT student WHERE student.age < 21.5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
