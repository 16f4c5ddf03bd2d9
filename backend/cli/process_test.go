package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// assay gives a command that runs this test binary as `assay` in a process of its own, with an empty home.
func assay(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	return program(t, "assay", home, args...)
}

// program does the same under the name of one of the programs of TestMain.
func program(t *testing.T, name, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name) // TestMain goes by the name
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "ASSAY_HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(c.Dir, "config"), "DISPLAY=", "WAYLAND_DISPLAY=")
	return c
}

// What a child process takes away from itself before it begins.
const (
	nobodyEnv    = "ASSAY_TEST_NOBODY"     // set: the rights of root
	fileLimitEnv = "ASSAY_TEST_FILE_LIMIT" // bytes that a file may have: stands for a full disk where none can be mounted
)

// confine runs first in a process that is `assay`.
func confine() {
	if os.Getenv(nobodyEnv) != "" && os.Geteuid() == 0 {
		if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			panic(err)
		}
	}
	if s := os.Getenv(fileLimitEnv); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			panic(err)
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
	}
}

// outcome is what a process said and how it ended.
type outcome struct {
	stdout, stderr string
	status         int
	peak           int64 // resident memory at most, in bytes
}

// patience is how long a process may take before it counts as hanging.
const patience = 2 * time.Minute

func run(t *testing.T, c *exec.Cmd) outcome {
	t.Helper()
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
	_ = c.Wait() // its status says how it went
	if !hung.Stop() {
		t.Errorf("%v did not end", c.Args[1:])
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	return outcome{out.String(), complaints.String(), c.ProcessState.ExitCode(), usage.Maxrss * 1024}
}

// complains checks that a command failed with a sentence and nothing else, and shows the sentence.
func (o outcome) complains(t *testing.T, status int, sentence string) {
	t.Helper()
	t.Log(strings.TrimSpace(o.stderr))
	if o.status != status || !strings.Contains(o.stderr, sentence) || o.stdout != "" {
		t.Errorf("status %d, said %q, printed %.300q; want status %d and %q", o.status, o.stderr, o.stdout, status, sentence)
	}
	if strings.Contains(o.stderr, "goroutine") || strings.Contains(o.stderr, "{") || strings.Count(strings.TrimSpace(o.stderr), "\n") > 0 {
		t.Errorf("not one sentence: %q", o.stderr)
	}
}

// says checks that a command went well.
func (o outcome) says(t *testing.T, words string) {
	t.Helper()
	if o.status != exitOK || !strings.Contains(o.stdout, words) {
		t.Errorf("status %d, printed %.300q, complained %q; want %q", o.status, o.stdout, o.stderr, words)
	}
}

// file writes a file into a folder of the test and gives its path.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
