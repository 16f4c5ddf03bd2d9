package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestQuestionOf100kB goes through the batch door, since a command line may not be that long.
func TestQuestionOf100kB(t *testing.T) {
	t.Setenv("ASSAY_HOME", t.TempDir())
	question, err := json.Marshal(map[string]any{"id": 1, "question": strings.Repeat("revenue by category ", 5000)})
	if err != nil {
		t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	status := Main([]string{"ask", "--batch"}, Program{Stdin: bytes.NewReader(question), Stdout: &out, Stderr: &complaints})
	var answer struct {
		Outcome string
		Refusal struct{ Message string }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatalf("%v in %.200s", err, out.String())
	}
	if status != 0 || answer.Outcome != "refuse" || answer.Refusal.Message == "" || complaints.Len() > 0 {
		t.Errorf("status %d, %+v, %s", status, answer, complaints.String())
	}
	t.Log(answer.Refusal.Message)
}
