package evals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/llm"
	"assay/backend/llm/anthropic"
	"assay/backend/llm/llmtest"
	"assay/backend/llm/ollama"
	"assay/backend/llm/openai"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// elsewhere is a model that says that it is not on this machine.
type elsewhere struct{ llm.Model }

func (e elsewhere) Card() llm.Card {
	c := e.Model.Card()
	c.Local = false
	return c
}

func (e elsewhere) About(ctx context.Context) (llm.Card, error) {
	c, err := e.Model.About(ctx)
	c.Local = false
	return c, err
}

// canaryShop is a workspace in which every cell that is a text is a canary: towns, goods and notes, and persons, whom the column names.
func canaryShop(t *testing.T, thinkers analyst.Thinkers) *workspace.Workspace {
	t.Helper()
	dir := t.TempDir()
	var sales strings.Builder
	sales.WriteString("sale_id,town,goods,remark,full_name,email,phone,badge,amount,sold\n")
	for i := range 60 {
		fmt.Fprintf(&sales, "%d,Zqtown%d,Zqgoods%d,Zqremark%d is odd,Zqperson%d O'Zqkin%d,zqmail%d@zqhost.example,Zqphone%d,Zqbadge%d,%d,2024-%02d-%02d\n",
			i+1, i%6, i%4, i, i%7, i%7, i%7, i%7, i%7, 100+7*i, i%12+1, i%28+1)
	}
	files := map[string]string{
		"workspace.yaml": "workspace: canaries\n", "sales.csv": sales.String(), "ANALYST.md": "# Shop\n\nSales of a shop.\n",
		"rules/pii.yaml":     "columns: [{match: \"*.badge\", kind: person_name}]\n",
		"golden/town.yaml":   "kind: golden\nid: town\nquestion: how did zqtown5 fare\nframe_ql: SELECT SUM(amount) WHERE sales.town = 'Zqtown5'\n",
		"golden/person.yaml": "kind: golden\nid: person\nquestion: total amount for our best buyer\nframe_ql: SELECT SUM(amount) WHERE sales.full_name = 'Zqperson5 O''Zqkin5' AND sales.badge = 'Zqbadge5'\n",
	}
	return openFolder(t, dir, files, thinkers, "sales.csv")
}

// anyCanary is a cell of the shop, in whatever form it is written; the person types small letters.
var anyCanary = regexp.MustCompile(`Zq[a-z]+\d+|zqmail\d@|zqhost`)

