package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// The exit status is 0 for an outcome, 1 where the machine failed, 2 for wrong usage; and a failure prints one sentence.
func TestExitStatus(t *testing.T) {
	t.Setenv("ASSAY_HOME", t.TempDir())
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	broken := filepath.Dir(file(t, "workspace.yaml", "workspace: [broken\n"))
	empty := file(t, "empty.csv", "")
	cases := []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"version"}, exitOK, "assay "},
		{[]string{"ask", "revenue in 1997"}, exitOK, "617,085.20"},
		{[]string{"ask", "delete all orders"}, exitOK, ""},
		{[]string{"ask", "qwertz asdf"}, exitOK, ""},
		{[]string{"compile", "SELECT revnue AT ()"}, exitOK, "revnue"},
		{[]string{"ask", "--workspace", nowhere, "revenue"}, exitFault, "There is no workspace at " + nowhere + ". Check the path, or make one there with: assay import --workspace DIR FILE..."},
		{[]string{"ask", "--workspace", broken, "revenue"}, exitFault, "workspace.yaml:1"},
		{[]string{"ask", "--data", nowhere, "revenue"}, exitFault, "There is no file " + nowhere + ". Check the path."},
		{[]string{"ask", "--data", empty, "revenue"}, exitFault, "empty.csv is empty. Export it again."},
		{[]string{"import", "--workspace", filepath.Join(nowhere, "w"), empty}, exitFault, "empty.csv is empty. Export it again."},
		{[]string{"session", "show", "nobody"}, exitFault, "There is no session nobody."},
		{[]string{"ask", "--nonsense", "revenue"}, exitUsage, "unknown flag: --nonsense"},
		{[]string{"frobnicate"}, exitUsage, "There is no command called frobnicate."},
		{[]string{"ask"}, exitUsage, "There is no question."},
		{[]string{"ask", "--now", "yesterday", "revenue"}, exitUsage, "yesterday is not a time."},
		{[]string{"serve", "--port", "70000"}, exitUsage, "70000 is not a port."},
		{[]string{"session", "show"}, exitUsage, "There is no session id."},
		{[]string{"import"}, exitUsage, "There is no file to import."},
		{[]string{"session", "frobnicate"}, exitUsage, "There is no command called frobnicate."},
		{[]string{"model", "frobnicate"}, exitUsage, "There is no command called frobnicate."},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var out, complaints bytes.Buffer
			status := Main(c.args, Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaints})
			said, silent := out.String(), complaints.String()
			if status != exitOK {
				said, silent = silent, said
			}
			if status != c.status || !strings.Contains(said, c.says) || silent != "" {
				t.Errorf("status %d, printed %q, complained %q; want status %d and %q", status, out.String(), complaints.String(), c.status, c.says)
			}
		})
	}
}
