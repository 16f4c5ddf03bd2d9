package interpret

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestGarbledQuestions asks whatever words can be put together, alone and one after the other: the reader answers, asks or
// refuses, and never breaks.
func TestGarbledQuestions(t *testing.T) {
	said := strings.Fields(`average above than most least each both either without no never only instead undo those them ordered by name
		names descending top 3 5 10 % share growth compared difference between ratio of running total and or but not maximum minimum greater
		less more at exactly all of whose which who what about same as before list show their id last this year month , . ? "Chai"`)
	var questions []string
	for _, q := range answered {
		questions = append(questions, q.question)
		said = append(said, strings.Fields(q.question)...)
	}
	cases := 300
	if testing.Short() {
		cases = 100
	}
	for name, build := range map[string]func() (*semantic.Model, []ValueSet){
		"traders": func() (*semantic.Model, []ValueSet) { return traders(), traderValues() }, "library": library, "school": school, "depot": depot,
	} {
		t.Run(name, func(t *testing.T) {
			m, sets := build()
			ix, env := NewIndex(m, sets), traderEnv(m)
			words := append(slices.Clone(said), wordsOf(m, sets)...)
			draw := rand.New(rand.NewPCG(20240229, uint64(len(name))))
			for range cases {
				k := &talk{ix: ix, env: env}
				for range 1 + draw.IntN(3) {
					q := questions[draw.IntN(len(questions))]
					if name != "traders" || draw.IntN(3) > 0 {
						q = garbled(draw, q, words)
					}
					if problem := survives(k, q); problem != "" {
						t.Fatalf("%q after %d turns: %s", q, len(k.history.Turns), problem)
					}
				}
			}
		})
	}
}

// wordsOf gives what things are called in a model, some of it more than once: that is asked for.
func wordsOf(m *semantic.Model, sets []ValueSet) (out []string) {
	for range 5 {
		for _, e := range m.Entities {
			out = append(out, joinSpaced(words(e.Name)))
			for _, d := range e.Dimensions {
				out = append(out, joinSpaced(words(d.Name)))
			}
		}
	}
	for _, s := range sets {
		out = append(out, s.Values...)
	}
	return out
}

// garbled mixes a few words into a question, or takes them from it, or makes one of nothing but words.
func garbled(draw *rand.Rand, question string, words []string) string {
	said := strings.Fields(question)
	if draw.IntN(3) == 0 {
		said = nil
	}
	for range 1 + draw.IntN(7) {
		at := draw.IntN(len(said) + 1)
		if len(said) > 1 && draw.IntN(4) == 0 {
			said = append(said[:min(at, len(said)-1)], said[min(at, len(said)-1)+1:]...)
			continue
		}
		said = append(said[:at], append([]string{words[draw.IntN(len(words))]}, said[at:]...)...)
	}
	return strings.Join(said, " ")
}

func survives(k *talk, question string) (problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = fmt.Sprint(p, "\n", string(debug.Stack()))
		}
	}()
	r := k.say(question)
	if r.Reading != nil && r.Clarify == nil {
		if _, refusals := frameql.Resolve(r.Reading.Query, k.env); len(refusals) > 0 {
			return "answered by what does not resolve: " + r.Reading.Query.String()
		}
	}
	return ""
}