// curious is a script that calls every tool, with what the tools before gave it, writes every stand-in that it saw, and says nothing true.
func curious(r llm.Request) llmtest.Reply {
	call := func(name string, arguments any) llm.Call {
		raw, err := json.Marshal(arguments)
		if err != nil {
			panic(err) // maps of texts always have a JSON form
		}
		return llm.Call{Name: name, Arguments: raw}
	}
	type m = map[string]any
	if len(r.Tools) == 0 {
		if strings.Contains(string(r.Schema), "questions") {
			return llmtest.Text(`{"questions":["amount by goods","amount by town in [value 1]"]}`)
		}
		if len(r.Schema) > 0 {
			return llmtest.Text(`{"select":[{"dim":"sales.town"},{"reduce":"sum","of":{"metric":"amount"}}],"where":{"dim":"sales.town","op":"ne","val":"[value 1]"}}`)
		}
		return llmtest.Text("{r0.town} leads.")
	}
	turn, frame, words := 0, "art_x_0_0", "amount in zqtown1"
	for _, message := range r.Messages {
		if message.Role == llm.User {
			var asked struct{ Question string }
			if json.Unmarshal([]byte(message.Text), &asked) == nil && asked.Question != "" {
				words = asked.Question
			}
		}
		for _, one := range message.Results {
			var made struct {
				ID string `json:"frame_id"`
			}
			if json.Unmarshal([]byte(one.Content), &made) == nil && made.ID != "" {
				frame = made.ID
			}
		}
		if len(message.Calls) > 0 {
			turn++
		}
	}
	var before string
	if i := strings.LastIndexByte(frame, '_'); i > 0 {
		session := frame[:strings.LastIndexByte(frame[:i], '_')]
		before = session + "_1"
	}
	switch turn {
	case 0:
		return llmtest.Calls(call("list_families", m{}), call("describe_family", m{"name": "sales"}), call("column_profile", m{"schema": "sales", "column": "town"}), call("search_values", m{"words": "zqtown"}))
	case 1:
		return llmtest.Calls(call("propose_frame_ql", m{"intent_summary": words}), call("discover_fd_dag", m{"schema": "sales"}), call("verification_level", m{}), call("column_profile", m{"schema": "sales", "column": "full_name"}),
			call("column_profile", m{"schema": "sales", "column": "phone"}), call("column_profile", m{"schema": "sales", "column": "badge"}), call("search_values", m{"words": "zqbadge"}))
	case 2:
		return llmtest.Calls(call("execute_frame_ql", m{"frame_ql": "SELECT sales.full_name, SUM(amount) AS a AT sales.full_name"}), call("execute_frame_ql", m{"frame_ql": "SELECT SUM(amount) WHERE sales.town = 'zqtwn'"}),
			call("run_sql", m{"sql": "SELECT town, full_name, phone, badge, remark, amount FROM sales LIMIT 9"}), call("execute_frame_ql", m{"frame_ql": "SELECT sales.town, SUM(amount) AS a AT sales.town WHERE sales.town <> '[value 1]'"}))
	case 3:
		return llmtest.Calls(call("narrate_frame", m{"frame_id": frame, "user_intent": "all"}), call("propose_followups", m{"frame_id": frame}), call("recall_artifact", m{"artifact_id": frame}), call("simulate_filter", m{"frame_id": frame, "filter_clause": "sales.town <> '[value 1]'"}))
	case 4:
		return llmtest.Calls(call("recall_artifact", m{"artifact_id": before + "_0"}), call("recall_artifact", m{"artifact_id": before + "_2"}), call("recall_artifact", m{"artifact_id": before + "_3"}),
			call("simulate_perturbation", m{"frame_id": frame, "column": "a", "perturbation": m{"kind": "multiply", "value": 2}}))
	case 5:
		return llmtest.Calls(call("recall_artifact", m{"artifact_id": before + "_1"}), call("simulate_goal_seek", m{"frame_id": frame, "column": "a", "target_value": 5, "vary": "a"}), call("propose_frame_ql", m{"intent_summary": "amount by full name in [value 1]"}),
			call("recall_artifact", m{"artifact_id": before + "_4"}))
	}
	return llmtest.Text("done with [value 1]")
}

// TestValuesStay has a workspace whose every text is a canary, a model elsewhere that calls every tool, and each wire that there is: where no values may leave, none is in a single byte that
// was sent which the person did not type themselves, and where values may leave, none of a personal column. A model on this machine sees values, so that the canaries are on the way, but none of
// a personal column either.
func TestValuesStay(t *testing.T) {
	wires := map[string]func(t *testing.T) (*llmtest.Server, llm.Model){
		"anthropic": func(t *testing.T) (*llmtest.Server, llm.Model) {
			s := llmtest.Anthropic(t, curious)
			p, err := anthropic.New(s.Endpoint())
			if err != nil {
				t.Fatal(err)
			}
			return s, p.Open(llmtest.Model)
		},
		"openai": func(t *testing.T) (*llmtest.Server, llm.Model) {
			s := llmtest.OpenAI(t, curious)
			p, err := openai.New(s.Endpoint())
			if err != nil {
				t.Fatal(err)
			}
			return s, p.Open(llmtest.Model)
		},
		"ollama": func(t *testing.T) (*llmtest.Server, llm.Model) {
			s := llmtest.Ollama(t, curious)
			p, err := ollama.New(s.Endpoint())
			if err != nil {
				t.Fatal(err)
			}
			return s, p.Open(llmtest.Model)
		},
		"a form": func(t *testing.T) (*llmtest.Server, llm.Model) {
			s := llmtest.Ollama(t, curious, func(s *llmtest.Server) { s.Models[0].NoTools = true })
			p, err := ollama.New(s.Endpoint())
			if err != nil {
				t.Fatal(err)
			}
			return s, p.Open(llmtest.Model)
		},
	}
	for name, open := range wires {
		for _, policy := range []analyst.RowsPolicy{analyst.RowsNone, analyst.RowsMasked} {
			questions := typedHere
			if name != "anthropic" {
				questions = typedHere[5:10]
			}
			t.Run(name+" "+string(policy), func(t *testing.T) { valuesStay(t, open, policy, false, questions) })
		}
	}
	for name, open := range wires {
		t.Run(name+" here", func(t *testing.T) {
			valuesStay(t, open, analyst.RowsNone, true, append(slices.Clone(typedHere[:7]), typedHere[len(typedHere)-3:]...))
		})
	}
}

