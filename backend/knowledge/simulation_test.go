package knowledge_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// world is forty people who bring, endorse, decide and try what is not theirs, with a clock that also goes back, and a book of its own about what has to hold.
type world struct {
	t       *testing.T
	rand    *rand.Rand
	clock   time.Time
	senior  map[string]bool
	steward map[string]bool
	items   []knowledge.Item
	behind  []map[string]bool // item -> the people whose word stands behind it
}

func (w *world) council() knowledge.Council {
	return knowledge.Council{
		Senior: func(a string) bool { return w.senior[a] }, Steward: func(a string) bool { return w.steward[a] },
		Admin: func(a string) bool { return a == "p0" }, MoreThan: 3, People: 40,
	}
}

func (w *world) person() string { return "p" + strconv.Itoa(w.rand.IntN(40)) }

func (w *world) viewer(actor string) knowledge.Viewer {
	return knowledge.Viewer{Actor: actor, Steward: w.steward[actor], Groups: []string{"g" + actor[len(actor)-1:]}}
}

// TestSimulation runs seeded steps and checks after each what nobody may ever break. ASSAY_STEPS sets how many (20,000), ASSAY_SEED the seed (1).
func TestSimulation(t *testing.T) {
	w := &world{t: t, clock: now, senior: map[string]bool{}, steward: map[string]bool{"p0": true, "p1": true, "p2": true}}
	w.rand = rand.New(rand.NewPCG(setting("ASSAY_SEED", 1), 0))
	for i := range 15 {
		w.senior["p"+strconv.Itoa(i)] = true
	}
	verdicts := map[knowledge.Verdict]int{}
	steps := int(setting("ASSAY_STEPS", 20_000))
	for step := range steps {
		w.clock = w.clock.Add(time.Duration(w.rand.IntN(48)-4) * time.Hour)
		switch w.rand.IntN(10) {
		case 0:
			w.bring()
		case 1:
			w.repeat()
		case 2:
			if p := w.person(); p != "p0" && w.rand.IntN(20) == 0 { // a role is given, or taken away
				w.senior[p] = !w.senior[p]
			}
		default:
			if v := w.decide(); v != "" {
				verdicts[v]++
			}
		}
		if t.Failed() {
			t.Fatalf("at step %d", step)
		}
	}
	t.Logf("%d steps, %d items, %v", steps, len(w.items), verdicts)
	for _, v := range []knowledge.Verdict{knowledge.Approve, knowledge.Order, knowledge.Reject, knowledge.Revoke, knowledge.Hide, knowledge.Offer, knowledge.Endorse} {
		if verdicts[v] == 0 {
			t.Errorf("nobody came to %s: the simulation does not try it", v)
		}
	}
}

