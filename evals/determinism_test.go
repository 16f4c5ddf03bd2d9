package evals_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"assay/backend/analyst"
)

// freshProcess names the file into which another process of this test writes its answers.
const freshProcess = "ASSAY_EVALS_ANSWERS"

// The same question gives the same answer: several times in one process, and in a process of its own with data that it imported itself.
func TestTheSameQuestionGivesTheSameAnswer(t *testing.T) {
	if path := os.Getenv(freshProcess); path != "" {
		write(t, path, answersOf(t, 1))
		return
	}
	times := 10 / everyNth(3)
	here := answersOf(t, times)
	path := filepath.Join(t.TempDir(), "answers.json")
	fresh := exec.Command(os.Args[0], "-test.run=^TestTheSameQuestionGivesTheSameAnswer$")
	fresh.Env = append(os.Environ(), freshProcess+"="+path)
	if out, err := fresh.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var there map[string]string
	if err := json.Unmarshal(raw, &there); err != nil {
		t.Fatal(err)
	}
	for question, answer := range here {
		if there[question] != answer {
			t.Errorf("%q: another process answers\n%s\nthis one\n%s", question, there[question], answer)
		}
	}
	t.Logf("%d questions", len(here))
}

// answersOf asks the questions some times, each in a session of its own, and gives their answers without what names or times one run.
func answersOf(t *testing.T, times int) map[string]string {
	all := map[string]string{}
	for _, sample := range samples {
		w := openSample(t, sample)
		var questions []string
		for _, set := range []string{sample, "analysts_" + sample} {
			for i, c := range readCases(t, set) {
				if i%(5*everyNth(3)) == 0 {
					questions = append(questions, c.Question)
				}
			}
		}
		for _, q := range questions {
			key := sample + ": " + q
			for range times {
				a, err := w.Ask(context.Background(), analyst.Request{Question: q, NoCache: true}, nil)
				if err != nil {
					t.Fatalf("%q: %v", q, err)
				}
				answer := lasting(t, a)
				if before, asked := all[key]; asked && before != answer {
					t.Errorf("%q: first\n%s\nthen\n%s", q, before, answer)
				}
				all[key] = answer
			}
		}
	}
	return all
}

// passing are the fields of an answer that name or time one run.
var passing = map[string]bool{
	"request_id": true, "session_id": true, "turn": true, "artifacts": true, "timings_ms": true, "trace": true, "ms": true, "basis": true, "served_by": true,
}

// lasting writes an answer as text with everything in it that must not change; doubles to 12 digits.
func lasting(t *testing.T, a *analyst.Answer) string {
	t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	raw, err = json.MarshalIndent(kept(tree), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func kept(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if !passing[k] {
				out[k] = kept(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = kept(x)
		}
		return out
	case float64:
		return strconv.FormatFloat(v, 'g', 12, 64)
	default:
		return v
	}
}

func write(t *testing.T, path string, v any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