// typedHere are the questions of the person, who types small letters, and once a town as it stands in the data.
var typedHere = []string{
	"total amount by town", "total amount in zqtown2", "and by goods?", "total amount in zqtowm3", "total amount by full name", "top 3 full names by total amount", "what about those?", "total amount by month in zqtown1",
	"how did we fare lately compared to our hopes", "total amount in Zqtown4", "total amount for zqperson1 o'zqkin1", "total amount for zqremark3 is odd", "which towns have more than that?",
	"total amount for our best buyer", "amount by phone", "how many badges",
}

func valuesStay(t *testing.T, open func(*testing.T) (*llmtest.Server, llm.Model), policy analyst.RowsPolicy, here bool, questions []string) {
	server, model := open(t)
	if !here {
		model = elsewhere{model}
	}
	w := canaryShop(t, func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "proxy:model", Always: true, Rows: policy, Select: func(llm.Task) llm.Model { return model }}, nil
	})
	if w.Personal("sales", "full_name") == "" || w.Personal("sales", "email") == "" || w.Personal("sales", "town") != "" {
		t.Fatal("the columns of persons are not known to be personal")
	}
	var id string
	ask := func(question string) *analyst.Answer {
		a, err := w.Ask(context.Background(), analyst.Request{Question: question, SessionID: id, Asking: "never"}, nil)
		if err != nil {
			t.Fatalf("%q: %v", question, err)
		}
		id = a.SessionID
		return a
	}
	var offered []string
	for _, question := range questions {
		a := ask(question)
		for _, f := range a.Followups {
			offered = append(offered, f.Question)
		}
		if c := a.Clarification; c != nil && c.BestGuess != nil {
			offered = append(offered, c.BestGuess.Question)
		}
	}
	named := 0
	for _, question := range offered { // whoever chooses one of these has not typed it
		if anyCanary.MatchString(question) && named < 2 {
			named++
			ask(question)
			ask("what about those?")
		}
	}
	if named == 0 && policy == analyst.RowsMasked {
		t.Error("no follow-up names a value: there was nothing to choose")
	}
	found, tools, stood := map[string]string{}, map[string]bool{}, false
	for _, h := range server.Heard() {
		for _, at := range anyCanary.FindAllStringIndex(string(h.Body), -1) {
			canary := string(h.Body[at[0]:at[1]])
			found[canary] = string(h.Body[max(0, at[0]-120):min(len(h.Body), at[1]+60)])
		}
		stood = stood || strings.Contains(string(h.Body), "'[value 1]'")
		for _, message := range h.Request.Messages {
			for _, one := range message.Results {
				tools[one.Name] = true
			}
		}
	}
	allowed := func(canary string) bool {
		return slices.ContainsFunc(typedHere, func(q string) bool { return strings.Contains(q, canary) })
	}
	personal := regexp.MustCompile(`^(Zqperson|Zqkin|Zqphone|Zqbadge|zqmail|zqhost)`)
	for canary, where := range found {
		if here && !personal.MatchString(canary) || allowed(canary) || policy == analyst.RowsMasked && !personal.MatchString(canary) {
			continue
		}
		t.Errorf("%s was sent: … %s …", canary, where)
	}
	switch {
	case !here && !stood:
		t.Error("nothing stands in for a value")
	case here && len(found) < 10:
		t.Errorf("a model here saw %d values only: the test looks for nothing", len(found))
	case !here && policy == analyst.RowsNone && found["Zqtown4"] == "":
		t.Error("what the person typed was taken out")
	case !here && policy == analyst.RowsMasked && len(found) < 5:
		t.Errorf("%d values were sent where they may be", len(found))
	}
	if len(tools) > 0 && len(tools) < 13 {
		t.Errorf("of the tools only these gave something: %v", tools)
	}
	t.Logf("%d requests, %d tools, %d canaries", len(server.Heard()), len(tools), len(found))
}
