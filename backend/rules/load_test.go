package rules

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/fault"
	"assay/backend/rules/pii"
	"assay/backend/semantic"
)

// folder makes a workspace with files of rules.
func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"workspace.yaml": {Data: []byte("workspace: x")}}
	for name, body := range files {
		fsys[Folder+"/"+name] = &fstest.MapFile{Data: []byte(body)}
	}
	return fsys
}

func mustLoad(t *testing.T, files map[string]string) *Rules {
	t.Helper()
	rules, err := Load(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestDefaultsAreTheSeed reads the numbers of the built-in files.
func TestDefaultsAreTheSeed(t *testing.T) {
	r := Builtin()
	if len(r.Matrix) != 4 || r.Matrix[0] != (Row{0.3, 5, 4}) || r.Matrix[1] != (Row{0.5, 4, 3}) || r.Matrix[2] != (Row{0.7, 3, 2}) || r.Matrix[3] != (Row{0, 2, 1}) {
		t.Errorf("matrix %v", r.Matrix)
	}
	want := Triggers{Scan: Trigger{100, 3, ThenConfirm}, Runtime: Trigger{10, 3, ThenConfirm}, Rows: Trigger{100, 5, ThenWarn}, Domains: Trigger{3, 4, ""}, Sensitive: Trigger{0, 4, ""}}
	if r.Triggers != want {
		t.Errorf("triggers %+v", r.Triggers)
	}
	if r.Clarify != (Clarify{0.5, 0.6}) || r.AgentsAtMost != 4 || r.Consensus.MoreThan != 3 || r.Consensus.Similarity != 0.85 || len(r.Consensus.Seniority) != 4 {
		t.Errorf("%+v %d %+v", r.Clarify, r.AgentsAtMost, r.Consensus)
	}
	if len(r.Actors) != 0 || r.DefaultRole != "analyst" {
		t.Errorf("actors %v, default role %s", r.Actors, r.DefaultRole)
	}
}

// TestExamplesLoad: what ships as the example of each file is itself a file that loads, and changes nothing.
func TestExamplesLoad(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{AutonomyFile, RolesFile, EscalationFile, PIIFile} {
		files[name] = Example(name)
		if files[name] == "" {
			t.Errorf("no example of %s", name)
		}
	}
	got, want := mustLoad(t, files), Builtin()
	if got.Review != want.Review || got.Triggers != want.Triggers || got.Acceptance != want.Acceptance || len(got.Roles) != len(want.Roles) {
		t.Errorf("%+v", got)
	}
	if Example("other.yaml") != "" {
		t.Error("an example of what is not there")
	}
}

// TestCommentedExamplesLoad takes the examples that stand in comments of the files for what they claim to be.
func TestCommentedExamplesLoad(t *testing.T) {
	for _, name := range []string{RolesFile, EscalationFile, PIIFile} {
		var lines []string
		for line := range strings.Lines(Example(name)) {
			if code, ok := strings.CutPrefix(line, "#   "); ok {
				lines = append(lines, code)
			}
		}
		body := strings.Join(lines, "")
		switch name {
		case RolesFile:
			body = "actors:\n" + indent(body)
		case EscalationFile:
			body = strings.NewReplacer("[controller, steward]", "[analyst, steward]", "data_protection", "agent").Replace(body)
		case PIIFile:
			body = "columns:\n" + indent(body)
		}
		if len(lines) < 2 {
			t.Errorf("%s: no example", name)
		}
		mustLoad(t, map[string]string{name: body})
	}
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ") + "\n"
}

// TestPartsOfAFile: a key that is left out keeps its default.
func TestPartsOfAFile(t *testing.T) {
	r := mustLoad(t, map[string]string{
		AutonomyFile: "triggers: {scan: {over_gb: 5}, rows: {then: nothing, at_most: 2}}\nacceptance: {3: {after: 30m, then: abandon}}\nmandatory_review: {above: 0.5}\n",
		PIIFile:      "columns: [{match: \"*.contact\", kind: person_name}]\noff: [ip]\nname_words: betreuer\n",
	})
	if r.Triggers.Scan != (Trigger{5, 3, ThenConfirm}) || r.Triggers.Rows != (Trigger{100, 2, ""}) || r.Triggers.Domains.AtMost != 4 || r.Review != 0.5 {
		t.Errorf("%+v %v", r.Triggers, r.Review)
	}
	if r.Acceptance[3].After.Minutes() != 30 || r.Acceptance[5].After.Hours() != 24 {
		t.Errorf("%+v", r.Acceptance)
	}
	if len(r.Matrix) != 4 || r.PII.Of(pii.Column{Table: "x", Name: "contact"}) != pii.PersonName || r.PII.Of(pii.Column{Table: "x", Name: "kunden_betreuer"}) != pii.PersonName {
		t.Errorf("%+v", r.PII)
	}
	for name, body := range map[string]string{"empty": "", "comments": "# nothing\n", "null": "---\n"} {
		if r := mustLoad(t, map[string]string{AutonomyFile: body}); len(r.Matrix) != 4 {
			t.Errorf("%s: %v", name, r.Matrix)
		}
	}
}

// TestFaultsNameFileAndLine: each file is wrong in one way, and the message says where and what.
func TestFaultsNameFileAndLine(t *testing.T) {
	role := func(rest string) string {
		return "default_role: a\nroles:\n  - {name: a, schemas: ['*'], tables: ['*'], steward: true" + rest
	}
	actor := func(rest string) string { return role("}\nactors:\n  - ") + rest }
	for name, x := range map[string]struct{ file, body, want string }{
		"unknown key":               {AutonomyFile, "matrx: []\n", `rules/autonomy.yaml:1: There is no key "matrx" here. Did you mean "matrix"?`},
		"unknown key inside":        {AutonomyFile, "\ntriggers:\n  scan: {over_tb: 1}\n", `rules/autonomy.yaml:3: There is no key "over_tb" here.`},
		"key twice":                 {AutonomyFile, "agents: {at_most: 3}\nagents: {at_most: 2}\n", `rules/autonomy.yaml:2: `},
		"not yaml":                  {AutonomyFile, "matrix: [\n", `rules/autonomy.yaml:1: This is not valid YAML`},
		"two documents":             {AutonomyFile, "agents: {at_most: 3}\n---\nagents: {at_most: 2}\n", `rules/autonomy.yaml:3: A file of rules holds one document.`},
		"a list":                    {AutonomyFile, "- a\n- b\n", `rules/autonomy.yaml:1: A mapping of keys and values was expected here.`},
		"wrong type":                {AutonomyFile, "mandatory_review: 0.4\n", `rules/autonomy.yaml:1: A mapping`},
		"text for a number":         {AutonomyFile, "mandatory_review:\n  above: high\n", `rules/autonomy.yaml:2: "above" is a number, not "high".`},
		"quoted number":             {AutonomyFile, "mandatory_review:\n  above: '0.4'\n", `rules/autonomy.yaml:2: "above" is a number, not "0.4".`},
		"not a number":              {AutonomyFile, "mandatory_review:\n  above: .nan\n", `rules/autonomy.yaml:2: "above" is a number`},
		"out of range":              {AutonomyFile, "mandatory_review:\n  above: 1.5\n", `rules/autonomy.yaml:2: "above" is 1.5, and must lie between 0 and 1.`},
		"level out of range":        {AutonomyFile, "agents:\n  at_most: 6\n", `rules/autonomy.yaml:2: "at_most" is 6, and must lie between 1 and 5.`},
		"level a fraction":          {AutonomyFile, "agents:\n  at_most: 3.5\n", `rules/autonomy.yaml:2: "at_most" is a whole number`},
		"matrix rises by row":       {AutonomyFile, "matrix:\n  - {below: 0.3, low: 3, high: 2}\n  - {low: 4, high: 2}\n", `rules/autonomy.yaml:3: The level 4 is above the 3 of the row before it.`},
		"matrix rises by cost":      {AutonomyFile, "matrix:\n  - {low: 3, high: 4}\n", `rules/autonomy.yaml:2: The level at a high cost is 4, above 3 at a low cost.`},
		"matrix rises at high cost": {AutonomyFile, "matrix:\n  - {below: 0.3, low: 4, high: 2}\n  - {low: 4, high: 3}\n", `rules/autonomy.yaml:3: The level 3 is above the 2 of the row before it.`},
		"matrix with equal rows":    {AutonomyFile, "matrix:\n  - {below: 0.3, low: 5, high: 4}\n  - {below: 0.3, low: 4, high: 3}\n  - {low: 2, high: 1}\n", `rules/autonomy.yaml:3: "below" is 0.3`},
		"matrix of words":           {AutonomyFile, "matrix: [low]\n", `rules/autonomy.yaml:1: A mapping`},
		"matrix no list":            {AutonomyFile, "matrix: low\n", `rules/autonomy.yaml:1: "matrix" is a list.`},
		"a list for a number":       {AutonomyFile, "agents: {at_most: [3]}\n", `rules/autonomy.yaml:1: "at_most" is a single value.`},
		"an empty value":            {AutonomyFile, "agents: {at_most: }\n", `rules/autonomy.yaml:1: "at_most" is a single value.`},
		"a quoted level":            {AutonomyFile, "agents: {at_most: '3'}\n", `rules/autonomy.yaml:1: "at_most" is a whole number`},
		"infinite":                  {AutonomyFile, "triggers: {scan: {over_gb: .inf}}\n", `rules/autonomy.yaml:1: "over_gb" is a number`},
		"no then":                   {AutonomyFile, "acceptance: {5: {after: 1h}}\n", `rules/autonomy.yaml:1: The key "then" is missing.`},
		"no after":                  {AutonomyFile, "acceptance: {5: {then: accept}}\n", `rules/autonomy.yaml:1: The key "after" is missing.`},
		"no time":                   {AutonomyFile, "acceptance: {5: {after: 0h, then: accept}}\n", `rules/autonomy.yaml:1: "after" is a time`},
		"beyond a year":             {AutonomyFile, "acceptance: {5: {after: 366d, then: accept}}\n", `rules/autonomy.yaml:1: "after" is a time`},
		"half a unit":               {AutonomyFile, "acceptance: {5: {after: xh, then: accept}}\n", `rules/autonomy.yaml:1: "after" is a time`},
		"a list of lists":           {RolesFile, actor("{id: x, kind: human, role: a, binds: {os_users: [[x]]}}\n"), `rules/roles.yaml:5: The list "os_users" holds something that is not a plain value.`},
		"no id":                     {RolesFile, actor("{kind: human, role: a, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: The key "id" is missing.`},
		"no role":                   {RolesFile, actor("{id: x, kind: human, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: The key "role" is missing.`},
		"an actor that is a word":   {RolesFile, actor("x\n"), `rules/roles.yaml:5: A mapping`},
		"high tolerance and review": {RolesFile, actor("{id: x, kind: human, role: a, risk_tolerance: high, preferences: {review_all: true}, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: "risk_tolerance: high" and`},
		"a column that is a word":   {PIIFile, "columns: [email]\n", `rules/pii.yaml:1: A mapping`},
		"no match":                  {PIIFile, "columns: [{kind: email}]\n", `rules/pii.yaml:1: The key "match" is missing.`},
		"a folder":                  {"roles.yaml/x", "", `rules/roles.yaml: Nothing reads this file under rules/.`},
		"a key that is a list":      {AutonomyFile, "? [a]\n: b\n", `rules/autonomy.yaml:2: `},
		"matrix out of order":       {AutonomyFile, "matrix:\n  - {below: 0.5, low: 5, high: 4}\n  - {below: 0.3, low: 4, high: 3}\n  - {low: 2, high: 1}\n", `rules/autonomy.yaml:3: "below" is 0.3, and the row before it already holds below 0.5.`},
		"matrix with a hole":        {AutonomyFile, "matrix:\n  - {below: 0.5, low: 5, high: 4}\n", `rules/autonomy.yaml:2: The last row of the matrix has a "below"`},
		"matrix without below":      {AutonomyFile, "matrix:\n  - {low: 5, high: 4}\n  - {low: 2, high: 1}\n", `rules/autonomy.yaml:2: Only the last row`},
		"matrix empty":              {AutonomyFile, "matrix: []\n", `rules/autonomy.yaml:1: The matrix has no rows.`},
		"matrix without a level":    {AutonomyFile, "matrix:\n  - {low: 5}\n", `rules/autonomy.yaml:2: The key "high" is missing.`},
		"idle trigger":              {AutonomyFile, "triggers:\n  domains: {at_most: 5}\n", `rules/autonomy.yaml:2: The trigger "domains" neither caps`},
		"unknown then":              {AutonomyFile, "triggers:\n  scan: {then: ask}\n", `rules/autonomy.yaml:2: "ask" is not a value of "then".`},
		"accepted by the clock":     {AutonomyFile, "acceptance:\n  3: {after: 72h, then: accept}\n", `rules/autonomy.yaml:2: A result of level 3 cannot end with "accept".`},
		"never after":               {AutonomyFile, "acceptance:\n  1: {after: 72h, then: never}\n", `rules/autonomy.yaml:2: What never ends has no "after".`},
		"no unit":                   {AutonomyFile, "acceptance:\n  5: {after: 24, then: accept}\n", `rules/autonomy.yaml:2: "after" is a time such as 24h, not "24".`},
		"endless":                   {AutonomyFile, "acceptance:\n  5: {after: 999999999999d, then: accept}\n", `rules/autonomy.yaml:2: "after" is a time`},
		"negative":                  {AutonomyFile, "acceptance:\n  5: {after: -1h, then: accept}\n", `rules/autonomy.yaml:2: "after" is a time`},
		"no such level":             {AutonomyFile, "acceptance:\n  6: {after: 1h, then: accept}\n", `rules/autonomy.yaml:2: There is no key "6" here.`},
		"no default role":           {RolesFile, "roles:\n  - {name: a, schemas: [], tables: [], steward: true}\n", `rules/roles.yaml:1: The key "default_role" is missing.`},
		"unknown default role":      {RolesFile, "default_role: b\nroles:\n  - {name: a, schemas: [], tables: [], steward: true}\n", `rules/roles.yaml:1: There is no role "b" in roles.yaml. Known here: a.`},
		"no whitelist":              {RolesFile, "default_role: a\nroles:\n  - {name: a, tables: [], steward: true}\n", `rules/roles.yaml:3: The key "schemas" is missing.`},
		"role twice":                {RolesFile, role("}\n  - {name: a, schemas: [], tables: []}\n"), `rules/roles.yaml:4: "a" stands here twice.`},
		"unknown seniority":         {RolesFile, role(", seniority: boss}\n"), `rules/roles.yaml:3: "boss" is not a value of "seniority".`},
		"nobody takes over":         {RolesFile, "default_role: a\nroles:\n  - {name: a, schemas: [], tables: []}\n", `rules/roles.yaml:2: No role here is a steward's`},
		"truth as text":             {RolesFile, "default_role: a\nroles:\n  - {name: a, schemas: [], tables: [], steward: 'true'}\n", `rules/roles.yaml:3: "true" is not a value of "steward".`},
		"actor of an unknown role":  {RolesFile, actor("{id: x, kind: human, role: b, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: There is no role "b"`},
		"actor twice":               {RolesFile, actor("{id: x, kind: human, role: a, binds: {os_users: [x]}}\n  - {id: X, kind: human, role: a, binds: {os_users: [y]}}\n"), `rules/roles.yaml:6: "X" stands here twice.`},
		"actor unbound":             {RolesFile, actor("{id: x, kind: human, role: a}\n"), `rules/roles.yaml:5: Nobody is bound to the actor "x".`},
		"actor like an unbound one": {RolesFile, actor("{id: 'os:x', kind: human, role: a, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: "os:x" is not a name.`},
		"unknown kind":              {RolesFile, actor("{id: x, kind: robot, role: a, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: "robot" is not a value of "kind".`},
		"agent as a steward":        {RolesFile, actor("{id: x, kind: agent, role: a, binds: {tokens: [x]}}\n"), `rules/roles.yaml:5: The role "a" is a steward's`},
		"token of two":              {RolesFile, actor("{id: x, kind: human, role: a, binds: {tokens: [k]}}\n  - {id: y, kind: human, role: a, binds: {tokens: [k]}}\n"), `rules/roles.yaml:6: The token "k" is bound to x already.`},
		"contradicting preferences": {RolesFile, actor("{id: x, kind: human, role: a, preferences: {review_all: true, trust_routine: true}, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: "review_all: true" and "trust_routine: true" contradict each other.`},
		"contradicting tolerance":   {RolesFile, actor("{id: x, kind: human, role: a, risk_tolerance: low, preferences: {trust_routine: true}, binds: {os_users: [x]}}\n"), `rules/roles.yaml:5: "risk_tolerance: low" and`},
		"consensus of nobody":       {RolesFile, "consensus: {seniority: []}\n", `rules/roles.yaml:1: "seniority" is a list.`},
		"consensus of juniors":      {RolesFile, "consensus: {seniority: [none]}\n", `rules/roles.yaml:1: "none" is not a value of "seniority".`},
		"similarity out of range":   {RolesFile, "consensus:\n  similarity: 85\n", `rules/roles.yaml:2: "similarity" is 85`},
		"escalation to nobody":      {EscalationFile, "takes_over: {default: boss}\n", `rules/escalation.yaml:1: There is no role "boss" in roles.yaml.`},
		"domain to nobody":          {EscalationFile, "takes_over:\n  default: steward\n  domains:\n    finance: [steward, boss]\n", `rules/escalation.yaml:4: There is no role "boss"`},
		"no default":                {EscalationFile, "is_told:\n  domains: {finance: steward}\n", `rules/escalation.yaml:2: The key "default" is missing.`},
		"unknown trigger":           {EscalationFile, "is_told: {default: steward, triggers: {sensitiv: steward}}\n", `rules/escalation.yaml:1: There is no key "sensitiv" here. Did you mean "sensitive"?`},
		"unknown kind of pii":       {PIIFile, "columns:\n  - {match: 'a.b', kind: nickname}\n", `rules/pii.yaml:2: "nickname" is not a value of "kind".`},
		"column without a table":    {PIIFile, "columns:\n  - {match: email, kind: email}\n", `rules/pii.yaml:2: "email" is no column.`},
		"unknown detector":          {PIIFile, "off: [ip, emails]\n", `rules/pii.yaml:1: "emails" is not a value of "off".`},
		"stray file":                {"role.yaml", "", `rules/role.yaml: Nothing reads this file under rules/. Did you mean "roles.yaml"?`},
		"too deep":                  {AutonomyFile, strings.Repeat("[", 200), `rules/autonomy.yaml:1: This YAML is nested too deeply.`},
		"too big":                   {PIIFile, "#" + strings.Repeat("x", 2<<20), `rules/pii.yaml: This file is larger than 2 MB.`},
	} {
		rules, err := Load(folder(map[string]string{x.file: x.body}))
		var problems semantic.Problems
		switch {
		case err == nil:
			t.Errorf("%s: loaded", name)
		case rules != nil:
			t.Errorf("%s: half a result", name)
		case fault.CodeOf(err) != fault.Invalid || !errors.As(err, &problems):
			t.Errorf("%s: %v", name, err)
		case !strings.HasPrefix(problems.Error(), x.want) && !strings.Contains(err.Error(), x.want):
			t.Errorf("%s: %s\n want %s", name, problems.Error(), x.want)
		}
	}
}

// TestUsualFiles load: flat matrices, a long wait, empty lists, other files beside.
func TestUsualFiles(t *testing.T) {
	r := mustLoad(t, map[string]string{
		AutonomyFile: "matrix:\n  - {below: 1, low: 3, high: 3}\n  - {low: 3, high: 3}\nacceptance: {5: {after: 365d, then: accept_with_flag}}\n",
		RolesFile:    "actors: []\nconsensus: {seniority: lead}\n",
		PIIFile:      "columns: []\noff: []\n",
		"README.md":  "x", ".hidden": "x",
	})
	if r.Matrix[1] != (Row{0, 3, 3}) || r.Acceptance[5].Then != EndFlag || len(r.Roles) != 5 || r.Consensus.Seniority[0] != "lead" || len(r.PII.Off) != 0 {
		t.Errorf("%+v", r)
	}
	lead, other := Role{Seniority: "lead"}, Role{Seniority: "senior"}
	if !r.Senior(lead) || r.Senior(other) {
		t.Error("seniority")
	}
}

// TestUnreadable: a file that cannot be read is not one that is missing.
func TestUnreadable(t *testing.T) {
	for _, name := range []string{Folder, Folder + "/" + RolesFile} {
		rules, err := Load(broken{folder(map[string]string{RolesFile: "actors: []\n"}), name})
		if rules != nil || fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// broken is a file system in which one name cannot be opened.
type broken struct {
	fs.FS
	name string
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.FS.Open(name)
}

// TestEveryProblemIsFound: a load says all that is wrong, in the order of the files.
func TestEveryProblemIsFound(t *testing.T) {
	_, err := Load(folder(map[string]string{
		AutonomyFile: "agents: {at_most: 9}\nclarify: {slot_below: 2}\n",
		PIIFile:      "off: [all]\n",
	}))
	var problems semantic.Problems
	if !errors.As(err, &problems) || len(problems) != 3 || !strings.Contains(err.Error(), "There are 2 more problems.") {
		t.Errorf("%v", err)
	}
}

// TestIdentify: --actor names only who is bound to the caller, and nobody becomes an actor by a name.
func TestIdentify(t *testing.T) {
	rules := mustLoad(t, map[string]string{RolesFile: `
default_role: visitor
roles:
  - {name: visitor, schemas: [], tables: []}
  - {name: analyst, schemas: [main], tables: ["*"], steward: true}
  - {name: robot, schemas: [main], tables: ["*"]}
actors:
  - {id: ana, kind: human, role: analyst, binds: {os_users: [u1, shared], tokens: [notebook]}}
  - {id: ben, kind: human, role: visitor, binds: {os_users: [shared]}}
  - {id: bot, kind: agent, role: robot, binds: {tokens: [bot]}}
`})
	for _, x := range []struct {
		id     string
		caller Caller
		want   string // id and role; empty: unauthorized
	}{
		{"", Caller{OSUser: "u1"}, "ana analyst"},
		{"ana", Caller{OSUser: "u1"}, "ana analyst"},
		{"", Caller{OSUser: "shared"}, "ana analyst"},
		{"ben", Caller{OSUser: "shared"}, "ben visitor"},
		{"bot", Caller{OSUser: "u1"}, ""},
		{"ana", Caller{OSUser: "u2"}, ""},
		{"nobody", Caller{OSUser: "u1"}, ""},
		{"ANA", Caller{OSUser: "u1"}, ""},
		{"", Caller{OSUser: "u2"}, "os:u2 visitor"},
		{"os:u2", Caller{OSUser: "u2"}, "os:u2 visitor"},
		{"os:u2", Caller{OSUser: "u3"}, ""},
		{"", Caller{OSUser: "ana"}, "os:ana visitor"}, // called like an actor
		{"", Caller{OSUser: "notebook"}, "os:notebook visitor"},
		{"", Caller{}, ""},
		{"", Caller{Token: "bot"}, "bot robot"},
		{"", Caller{Token: "notebook"}, "ana analyst"},
		{"ana", Caller{Token: "bot", OSUser: "u1"}, ""}, // the token counts, not the user whose process answers
		{"", Caller{Token: "u1"}, ""},
		{"", Caller{Token: "stolen", OSUser: "u1"}, ""},
		{"os:u1", Caller{Token: "stolen", OSUser: "u1"}, ""},
	} {
		a, err := rules.Identify(x.id, x.caller)
		got := ""
		if err == nil {
			got = a.ID + " " + a.Role
		} else if fault.CodeOf(err) != fault.Unauthorized {
			t.Errorf("%v: %v", x, err)
		}
		if got != x.want {
			t.Errorf("%q as %+v: %q, want %q", x.id, x.caller, got, x.want)
		}
	}
	_, one := rules.Identify("bot", Caller{OSUser: "u1"})
	_, other := rules.Identify("b0t", Caller{OSUser: "u1"})
	if strings.ReplaceAll(one.Error(), "bot", "X") != strings.ReplaceAll(other.Error(), "b0t", "X") {
		t.Errorf("the refusal tells which actors there are: %v, %v", one, other)
	}
}

// TestWhitelist: both the schema and the table must be open, and an unknown role sees nothing.
func TestWhitelist(t *testing.T) {
	rules := mustLoad(t, map[string]string{RolesFile: `
default_role: nothing
roles:
  - {name: nothing, schemas: [], tables: []}
  - {name: all, schemas: ["*"], tables: ["*"], steward: true}
  - {name: sales, schemas: [main, "mart_*"], tables: [orders, "dim_*", "mart_eu.*"]}
`})
	for _, x := range []struct{ role, schema, table, want string }{
		{"nothing", "main", "orders", "no"},
		{"unknown", "main", "orders", "no"},
		{"all", "hr", "salary", "yes"},
		{"all", "", "x", "yes"},
		{"sales", "main", "orders", "yes"},
		{"sales", "MAIN", "Orders", "yes"},
		{"sales", "main", "orders_secret", "no"},
		{"sales", "hr", "orders", "no"},
		{"sales", "", "orders", "no"},
		{"sales", "mart_us", "dim_day", "yes"},
		{"sales", "mart_us", "facts", "no"},
		{"sales", "mart_eu", "facts", "yes"},
		{"sales", "mart", "dim_day", "no"},
		{"sales", "main", "mart_eu.facts", "no"},
		{"sales", "main", "hr.orders", "no"},
	} {
		w := rules.Whitelist(Actor{Role: x.role})
		got := map[bool]string{true: "yes", false: "no"}[w.Allows(Object{x.schema, x.table})]
		if got != x.want {
			t.Errorf("%+v: %s", x, got)
		}
	}
	w := rules.Whitelist(Actor{Role: "sales"})
	if got := w.Visible([]Object{{"hr", "salary"}, {"main", "orders"}}); len(got) != 1 || got[0].Table != "orders" || w.Everything() || !rules.Whitelist(Actor{Role: "all"}).Everything() {
		t.Errorf("%v", got)
	}
}

// TestWhitelistCutsTheModel: the reader's model of a role names nothing that the role does not see.
func TestWhitelistCutsTheModel(t *testing.T) {
	dims := []semantic.Dimension{{Name: "id", Type: semantic.Integer}}
	m, err := semantic.Seal(&semantic.Model{Name: "x", Entities: []semantic.Entity{
		{Name: "orders", Source: semantic.Source{Table: "orders"}, Dimensions: dims},
		{Name: "salaries", Source: semantic.Source{Table: "hr.salary"}, Dimensions: dims},
		{Name: "open_orders", Source: semantic.Source{SQL: "SELECT * FROM orders"}, Dimensions: dims},
		{Name: "paid", Source: semantic.Source{SQL: "SELECT * FROM orders, hr.salary"}, Dimensions: dims},
	}})
	if err != nil {
		t.Fatal(err)
	}
	reads := func(sql string) []Object {
		if strings.Contains(sql, "salary") {
			return []Object{{"", "orders"}, {"hr", "salary"}}
		}
		return []Object{{"", "orders"}}
	}
	for _, x := range []struct {
		w    Whitelist
		want string
	}{
		{Whitelist{[]string{"*"}, []string{"*"}}, "open_orders orders paid salaries"},
		{Whitelist{[]string{"main"}, []string{"*"}}, "open_orders orders"},
		{Whitelist{[]string{"hr"}, []string{"*"}}, "salaries"},
		{Whitelist{[]string{"*"}, []string{"hr.*"}}, "salaries"},
		{Whitelist{}, ""},
	} {
		left, err := x.w.Model(m, "main", reads)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range left.Entities {
			names = append(names, e.Name)
		}
		if got := strings.Join(names, " "); got != x.want {
			t.Errorf("%+v: %s, want %s", x.w, got, x.want)
		}
	}
}

// BenchmarkJudge is the overhead of the rules on a request.
func BenchmarkJudge(b *testing.B) {
	rules := Builtin()
	actor, err := rules.Identify("", Caller{OSUser: "x"})
	if err != nil {
		b.Fatal(err)
	}
	c := Case{
		Actor: actor, Likelihood: 0.4, Cost: 0.4, Plan: &Plan{Bytes: 2e11}, Domains: []string{"a", "b", "c"}, Sensitive: []string{"x"},
		Objects: []Object{{"main", "orders"}, {"main", "order_lines"}},
	}
	for b.Loop() {
		rules.Judge(c)
	}
}

// TestActing: a process acts as the actor that it was started for where nobody else is named, and as nobody where that one is not its user's.
func TestActing(t *testing.T) {
	rules := mustLoad(t, map[string]string{RolesFile: `
default_role: visitor
roles:
  - {name: visitor, schemas: [], tables: [], steward: true}
actors:
  - {id: ana, kind: human, role: visitor, binds: {os_users: [shared], tokens: [notebook]}}
  - {id: ben, kind: human, role: visitor, binds: {os_users: [shared]}}
`})
	for _, x := range []struct {
		acting, id string
		caller     Caller
		want       string // empty: unauthorized
	}{
		{"", "", Caller{OSUser: "shared"}, "ana"},
		{"ben", "", Caller{OSUser: "shared"}, "ben"},
		{"ben", "ana", Caller{OSUser: "shared"}, "ana"},
		{"ben", "", Caller{Token: "notebook"}, "ana"},
		{"ben", "", Caller{OSUser: "other"}, ""},
		{"nobody", "", Caller{OSUser: "shared"}, ""},
		{"ben", "", Caller{}, ""},
	} {
		a, err := rules.Acting(x.acting).WithWishes("ben", Wishes{ReviewAll: true}).Identify(x.id, x.caller)
		if (err == nil) != (x.want != "") || a.ID != x.want || err != nil && fault.CodeOf(err) != fault.Unauthorized {
			t.Errorf("acting as %q, %q of %+v is %q, %v", x.acting, x.id, x.caller, a.ID, err)
		}
	}
}
