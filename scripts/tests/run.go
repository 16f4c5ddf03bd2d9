package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/backend/compile/dialecttest"
)

// event is one line of go test -json; the browser checks write the same.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

// run runs go test. It says what go test says without -v, and keeps every event.
func run(name string, args []string) (status int, err error) {
	env := os.Environ()
	if args[0] == "-servers" {
		args = args[1:]
		servers := dialecttest.Own()
		defer servers.Stop()
		at, err := servers.Start()
		if err != nil {
			return 0, err
		}
		env = append(env, dialecttest.At+"="+at)
	}
	if err := os.MkdirAll(times, 0o755); err != nil {
		return 0, err
	}
	kept, err := os.Create(filepath.Join(times, name+".json"))
	if err != nil {
		return 0, err
	}
	defer kept.Close()

	test := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	test.Env = env
	test.Stderr = os.Stderr
	events, err := test.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := test.Start(); err != nil {
		return 0, err
	}
	if err := tell(io.TeeReader(events, kept), os.Stdout); err != nil {
		return 0, err
	}
	if err := test.Wait(); err != nil && test.ProcessState == nil {
		return 0, err
	}
	return test.ProcessState.ExitCode(), nil
}

// tell writes the lines of packages as they end, and before them what their failed tests have said.
func tell(events io.Reader, out io.Writer) error {
	said := map[string][]string{} // of a package, or of a test of it that is not over
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			fmt.Fprintf(out, "%s", line) // not go test's own
			continue
		}
		key := e.Package + "\x00" + e.Test
		switch e.Action {
		case "output", "build-output":
			if e.Package == "" {
				fmt.Fprint(out, e.Output)
				continue
			}
			said[key] = append(said[key], e.Output)
		case "pass", "skip", "fail":
			if words := told(e, said[key]); words != "" {
				fmt.Fprint(out, words)
			}
			delete(said, key)
		}
	}
}

// told is what is printed of a test or package that has ended: a failed test's words, and a package's last line.
func told(e event, said []string) string {
	if e.Action == "fail" {
		return strings.Join(said, "")
	}
	if e.Test != "" || len(said) == 0 {
		return ""
	}
	return said[len(said)-1]
}
