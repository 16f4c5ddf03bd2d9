package workspace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// partCase is a question, what is said of its answer, and whether that says what the measure of the question means.
type partCase struct {
	about, question, said string
	word                  string // which is taught; empty: none
}

// drawnParts draws questions over a model with what may be said of their answers, of each kind of part and in each form.
func drawnParts(w *Workspace, groups, values, years []string, seed uint64) []partCase {
	rng := rand.New(rand.NewPCG(seed, 28))
	model, _ := w.Model()
	var numbers []string
	for _, x := range model.Metrics {
		if !x.Hidden {
			numbers = append(numbers, strings.ToLower(x.Label))
		}
	}
	pick := func(all []string, but string) string {
		for {
			if one := all[rng.IntN(len(all))]; one != but {
				return one
			}
		}
	}
	var all []partCase
	for _, number := range numbers {
		for _, other := range numbers {
			if other != number && knowledge.Refines(other, number) {
				all = append(all, partCase{"a measure said more exactly", number + " by " + groups[0], "no, " + other, number})
			}
		}
	}
	for range 6 {
		number, group, value, year := pick(numbers, ""), pick(groups, ""), pick(values, ""), pick(years, "")
		other, by := pick(numbers, number), pick(groups, group)
		taught := ""
		if knowledge.Refines(other, number) {
			taught = number
		}
		plain := number + " by " + group
		ranked := "top 3 " + group + " by " + number
		all = append(all,
			partCase{"metric", plain, "no, " + other, taught},
			partCase{"metric", plain, "I meant " + other, taught},
			partCase{"metric", plain, "not " + number + ", " + other, taught},
			partCase{"split by a metric", plain, "no, by " + other, ""},
			partCase{"ranking", ranked, "no, by " + other, ""},
			partCase{"ranking", ranked, "no, top 10", ""},
			partCase{"grouping", plain, "no, by " + by, ""},
			partCase{"grouping", plain, "not by " + group + ", by " + by, ""},
			partCase{"period", plain + " in " + year, "no, " + pick(years, year), ""},
			partCase{"period", plain + " in " + year, "the year should be " + pick(years, year), ""},
			partCase{"filter", number + " in " + value, "no, " + pick(values, value), ""},
			partCase{"filter", number + " in " + value, "I meant " + pick(values, value), ""},
			partCase{"what it points at", plain, "it should be " + other, taught},
		)
	}
	return all
}

// readAnew gives how a question of somebody is read, whatever comes of it.
func readAnew(t *testing.T, w *Workspace, who rules.Caller, question string) string {
	t.Helper()
	got, _ := readAs(t, w, who, newID(), question)
	return got
}

// meaningsOf lists what somebody taught, by what is said of it.
func meaningsOf(t *testing.T, w *Workspace, who rules.Caller) []string {
	t.Helper()
	all, err := w.Corrections(t.Context(), "", who)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	out := []string{}
	for _, c := range all {
		out = append(out, c.Term+" = "+c.Means)
	}
	return out
}

// TestACorrectionReplacesItsPart says something of one part of an answer and asks anew: nothing but that answer is another one, unless the line of its scope says so; and narrowed to its answer, it leaves
// nothing behind.
func TestACorrectionReplacesItsPart(t *testing.T) {
	for _, sample := range []struct {
		name                  string
		groups, values, years []string
	}{
		{"northwind", []string{"category", "country", "month", "employee"}, []string{"Germany", "France", "Brazil"}, []string{"1996", "1997", "1998"}},
		{"adventureworks", []string{"category", "territory", "month", "color"}, []string{"Germany", "France", "Canada"}, []string{"2012", "2013"}},
	} {
		t.Run(sample.name, func(t *testing.T) {
			w := openTarget(t, Target{Sample: sample.name}, t.TempDir())
			followed, taught := 0, 0
			for i, c := range drawnParts(w, sample.groups, sample.values, sample.years, 10) {
				who, id := as(fmt.Sprintf("%s-%d", sample.name, i)), newID()
				before := readAnew(t, w, who, c.question)
				readAs(t, w, who, id, c.question)
				got, a := readAs(t, w, who, id, c.said)
				if a.Frame != nil && got != before {
					followed++
				}
				if l := a.Learned; l != nil {
					taught++
					if c.word == "" || l.Correction == nil || l.Correction.Term != c.word || l.Scope != analyst.InQuestions || !strings.Contains(l.Words, "“"+c.word+"”") {
						t.Errorf("%s: %q, then %q taught %+v", c.about, c.question, c.said, l)
					}
					back, err := w.NarrowCorrection(t.Context(), l.Correction.ID, "", who)
					if err != nil || back.Scope != analyst.InAnswer || back.Correction != nil {
						t.Errorf("%s: narrowed to %+v, %v", c.about, back, err)
					}
				}
				if kept := meaningsOf(t, w, who); len(kept) > 0 {
					t.Errorf("%s: %q, then %q left %q", c.about, c.question, c.said, kept)
				}
				if after := readAnew(t, w, who, c.question); after != before {
					t.Errorf("%s: after %q the question %q is read as\n%s\nand was read as\n%s", c.about, c.said, c.question, after, before)
				}
			}
			t.Logf("%d answers were corrected, %d of them taught a word", followed, taught)
			if followed < 15 || taught == 0 {
				t.Errorf("only %d answers were corrected: the check says little", followed)
			}
		})
	}
}

