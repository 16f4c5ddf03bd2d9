// Public asks the questions of public benchmarks in one process and counts how they end. The workspaces of its databases
// stay in a folder between runs, so that a change of the reader is measured in a minute.
//
//	go run ./evals/public -half seen spider_train
//	go run ./evals/public -half seen -dump now.jsonl -beside before.jsonl spider_dev
//
// The sets stand in bench/ of ASSAY_SHARED (../shared). Halves are split by a hash of the id: look at the failures of `seen`,
// report `kept`.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/backend/analyst"
	"assay/backend/store"
	"assay/backend/workspace"
	"assay/evals"
)

// question is one case of a set, or one turn of its conversation.
type question struct {
	ID       string `json:"id"`
	DB       string `json:"db"`
	Question string `json:"question"`
	Now      string `json:"now"`
	Rules    string `json:"instructions"`
	Glossary string `json:"glossary"`
	Gold     []struct {
		Rows [][]any `json:"rows"`
	} `json:"gold"`
	Answer     []any      `json:"answer"` // of a question over one table: the values of a column
	GoldSQL    string     `json:"gold_sql"`
	Ordered    bool       `json:"ordered"`
	Strict     bool       `json:"strict_columns"`
	Answerable *bool      `json:"answerable"`
	Turns      []question `json:"turns"`
}

// result is a line of the dump.
type result struct {
	ID       string   `json:"id"`
	DB       string   `json:"db"`
	Outcome  string   `json:"outcome"` // correct | wrong | clarified | declined | failed | ungraded
	Question string   `json:"question"`
	FrameQL  string   `json:"frame_ql,omitempty"`
	Why      string   `json:"why,omitempty"` // what differs, or what was refused or asked
	Unread   []string `json:"unread,omitempty"`
	Options  []string `json:"options,omitempty"` // of a clarification, in Frame-QL, the best guess first
	Gold     string   `json:"gold_sql,omitempty"`
	MS       float64  `json:"ms"`

	Confidence *float64 `json:"confidence,omitempty"` // of the reading
	Margin     *float64 `json:"margin,omitempty"`     // how far the next reading is, up to 1
}

// ungraded is a turn whose answer is not known. It is asked, because later turns go on from it, and not counted.
const ungraded = "ungraded"

func main() {
	if status, asked := store.Work(os.Args[1:]); asked {
		os.Exit(status)
	}
	half := flag.String("half", "", "seen or kept; both when empty")
	limit := flag.Int("limit", 0, "how many questions are drawn; all when 0")
	dbs := flag.String("dbs", "", "databases, by a part of their names, separated by commas")
	dump := flag.String("dump", "", "a file for the results, a line each")
	beside := flag.String("beside", "", "the dump of an earlier run: what ended otherwise is printed")
	home := flag.String("home", filepath.Join(os.TempDir(), "assay-public"), "the folder of the workspaces")
	bins := flag.Bool("bins", false, "print how often answers are wrong by their confidence, and by the margin to the next reading")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./evals/public [flags] SET")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *half, *limit, *dbs, *dump, *beside, *home, *bins); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(set, half string, limit int, dbs, dump, beside, home string, bins bool) error {
	bench := filepath.Join(cmp.Or(os.Getenv("ASSAY_SHARED"), "../shared"), "bench")
	cases, err := readSet(filepath.Join(bench, set+".jsonl"))
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(q question) bool { return !wanted(q, half, dbs) })
	if limit > 0 && limit < len(cases) {
		r := rand.New(rand.NewPCG(11, 11))
		r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		cases = cases[:limit]
	}
	results := askAll(cases, bench, home)
	if beside != "" {
		if err := printChanges(results, beside); err != nil {
			return err
		}
	}
	if dump != "" {
		if err := writeDump(results, dump); err != nil {
			return err
		}
	}
	printCounts(set, cases, results)
	if bins {
		printBins("confidence", results, func(r result) *float64 { return r.Confidence })
		printBins("margin", results, func(r result) *float64 { return r.Margin })
	}
	return nil
}

