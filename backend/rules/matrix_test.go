package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestJudge is the whole policy as one table, to be read beside sections 5.2, 6.4 and 8.2 of the requirements. Every line is
// one request: who asks and how, the likelihood and the cost of an error, what else is special, and what may happen.
//
// who:   - a person without preferences; review = "I prefer to review all queries"; trust = "I trust routine queries";
// finance = "always confirm financial data"; agent; low, high = tolerance of risk; junior = a role of level 3 at most
// what:  words and facts of the request: first = "please confirm first"; doit = "just do it"; level=N; confirmed; recommend;
// simple, border, complex, odd = complexity 0.1, 0.3, 0.5, -1; domains a+b; sensitive; 101GB; 11min; 101Mrows; noplan; scope = judged at SCOPE
// wait:  how long the result, or the recommendation, waits and what then
func TestJudge(t *testing.T) {
	const table = `
who      likelihood cost what                         | level decision  status             run  wait

# the matrix: rows by likelihood, columns by cost; the borders belong to the row and the column above
-        0          0.2  simple                       | 5     proceed   completed          yes  24h accept
-        0.29       0.4  simple                       | 5     proceed   completed          yes  24h accept
-        0.2999     0.49 simple                       | 5     proceed   completed          yes  24h accept
-        0.3        0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.4        0.2  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.4999     0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.5        0.4  simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.6        0.2  simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.6999     0.49 simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.7        0.4  simple                       | 2     recommend recommended        no   168h expire
-        0.9        0.2  simple                       | 2     recommend recommended        no   168h expire
-        1          0.49 simple                       | 2     recommend recommended        no   168h expire
-        0          0.5  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.1        0.9  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.28       0.7  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.3        0.5  simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.4999     0.9  simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.5        0.5  simple                       | 2     recommend recommended        no   168h expire
-        0.6999     1    simple                       | 2     recommend recommended        no   168h expire
-        0.7        0.5  simple                       | 1     block     human_only         no   0s never
-        1          1    simple                       | 1     block     human_only         no   0s never

# risk that is not a number from 0 to 1 is the worst there is
-        nan        0.4  simple                       | 2     recommend recommended        no   168h expire
-        -0.1       0.4  simple                       | 2     recommend recommended        no   168h expire
-        0.1        1.1  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        1.1        nan  simple                       | 1     block     human_only         no   0s never

# mandatory review: likelihood x cost above 0.2 is level 3 at most, whatever is preferred
-        0.25       0.8  simple                       | 4     notify    completed          yes  48h accept_with_flag
-        0.25       0.81 simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.29       0.7  simple                       | 3     confirm   pending_acceptance yes  72h abandon
-        0.49       0.45 simple                       | 3     confirm   pending_acceptance yes  72h abandon
trust    0.49       0.45 simple                       | 3     confirm   pending_acceptance yes  72h abandon
trust    0.49       0.45 simple doit                  | 3     confirm   pending_acceptance yes  72h abandon

# "review all" never has level 5
review   0.1        0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag
review   0.4        0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag
review   0.6        0.4  simple                       | 3     confirm   pending_acceptance yes  72h abandon
low      0.1        0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag

# "trust routine": level 5 for what is simple and not costly; one step, and only from 4
trust    0.4        0.4  simple                       | 5     proceed   completed          yes  24h accept
high     0.4        0.4  simple                       | 5     proceed   completed          yes  24h accept
trust    0.4        0.4  complex                      | 4     notify    completed          yes  48h accept_with_flag
trust    0.4        0.4  border                       | 4     notify    completed          yes  48h accept_with_flag
trust    0.4        0.4  odd                          | 4     notify    completed          yes  48h accept_with_flag
trust    0.4        0.4  -                            | 4     notify    completed          yes  48h accept_with_flag
trust    0.1        0.6  simple                       | 4     notify    completed          yes  48h accept_with_flag
trust    0.5        0.2  simple                       | 3     confirm   pending_acceptance yes  72h abandon
trust    0.7        0.2  simple                       | 2     recommend recommended        no   168h expire
trust    0.4        0.4  simple sensitive             | 4     notify    completed          yes  48h accept_with_flag
trust    0.4        0.4  simple domains:a+b+c         | 4     notify    completed          yes  48h accept_with_flag

# "always confirm finance": level 3 at most in that domain, in no other
finance  0.1        0.4  simple domains:finance       | 3     confirm   pending_acceptance yes  72h abandon
finance  0.1        0.4  simple domains:sales+Finance | 3     confirm   pending_acceptance yes  72h abandon
finance  0.1        0.4  simple domains:sales         | 5     proceed   completed          yes  24h accept
finance  0.6        0.6  simple domains:finance       | 2     recommend recommended        no   168h expire

# the words of one request. "Just do it" waives what the person prefers, and nothing else; "confirm first" waits before the run
review   0.1        0.4  simple doit                  | 5     proceed   completed          yes  24h accept
finance  0.1        0.4  simple domains:finance doit  | 5     proceed   completed          yes  24h accept
-        0.4        0.4  simple doit                  | 4     notify    completed          yes  48h accept_with_flag
-        0.6        0.4  simple doit                  | 3     confirm   pending_acceptance yes  72h abandon
-        0.9        0.9  simple doit                  | 1     block     human_only         no   0s never
-        0.1        0.4  simple doit sensitive        | 4     notify    completed          yes  48h accept_with_flag
-        0.1        0.4  simple doit 101GB            | 3     confirm   needs_confirmation no   72h abandon
-        0.1        0.4  simple first                 | 5     confirm   needs_confirmation no   24h accept
-        0.1        0.4  simple first confirmed       | 5     proceed   completed          yes  24h accept
review   0.1        0.4  simple first doit            | 4     confirm   needs_confirmation no   48h accept_with_flag
-        0.6        0.4  simple first                 | 3     confirm   needs_confirmation no   72h abandon
-        0.6        0.4  simple first confirmed       | 3     confirm   pending_acceptance yes  72h abandon
-        0.1        0.4  simple recommend             | 2     recommend recommended        no   168h expire
-        0.1        0.4  simple recommend confirmed   | 2     recommend recommended        no   168h expire

# a level that was asked for only lowers
-        0.1        0.4  simple level=4               | 4     notify    completed          yes  48h accept_with_flag
-        0.1        0.4  simple level=3               | 3     confirm   pending_acceptance yes  72h abandon
-        0.1        0.4  simple level=2               | 2     recommend recommended        no   168h expire
-        0.1        0.4  simple level=1               | 1     block     human_only         no   0s never
-        0.1        0.4  simple level=-3              | 1     block     human_only         no   0s never
-        0.6        0.4  simple level=5               | 3     confirm   pending_acceptance yes  72h abandon
-        0.9        0.9  simple level=9               | 1     block     human_only         no   0s never

# triggers: a costly run, or one of unknown cost, has level 3 at most; to confirm it is not to accept its result
-        0.1        0.4  simple 100GB                 | 5     proceed   completed          yes  24h accept
-        0.1        0.4  simple 101GB                 | 3     confirm   needs_confirmation no   72h abandon
-        0.1        0.4  simple 101GB confirmed       | 3     confirm   pending_acceptance yes  72h abandon
-        0.1        0.4  simple 10min                 | 5     proceed   completed          yes  24h accept
-        0.1        0.4  simple 11min                 | 3     confirm   needs_confirmation no   72h abandon
-        0.4        0.4  simple 11min                 | 3     confirm   needs_confirmation no   72h abandon
-        0.6        0.4  simple 101GB 11min           | 3     confirm   needs_confirmation no   72h abandon
-        0.6        0.4  simple 101GB confirmed       | 3     confirm   pending_acceptance yes  72h abandon
-        0.8        0.4  simple 101GB                 | 2     recommend recommended        no   168h expire
-        0.1        0.4  simple 100Mrows              | 5     proceed   completed          yes  24h accept
-        0.1        0.4  simple 101Mrows              | 5     proceed   completed          yes  24h accept
-        0.1        0.4  simple domains:a+b           | 5     proceed   completed          yes  24h accept
-        0.1        0.4  simple domains:a+b+A         | 5     proceed   completed          yes  24h accept
-        0.1        0.4  simple domains:a+b+c         | 4     notify    completed          yes  48h accept_with_flag
-        0.6        0.4  simple domains:a+b+c         | 3     confirm   pending_acceptance yes  72h abandon
-        0.1        0.4  simple sensitive             | 4     notify    completed          yes  48h accept_with_flag
-        0.6        0.4  simple sensitive             | 3     confirm   pending_acceptance yes  72h abandon
-        0.1        0.4  simple noplan                | 3     confirm   needs_confirmation no   72h abandon
-        0.1        0.4  simple noplan confirmed      | 3     confirm   pending_acceptance yes  72h abandon

# a recommendation that the person runs is theirs: it waits for acceptance like level 3. Nobody runs level 1
-        0.8        0.4  simple confirmed             | 2     confirm   pending_acceptance yes  72h abandon
-        0.8        0.4  simple confirmed 101GB       | 2     confirm   pending_acceptance yes  72h abandon
-        0.9        0.9  simple confirmed             | 1     block     human_only         no   0s never

# at SCOPE the level is provisional, and nothing runs
-        0.1        0.4  simple scope                 | 5     proceed   completed          no   24h accept
-        0.6        0.4  simple scope confirmed       | 3     confirm   pending_acceptance no   72h abandon

# an agent has level 4 at most, does not trust routine and cannot confirm; a role may have a maximum
agent    0.1        0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag
agent    0.4        0.4  simple                       | 4     notify    completed          yes  48h accept_with_flag
agent    0.1        0.4  simple 101GB confirmed       | 3     confirm   needs_confirmation no   72h abandon
agent    0.8        0.4  simple confirmed             | 2     recommend recommended        no   168h expire
junior   0.1        0.4  simple                       | 3     confirm   pending_acceptance yes  72h abandon
junior   0.1        0.4  simple doit                  | 3     confirm   pending_acceptance yes  72h abandon
stranger 0.1        0.4  simple                       | 1     block     human_only         no   0s never

# what is not allowed does not run, whoever confirms
-        0.1        0.4  simple write                 | 1     block     blocked            no   0s never
-        0.1        0.4  simple write confirmed doit  | 1     block     blocked            no   0s never
-        0.1        0.4  simple hidden                | 1     block     blocked            no   0s never
`
	rules := mustLoad(t, map[string]string{RolesFile: judgeRoles})
	lines := 0
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' || strings.HasPrefix(line, "who ") {
			continue
		}
		lines++
		request, want, _ := strings.Cut(line, "|")
		v := rules.Judge(caseOf(t, rules, strings.Fields(request)))
		run := map[bool]string{true: "yes", false: "no"}[v.Run]
		wait := fmt.Sprintf("%gh %s", v.Acceptance.After.Hours(), v.Acceptance.Then)
		wait = strings.Replace(wait, "0h never", "0s never", 1)
		got := fmt.Sprintf("%d %s %s %s %s", v.Level, v.Decision, v.Status, run, wait)
		if want = strings.Join(strings.Fields(want), " "); got != want {
			t.Errorf("%s\n got  %s\n want %s\n because %s", line, got, want, strings.Join(v.Sentences(), " "))
		}
		if (v.Acceptance.Required) != (v.Level <= 3) && v.Status != StatusBlocked {
			t.Errorf("%s: acceptance required %v", line, v.Acceptance.Required)
		}
	}
	if lines < 90 {
		t.Errorf("only %d lines were read", lines)
	}
}

