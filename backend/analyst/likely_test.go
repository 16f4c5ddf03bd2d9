package analyst

import (
	"context"
	"math"
	"strings"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/llm/openai"
	"assay/backend/rules"
)

// TestAModelThatDoubtsRaisesTheRisk has a server of OpenAI's protocol fill in a form and say how likely its words were: a name that it was not sure of raises the ambiguity, one that it was sure of changes nothing, and
// what is no name says nothing.
func TestAModelThatDoubtsRaisesTheRisk(t *testing.T) {
	const query = `{"select":[{"metric":"revenue"}],"at":["orders.country"]}`
	at := strings.Index(query, "revenue")
	pieces := func(name, bracket float64) []llm.LogProb {
		return []llm.LogProb{
			{Text: query[:at], Log: bracket},
			{Text: "revenue", Log: name},
			{Text: query[at+len("revenue") : strings.Index(query, "orders")], Log: bracket},
			{Text: "orders.country", Log: name},
			{Text: strings.TrimPrefix(query, `{"select":[{"metric":"revenue"}],"at":["orders.country`), Log: bracket},
		}
	}
	ambiguity := func(likely []llm.LogProb) (float64, string) {
		t.Helper()
		server := llmtest.OpenAI(t, llmtest.Always(llmtest.Reply{Text: query, LogProbs: likely}), func(s *llmtest.Server) {
			s.Models = []llmtest.ServedModel{{Name: llmtest.Model, Window: 12_000}}
		})
		p, err := openai.New(server.Endpoint())
		if err != nil {
			t.Fatal(err)
		}
		d := newDesk(t, shopKnowledge(t), twoRows(), [][]any{{2155, 2155}})
		model := small12{p.Open(llmtest.Model)}
		d.deps.Thinkers = func(context.Context, rules.Actor, string) (*Thinker, error) {
			return &Thinker{Name: "openai:" + llmtest.Model, Rows: RowsMasked, Select: func(task llm.Task) llm.Model {
				if task == llm.Planning {
					return model
				}
				return nil
			}}, nil
		}
		a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
		if err != nil || a.Risk == nil || a.Risk.Factors.Ambiguity == nil {
			t.Fatalf("%v %+v", err, a)
		}
		return *a.Risk.Factors.Ambiguity, strings.Join(a.Risk.Reasons, " ")
	}
	silent, _ := ambiguity(nil)
	sure, _ := ambiguity(pieces(0, math.Log(0.01)))
	doubting, words := ambiguity(pieces(math.Log(0.25), 0))
	if sure != silent {
		t.Errorf("the ambiguity is %v without likelihoods and %v of a model that is sure", silent, sure)
	}
	if want := 0.5*silent + 0.5*0.75; math.Abs(doubting-want) > 0.002 || doubting <= silent {
		t.Errorf("the ambiguity is %v of a model that doubts, want %v: %s", doubting, want, words)
	}
}

// small12 is a model whose window is small: it fills in a form.
type small12 struct{ llm.Model }

func (m small12) Card() llm.Card { c := m.Model.Card(); c.Window = 12_000; return c }

func (m small12) About(context.Context) (llm.Card, error) { return m.Card(), nil }