// TestAWordKeepsWhatWasTaught: what somebody taught of a word stays when a later answer, read with it, gets another measure; a second meaning takes its place and says so, and narrowed it puts the first back.
func TestAWordKeepsWhatWasTaught(t *testing.T) {
	const question = "revenue by category in 1997"
	w := openTarget(t, Target{}, t.TempDir())
	learn := func(who rules.Caller, said ...string) *analyst.Answer {
		id := newID()
		var last *analyst.Answer
		for _, q := range said {
			_, last = readAs(t, w, who, id, q)
		}
		return last
	}
	for i, said := range []string{"no, by units sold", "no, units sold", "I meant freight", "not revenue, units sold", "no, number of orders", "no, revenue per customer"} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			who := as(fmt.Sprintf("keeper-%d", i))
			first := learn(who, question, "no, gross revenue")
			if first.Learned == nil || !strings.Contains(first.Learned.Words, "From now on “revenue” means gross revenue in your questions") {
				t.Fatalf("learned %+v", first.Learned)
			}
			before := readAnew(t, w, who, "revenue by month")
			if later := learn(who, "revenue by country of customers", said); later.Learned != nil {
				t.Errorf("%q taught %+v", said, later.Learned)
			}
			if later := learn(who, question, "no, units sold", said); later.Learned != nil {
				t.Errorf("%q behind another correction taught %+v", said, later.Learned)
			}
			if got := readAnew(t, w, who, "revenue by month"); got != before || !strings.Contains(got, "gross_revenue") {
				t.Errorf("read as %s, and was read as %s", got, before)
			}
		})
	}
	t.Run("another meaning", func(t *testing.T) {
		t.Parallel()
		who := as("changer")
		plain := readAnew(t, w, who, "revenue by month")
		learn(who, question, "no, gross revenue")
		first := readAnew(t, w, who, "revenue by month")
		told, err := w.Teach(t.Context(), analyst.Lesson{Words: "by revenue I mean units sold", Caller: who})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		if told.Before == nil || !strings.Contains(told.Words, "no longer gross revenue") {
			t.Errorf("told %+v", told)
		}
		if got := readAnew(t, w, who, "revenue by month"); !strings.Contains(got, "units_sold") {
			t.Errorf("read as %s", got)
		}
		back, err := w.NarrowCorrection(t.Context(), told.Correction.ID, "", who)
		if err != nil || back.Correction == nil || back.Correction.Means != "gross revenue" {
			t.Fatalf("narrowed to %+v, %v", back, err)
		}
		if got := readAnew(t, w, who, "revenue by month"); got != first {
			t.Errorf("read as %s, and was read as %s", got, first)
		}
		if _, err := w.NarrowCorrection(t.Context(), told.Correction.ID, "", who); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("narrowed twice: %v", err)
		}
		if _, err := w.NarrowCorrection(t.Context(), back.Correction.ID, "", as("somebody else")); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("somebody else narrows it: %v", err)
		}
		if _, err := w.NarrowCorrection(t.Context(), back.Correction.ID, "", who); err != nil {
			t.Fatal(fault.Detail(err))
		}
		if got := readAnew(t, w, who, "revenue by month"); got != plain || len(meaningsOf(t, w, who)) > 0 {
			t.Errorf("read as %s with %q, and was read as %s", got, meaningsOf(t, w, who), plain)
		}
	})
	t.Run("what points at a part", func(t *testing.T) {
		t.Parallel()
		for _, said := range []string{"it should be gross revenue", "this should be units sold", "the year should be 1996", "the ranking should be gross revenue", "by it I mean gross revenue"} {
			if told, err := w.Teach(t.Context(), analyst.Lesson{Words: said, Caller: as("pointer")}); err == nil {
				t.Errorf("%q taught %+v", said, told.Correction)
			}
		}
		if kept := meaningsOf(t, w, as("pointer")); !slices.Equal(kept, []string{}) {
			t.Errorf("kept %q", kept)
		}
	})
}