const judgeRoles = `
default_role: analyst
roles:
  - {name: analyst, schemas: [main], tables: ["*"]}
  - {name: junior, schemas: [main], tables: ["*"], at_most: 3}
  - {name: robot, schemas: [main], tables: ["*"]}
  - {name: steward, schemas: ["*"], tables: ["*"], seniority: lead, steward: true}
actors:
  - {id: review, kind: human, role: analyst, preferences: {review_all: true}, binds: {os_users: [review]}}
  - {id: trust, kind: human, role: analyst, preferences: {trust_routine: true}, binds: {os_users: [trust]}}
  - {id: finance, kind: human, role: analyst, preferences: {always_confirm: [Finance]}, binds: {os_users: [finance]}}
  - {id: low, kind: human, role: analyst, risk_tolerance: low, binds: {os_users: [low]}}
  - {id: high, kind: human, role: analyst, risk_tolerance: high, binds: {os_users: [high]}}
  - {id: junior, kind: human, role: junior, binds: {os_users: [junior]}}
  - {id: agent, kind: agent, role: robot, preferences: {trust_routine: true}, binds: {tokens: [agent]}}
`

// caseOf reads the left half of a line of the table.
func caseOf(t *testing.T, rules *Rules, words []string) Case {
	t.Helper()
	c := Case{Plan: &Plan{Bytes: 1e6, Runtime: time.Second, Rows: 1000}, Objects: []Object{{"main", "orders"}}}
	var err error
	switch who := words[0]; who {
	case "-":
		c.Actor, err = rules.Identify("", Caller{OSUser: "nobody"})
	case "agent":
		c.Actor, err = rules.Identify("", Caller{Token: "agent"})
	case "stranger":
		c.Actor, c.Objects = Actor{ID: "x", Kind: Human, Role: "unknown"}, nil
	default:
		c.Actor, err = rules.Identify(who, Caller{OSUser: who})
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Likelihood, c.Cost = parseShare(t, words[1]), parseShare(t, words[2])
	simple, complex := 0.1, 0.5
	for _, w := range words[3:] {
		name, value, _ := strings.Cut(w, ":")
		var n int
		switch {
		case name == "-":
		case name == "simple":
			c.Complexity = &simple
		case name == "complex":
			c.Complexity = &complex
		case name == "border":
			border := 0.3
			c.Complexity = &border
		case name == "odd":
			odd := -1.0
			c.Complexity = &odd
		case name == "first":
			c.Overrides.ConfirmFirst = true
		case name == "doit":
			c.Overrides.JustDoIt = true
		case name == "confirmed":
			c.Confirmed = true
		case name == "recommend":
			c.Action = Recommend
		case name == "write":
			c.Action = Modify
		case name == "hidden":
			c.Objects = append(c.Objects, Object{"hr", "salary"})
		case name == "domains":
			c.Domains = strings.Split(value, "+")
		case name == "sensitive":
			c.Sensitive = []string{"orders"}
		case name == "noplan":
			c.Plan = nil
		case name == "scope":
			c.Plan, c.Provisional = nil, true
		case scan(name, "level=%d", &n):
			c.Level = n
		case scan(name, "%dGB", &n):
			c.Plan.Bytes = int64(n) * 1e9
		case scan(name, "%dmin", &n):
			c.Plan.Runtime = time.Duration(n) * time.Minute
		case scan(name, "%dMrows", &n):
			c.Plan.Rows = int64(n) * 1e6
		default:
			t.Fatalf("what is %q?", w)
		}
	}
	return c
}

func scan(s, format string, n *int) bool {
	var m int
	read, err := fmt.Sscanf(s, format, &m)
	if err != nil || read != 1 || fmt.Sprintf(format, m) != s {
		return false
	}
	*n = m
	return true
}

func parseShare(t *testing.T, s string) float64 {
	if s == "nan" {
		return math.NaN()
	}
	var v float64
	if _, err := fmt.Sscan(s, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestReasonsNameRulesAndNumbers reads the sentences of one request on which many rules have something to say.
func TestReasonsNameRulesAndNumbers(t *testing.T) {
	rules := mustLoad(t, map[string]string{RolesFile: judgeRoles})
	v := rules.Judge(caseOf(t, rules, strings.Fields("finance 0.28 0.8 simple domains:finance+ops+sales sensitive 250GB 12min 300Mrows first level=2")))
	want := []Reason{
		{"matrix", "The likelihood of an error is 0.28, from 0 to below 0.3, and an error costs 0.8, from 0.5 high: level 4 by the matrix."},
		{"always_confirm", "You always confirm what is about finance: level 3 at most."},
		{"mandatory_review", "Likelihood 0.28 times cost 0.8 is 0.224, above 0.2: level 3 at most, whatever is preferred."},
		{"scan", "The run is expected to scan 250 GB, over 100 GB. Level 3 at most. It waits for confirmation before it runs."},
		{"runtime", "The run is expected to take 12 minutes, over 10. Level 3 at most. It waits for confirmation before it runs."},
		{"rows", "The run is expected to read 300 million rows, over 100 million. It runs with this warning."},
		{"domains", "It joins 3 domains (finance, ops, sales), from 3. Level 4 at most."},
		{"sensitive", "It reads what is tagged as sensitive (orders). Level 4 at most."},
		{"level", "Level 2 was asked for."},
		{"confirm_first", "You asked to confirm before it runs."},
	}
	if !slices.Equal(v.Reasons, want) {
		for _, r := range v.Reasons {
			t.Logf("{%q, %q},", r.Rule, r.Text)
		}
		t.Error("the reasons differ")
	}
	if len(v.Warnings) != 1 || v.Warnings[0].Rule != "rows" {
		t.Errorf("warnings %v", v.Warnings)
	}
}

// TestReasonsOnlyWhereARuleSpoke: nothing is waived where nothing was preferred, and an agent never trusts routine.
func TestReasonsOnlyWhereARuleSpoke(t *testing.T) {
	rules := mustLoad(t, map[string]string{RolesFile: judgeRoles, AutonomyFile: "agents: {at_most: 5}\n"})
	v := rules.Judge(caseOf(t, rules, strings.Fields("- 0.1 0.4 simple doit level=5")))
	if len(v.Reasons) != 1 || v.Reasons[0].Rule != RuleMatrix || v.Confirm.Needed || len(v.Warnings)+len(v.Tell)+len(v.TakesOver) != 0 {
		t.Errorf("%+v", v)
	}
	if v := rules.Judge(caseOf(t, rules, strings.Fields("agent 0.4 0.4 simple"))); v.Level != 4 {
		t.Errorf("an agent trusts routine: level %d", v.Level)
	}
	for request, want := range map[string]string{
		"- 0.5 0.1 complex":    "matrix: The likelihood of an error is 0.5, from 0.5 to below 0.7, and an error costs 0.1, below 0.5: level 3 by the matrix.",
		"- 0.7 0.1 complex":    "matrix: The likelihood of an error is 0.7, from 0.7 up, and an error costs 0.1, below 0.5: level 2 by the matrix.",
		"- 1 0.1 complex":      "matrix: The likelihood of an error is 1, from 0.7 up, and an error costs 0.1, below 0.5: level 2 by the matrix.",
		"- 1.5 0.1 complex":    "unknown_risk: The likelihood of an error is not known as a number from 0 to 1, and counts as 1.",
		"trust 0.4 0.1 simple": "matrix: The likelihood of an error is 0.4, from 0.3 to below 0.5, and an error costs 0.1, below 0.5: level 4 by the matrix. trust_routine: You trust routine queries, and this one's complexity 0.1 is below 0.3: level 5.",
	} {
		var said []string
		for _, r := range rules.Judge(caseOf(t, rules, strings.Fields(request))).Reasons {
			said = append(said, r.Rule+": "+r.Text)
		}
		if got := strings.Join(said, " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", request, got)
		}
	}
}

// TestWhoIsTold follows escalation.yaml: by trigger, by domain, else the default.
func TestWhoIsTold(t *testing.T) {
	rules := mustLoad(t, map[string]string{RolesFile: judgeRoles, EscalationFile: `
takes_over: {default: steward, domains: {finance: [junior, steward]}, triggers: {mandatory_review: analyst}}
is_told: {default: [analyst], domains: {Sales: junior}, triggers: {sensitive: steward}}
`})
	for _, x := range []struct{ request, takesOver, told string }{
		{"- 0.9 0.9 simple", "analyst", ""}, // the mandatory review holds, too
		{"- 0.9 0.9 simple domains:Finance", "analyst junior steward", ""},
		{"- 0.1 0.1 simple level=1", "steward", ""},
		{"- 0.1 0.1 simple level=1 domains:finance", "junior steward", ""},
		{"- 0.4 0.4 simple", "", "analyst"},
		{"- 0.4 0.4 simple domains:sales", "", "junior"},
		{"- 0.1 0.4 simple sensitive domains:sales", "", "steward junior"},
		{"- 0.1 0.4 simple", "", ""},
		{"- 0.6 0.4 simple", "", ""},
		{"- 0.1 0.4 hidden", "", ""},
	} {
		v := rules.Judge(caseOf(t, rules, strings.Fields(x.request)))
		if got := strings.Join(v.TakesOver, " "); got != x.takesOver {
			t.Errorf("%s: taken over by %q, want %q", x.request, got, x.takesOver)
		}
		if got := strings.Join(v.Tell, " "); got != x.told {
			t.Errorf("%s: told %q, want %q", x.request, got, x.told)
		}
	}
}

// TestClarify: asked from an ambiguity of 0.5, or a slot below 0.6.
func TestClarify(t *testing.T) {
	rules := Builtin()
	for _, x := range []struct {
		ambiguity float64
		slots     map[string]float64
		want      int
	}{
		{0, nil, 0},
		{0.4999, map[string]float64{"metric": 0.6, "period": 1}, 0},
		{0.5, nil, 1},
		{0.1, map[string]float64{"metric": 0.5999, "period": 1}, 1},
		{0.9, map[string]float64{"metric": 0.3, "period": 0.3}, 3},
		{math.NaN(), map[string]float64{"metric": math.NaN()}, 2},
	} {
		if got := rules.MustClarify(x.ambiguity, x.slots); len(got) != x.want {
			t.Errorf("%v %v: %v", x.ambiguity, x.slots, got)
		}
	}
}

// TestDue: a deadline is counted from when the wait began.
func TestDue(t *testing.T) {
	began := time.Date(2026, 2, 28, 22, 0, 0, 0, time.UTC)
	for level, want := range map[int]string{5: "2026-03-01T22:00:00Z", 4: "2026-03-02T22:00:00Z", 3: "2026-03-03T22:00:00Z", 2: "2026-03-07T22:00:00Z", 1: ""} {
		due, ok := Builtin().Acceptance[level].Due(began)
		if got := due.Format(time.RFC3339); ok != (want != "") || ok && got != want {
			t.Errorf("level %d: %s %v, want %s", level, got, ok, want)
		}
	}
	for _, w := range []Waiting{{0, EndAccept}, {time.Hour, EndNever}, {-1, EndExpire}} {
		if due, ok := w.Due(began); ok {
			t.Errorf("%+v is due at %s", w, due)
		}
	}
}