func setting(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

func (w *world) bring() {
	who := w.person()
	i := knowledge.Item{
		ID: fmt.Sprintf("i%d", len(w.items)), Contributor: who, Status: knowledge.Pending, Personal: w.rand.IntN(4) == 0,
		Evidence: []knowledge.Evidence{{Actor: who, Detection: knowledge.ByCorrection, At: w.clock}},
	}
	if w.rand.IntN(3) == 0 {
		i.Audience = "g" + strconv.Itoa(w.rand.IntN(10))
	}
	if w.rand.IntN(3) == 0 {
		i.Until = w.clock.Add(time.Duration(w.rand.IntN(2000)) * time.Hour)
	}
	w.items, w.behind = append(w.items, i), append(w.behind, map[string]bool{who: true})
}

// lately chooses an item, of the last ones more often, so that some come far.
func (w *world) lately() int {
	last := min(len(w.items), 12)
	if last == 0 {
		return -1
	}
	return len(w.items) - 1 - w.rand.IntN(last)
}

// repeat has somebody say the same as an item that is shared.
func (w *world) repeat() {
	at := w.lately()
	if at < 0 || w.items[at].Personal {
		return
	}
	who := w.person()
	w.items[at].Evidence = append(w.items[at].Evidence, knowledge.Evidence{Actor: who, Detection: knowledge.ByCorrection, At: w.clock})
	w.behind[at][who] = true
}

// decide has somebody try a verdict, and holds what comes of it to the book.
func (w *world) decide() knowledge.Verdict {
	at := w.lately()
	if at < 0 {
		return ""
	}
	was, who := w.items[at], w.person()
	if w.rand.IntN(2) == 0 {
		who = []string{"p0", "p1", "p2", was.Contributor}[w.rand.IntN(4)]
	}
	verdict := []knowledge.Verdict{knowledge.Approve, knowledge.Order, knowledge.Reject, knowledge.Revoke, knowledge.Hide, knowledge.Offer, knowledge.Endorse, knowledge.Approve, "anything"}[w.rand.IntN(9)]
	d := knowledge.Decision{Verdict: verdict, By: who, Reason: []string{"", "because"}[w.rand.IntN(2)], At: w.clock}
	got, err := w.council().Decide(was, d, w.viewer(who))

	if was.Personal && who != was.Contributor {
		unknown, none := knowledge.Item{Personal: true}, error(nil)
		_, none = w.council().Decide(unknown, d, w.viewer(who))
		if fault.CodeOf(err) != fault.NotFound || err.Error() != none.Error() {
			w.t.Errorf("%s of %s by %s says that it is there: %v", verdict, was.ID, who, err)
		}
	}
	if err != nil {
		return ""
	}
	if len(got.History) != len(was.History)+1 || got.History[len(was.History)] != d {
		w.t.Errorf("%s: the history is %v", got.ID, got.History)
	}
	seniors := 0
	for p := range w.behind[at] {
		if w.senior[p] {
			seniors++
		}
	}
	switch {
	case got.Status == knowledge.Approved && was.Status != knowledge.Approved && (!w.steward[who] || seniors <= 3 || len(w.behind[at]) == 1):
		w.t.Errorf("%s approved %s with %d seniors behind it", who, got.ID, seniors)
	case got.Status == knowledge.Mandatory && was.Status != knowledge.Mandatory && (who != "p0" || d.Reason == ""):
		w.t.Errorf("%s mandated %s", who, got.ID)
	case got.Personal != was.Personal && who != was.Contributor:
		w.t.Errorf("%s made %s personal or shared", who, got.ID)
	case got.SelfReviewed:
		w.t.Errorf("%s reviewed itself", got.ID)
	}
	if verdict == knowledge.Endorse || verdict == knowledge.Order {
		w.behind[at][who] = true
	}
	w.items[at] = got
	w.look(got)
	return verdict
}

// look holds an item to its boundary and its confidence to its evidence.
func (w *world) look(i knowledge.Item) {
	for n := range 40 {
		p := "p" + strconv.Itoa(n)
		v := w.viewer(p)
		if sees := i.Visible(v, w.clock); sees && p != i.Contributor {
			at := i.At(w.clock)
			out := at == knowledge.Approved || at == knowledge.Mandatory
			if i.Personal || !v.Steward && (!out || i.Audience != "" && i.Audience != v.Groups[0]) {
				w.t.Errorf("%s sees %s, which is %s", p, i.ID, at)
			}
		}
	}
	table := knowledge.DefaultTable()
	stripped := knowledge.Item{Evidence: i.Evidence}
	other := append([]knowledge.Evidence{}, stripped.Evidence...)
	w.rand.Shuffle(len(other), func(a, b int) { other[a], other[b] = other[b], other[a] })
	steward := w.council().Steward
	if a, b := table.Confidence(i.Evidence, steward, w.clock), table.Confidence(other, steward, w.clock); a != b || a <= 0 || a > 1 {
		w.t.Errorf("%s: confidence %v or %v", i.ID, a, b)
	}
}
