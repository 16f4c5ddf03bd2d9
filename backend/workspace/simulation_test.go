package workspace

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// roundSteps is how many steps one workspace lives through: with what is decided about nothing is ever taken away, so that lists would grow, and steps slow down, without an end.
const roundSteps = 500

// saying is something that a person taught, as the book has it.
type saying struct {
	who                    int
	id, term, means, words string
}

// society is forty people who teach, forget and decide at a workspace with its real memory, log and vectors, with a clock that also goes back, and a book of its own about what has to hold.
type society struct {
	t      *testing.T
	w      *Workspace
	db     *sql.DB // reads the memory file past the program
	tables []string
	rand   *rand.Rand
	clock  atomic.Int64 // in Unix nanoseconds

	senior map[int]bool
	taught []map[string]saying // person -> key of the term -> what it means to them
	said   map[string]saying   // the same by id
	before map[string]saying   // what a correction took the place of, by the id of the correction: taking it back puts that back
	words  map[string][]string // by id: all words in which it was said, also once more
	undone map[int]deed        // person -> what they taught last
	items  map[string]knowledge.Item
	held   map[string]knowledge.Item // what was decided, as one has it who reads what changed
	seen   int64                     // changes that are in it
	none   error                     // what is said of what is not there
	order  []string                  // their ids, as they came
	names  map[string]int            // id -> how it is called in the story
	gone   []string                  // ids of sayings and items that are no more
	marks  int
	seq    int64 // the end of the audit log that was looked at
	hash   string
	story  []string
	count  map[string]int
}

// deed is one step, and what came of it.
type deed struct {
	what    string
	who     int
	item    string // that it is about; empty: none
	verdict knowledge.Verdict
	reason  string
	said    saying // that holds from now on
	unsaid  saying // that did until now
	same    bool   // said means what unsaid did, in the same words or in others
	err     error
}

func (d deed) String() string {
	return fmt.Sprintf("%s %s %s %q said %v unsaid %v: %v", person(d.who), d.what, d.verdict, d.reason, d.said, d.unsaid, d.err)
}

const people40, someWords, someMeanings = 40, "takings yield haulage zwick", "gross revenue|Gross revenue|freight|order count|units sold|June to August|gross revenue excluding beverages"

func person(n int) string { return "p" + strconv.Itoa(n) }

func numberOf(who string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(who, "p"))
	if err != nil {
		return -1
	}
	return n
}

func isSteward(who string) bool { return who == "p1" || who == "p2" || who == "p3" }

// class is what two ways to write a meaning have in common.
func class(term, means string) string { return knowledge.Key(term) + "=" + strings.ToLower(means) }

// TestSimulation runs seeded steps over the real store and checks after each what nobody may ever break. ASSAY_STEPS sets how many, ASSAY_SEED the seed (1). A step writes to the disk, and
// reads for two people, in about 20 ms: by default there are fewer than in the simulation of package knowledge, which has no store.
func TestSimulation(t *testing.T) {
	steps, seed := 1000, uint64(1)
	if raced {
		steps = 150
	}
	if n, err := strconv.Atoi(os.Getenv("ASSAY_STEPS")); err == nil {
		steps = n
	}
	if n, err := strconv.ParseUint(os.Getenv("ASSAY_SEED"), 10, 64); err == nil {
		seed = n
	}
	count := map[string]int{}
	for round := 0; round*roundSteps < steps; round++ {
		begin(t, seed, uint64(round), count).live(min(roundSteps, steps-round*roundSteps))
	}
	t.Logf("%d steps: %v", steps, count)
	if steps < 1000 {
		return
	}
	for _, what := range strings.Fields("teach again amend forget undo offer write unwrite describe direct approve mandate reject revoke make_personal make_shared endorse came went found") {
		if count[what] == 0 {
			t.Errorf("nobody came to %s: the simulation does not try it", what)
		}
	}
}

// TestSimulationOfRoundsThatFailed lives again through what once failed: the words of a rejected piece that nobody stood behind any more were said again.
func TestSimulationOfRoundsThatFailed(t *testing.T) {
	begin(t, 1, 77, map[string]int{}).live(160)
}

func begin(t *testing.T, seed, round uint64, count map[string]int) *society {
	s := &society{
		t: t, rand: rand.New(rand.NewPCG(seed, round)), senior: map[int]bool{}, said: map[string]saying{}, before: map[string]saying{}, words: map[string][]string{}, undone: map[int]deed{},
		items: map[string]knowledge.Item{}, names: map[string]int{}, count: count,
	}
	s.clock.Store(noon().UnixNano())
	home := t.TempDir()
	layOut(t, home)
	var err error
	if s.w, err = Open(context.Background(), Target{}, Options{DataDir: home, Now: s.now}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	roles := "default_role: analyst\nroles:\n"
	for role, may := range map[string]string{"analyst": "", "senior": ", seniority: senior", "steward": ", seniority: senior, steward: true", "admin": ", admin: true"} {
		roles += "  - {name: " + role + `, schemas: ["*"], tables: ["*"]` + may + "}\n"
	}
	roles += "actors:\n"
	for n := range people40 {
		role := "analyst"
		switch {
		case n == 0:
			role = "admin"
		case isSteward(person(n)):
			role = "steward"
		case n < 16:
			role = "senior"
		}
		s.senior[n] = n > 0 && n < 16
		s.taught = append(s.taught, map[string]saying{})
		roles += fmt.Sprintf("  - {id: p%d, kind: human, role: %s, groups: [g%d], binds: {os_users: [p%d]}}\n", n, role, n%10, n)
	}
	write(t, s.w.dir, rules.Folder+"/"+rules.RolesFile, roles)
	s.w.refresh(t.Context())
	if _, l := s.w.Model(); l.Stale {
		t.Fatal(l.Err)
	}
	if s.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(s.w.memory.Path()), RawQuery: "mode=ro"}).String()); err != nil {
		t.Fatal(err)
	}
	s.db.SetMaxOpenConns(1)
	_, s.none = s.w.SharedItem(t.Context(), "nothing", "", as("p0"))
	s.rows(`SELECT name FROM sqlite_master WHERE type = 'table'`, func(row []any) { s.tables = append(s.tables, fmt.Sprint(row[0])) })
	return s
}

func (s *society) now() time.Time { return time.Unix(0, s.clock.Load()).UTC() }

// live runs steps, and checks after each.
func (s *society) live(steps int) {
	defer func() {
		s.db.Close()
		if err := s.w.Close(); err != nil {
			s.t.Error(err)
		}
	}()
	for step := range steps {
		s.clock.Add(int64(time.Duration(s.rand.IntN(48)-4) * time.Hour))
		d := s.act()
		s.w.reviewing.running.Wait()
		s.story = append(s.story, fmt.Sprintf("%d: i%d %s", step, s.names[d.item], d))
		if d.err == nil {
			s.count[d.what]++
		}
		s.check(d, step)
		if step%200 == 199 || step == steps-1 {
			if v, err := s.w.memory.VerifyAudit(s.t.Context()); err != nil || !v.Valid || v.Last != s.seq {
				s.t.Errorf("the log is %+v, %v", v, err)
			}
		}
		if s.t.Failed() {
			s.t.Fatalf("the last steps were\n%s", strings.Join(s.story[max(0, len(s.story)-25):], "\n"))
		}
	}
}