func readSet(path string) ([]question, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []question
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, q)
	}
	return all, lines.Err()
}

// wanted says whether a case belongs to the half and to one of the databases.
func wanted(q question, half, dbs string) bool {
	if half != "" {
		sum := sha256.Sum256([]byte(q.ID))
		if (sum[31]%2 == 0) != (half == "seen") {
			return false
		}
	}
	return dbs == "" || slices.ContainsFunc(strings.Split(dbs, ","), func(name string) bool { return strings.Contains(q.DB, name) })
}

// askAll asks the questions, those of one database one after the other and two databases at a time.
func askAll(cases []question, bench, home string) []result {
	byDB := map[string][]question{}
	for _, q := range cases {
		byDB[q.DB] = append(byDB[q.DB], q)
	}
	names := make(chan string)
	var mu sync.Mutex
	var all []result
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for db := range names {
				part := askOne(byDB[db], filepath.Join(bench, "db", db), home)
				mu.Lock()
				all = append(all, part...)
				mu.Unlock()
			}
		})
	}
	for _, db := range slices.Sorted(maps.Keys(byDB)) {
		names <- db
	}
	close(names)
	workers.Wait()
	slices.SortFunc(all, func(a, b result) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// askOne asks the questions over one database; where it does not open, all of them have failed.
func askOne(cases []question, db, home string) []result {
	ctx := context.Background()
	var all []result
	w, err := workspace.Open(ctx, workspace.Target{Data: []string{db}}, workspace.Options{DataDir: home})
	if err != nil {
		for _, q := range cases {
			all = append(all, result{ID: q.ID, DB: q.DB, Outcome: "failed", Question: q.Question, Why: err.Error(), Gold: q.GoldSQL})
		}
		return all
	}
	defer w.Close()
	for _, q := range cases {
		turns, session := q.Turns, ""
		if turns == nil {
			turns = []question{q}
		}
		for i, turn := range turns {
			if q.Turns != nil {
				turn.ID, turn.DB, turn.Now = fmt.Sprintf("%s#%d", q.ID, i), q.DB, q.Now
			}
			r, a := askTurn(ctx, w, turn, session)
			if a != nil && q.Turns != nil {
				session = a.SessionID
			}
			if q.Turns != nil && len(turn.Gold) == 0 {
				r.Outcome, r.Why = ungraded, r.Outcome+" "+r.Why
			}
			all = append(all, r)
		}
	}
	return all
}

func askTurn(ctx context.Context, w *workspace.Workspace, q question, session string) (result, *analyst.Answer) {
	r := result{ID: q.ID, DB: q.DB, Question: q.Question, Gold: q.GoldSQL}
	request := analyst.Request{Question: q.Question, SessionID: session, Confirm: true, MaxRows: 5000, NoCache: true}
	if q.Rules != "" || q.Glossary != "" {
		request.Memo = q.Rules + "\n" + q.Glossary
	}
	if q.Now != "" {
		request.Now, _ = time.Parse(time.RFC3339, q.Now)
	}
	began := time.Now()
	a, err := w.Ask(ctx, request, nil)
	r.MS = float64(time.Since(began).Microseconds()) / 1000
	if err != nil {
		r.Outcome, r.Why = "failed", err.Error()
		return r, nil
	}
	r.FrameQL = a.Understood.FrameQL
	r.Unread = a.Understood.Unread
	r.Outcome, r.Why = outcome(q, a)
	r.Confidence = a.Confidence
	if a.Risk != nil && a.Risk.Factors.Ambiguity != nil {
		margin := 1 - *a.Risk.Factors.Ambiguity
		r.Margin = &margin
	}
	if a.Clarification != nil {
		r.Why = a.Clarification.Question
		if g := a.Clarification.BestGuess; g != nil {
			r.Options = append(r.Options, g.Value)
		}
		for _, o := range a.Clarification.Options {
			r.Options = append(r.Options, o.Value)
		}
	}
	return r, a
}

// outcome grades an answer as bench/grade.py does.
func outcome(q question, a *analyst.Answer) (name, why string) {
	switch {
	case a.Outcome == analyst.OutcomeClarify:
		return "clarified", ""
	case a.Frame == nil:
		if a.Refusal != nil {
			why = a.Refusal.Code + " " + a.Refusal.Message
		}
		return "declined", why
	case q.Answerable != nil && !*q.Answerable:
		return "wrong", "it cannot be answered"
	}
	for _, g := range q.Gold {
		ok, differs := evals.Match(g.Rows, a.Frame.Rows, q.Ordered)
		if ok && q.Strict && len(g.Rows) > 0 && len(g.Rows[0]) != len(a.Frame.Columns) {
			ok, differs = false, "other columns beside"
		}
		if ok {
			return "correct", ""
		}
		why = differs
	}
	for column := range a.Frame.Columns {
		if len(q.Answer) > 0 && len(q.Answer) == len(a.Frame.Rows) && slices.Equal(plainColumn(a.Frame.Rows, column), plainValues(q.Answer)) {
			return "correct", ""
		}
	}
	return "wrong", why
}

func plainColumn(rows [][]any, column int) []string {
	var all []any
	for _, row := range rows {
		all = append(all, row[column])
	}
	return plainValues(all)
}

// plainValues gives values as sorted text, without case, commas of thousands and empty decimals.
func plainValues(values []any) []string {
	var all []string
	for _, v := range values {
		s := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(fmt.Sprint(v)), ",", ""))
		if i := strings.Index(s, "."); i > 0 && strings.Trim(s[i+1:], "0") == "" {
			s = s[:i]
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func writeDump(results []result, path string) error {
	var out bytes.Buffer
	for _, r := range results {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		out.Write(append(line, '\n'))
	}
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// printChanges prints what ended otherwise in an earlier run.
func printChanges(results []result, path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before := map[string]result{}
	for line := range bytes.Lines(raw) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		before[r.ID] = r
	}
	for _, r := range results {
		if b, ok := before[r.ID]; ok && b.Outcome != r.Outcome {
			fmt.Printf("%s -> %s  %s (%s): %s\n  gold   %s\n  before %s\n  now    %s %s\n", b.Outcome, r.Outcome, r.ID, r.DB, r.Question, r.Gold, b.FrameQL, r.FrameQL, r.Why)
		}
	}
	return nil
}

func printCounts(set string, cases []question, results []result) {
	unanswerable := map[string]bool{}
	for _, q := range cases {
		unanswerable[q.ID] = q.Answerable != nil && !*q.Answerable
	}
	counts := map[string]int{}
	var all, refused, cannot int
	for _, r := range results {
		if r.Outcome == ungraded {
			continue
		}
		if unanswerable[r.ID] {
			cannot++
			if r.Outcome == "declined" || r.Outcome == "clarified" {
				refused++
			}
			continue
		}
		all++
		counts[r.Outcome]++
	}
	answered := counts["correct"] + counts["wrong"]
	fmt.Printf("%s: correct %.1f%% of %d, wrong %.1f%% of %d answered; clarified %d, declined %d, failed %d; unanswerable refused %d of %d\n", set,
		share(counts["correct"], all), all, share(counts["wrong"], answered), answered, counts["clarified"], counts["declined"], counts["failed"], refused, cannot)
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

// printBins prints how many answers are right and wrong in each tenth of a number between 0 and 1.
func printBins(name string, results []result, of func(result) *float64) {
	var right, wrong [11]int
	for _, r := range results {
		v := of(r)
		if v == nil {
			continue
		}
		bin := int(min(1, max(0, *v))*10 + 1e-9)
		switch r.Outcome {
		case "correct":
			right[bin]++
		case "wrong":
			wrong[bin]++
		}
	}
	for bin := range right {
		if n := right[bin] + wrong[bin]; n > 0 {
			fmt.Printf("%s from %.1f: %d right, %d wrong (%.1f%%)\n", name, float64(bin)/10, right[bin], wrong[bin], 100*float64(wrong[bin])/float64(n))
		}
	}
}
