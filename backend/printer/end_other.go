//go:build !unix

package printer

import (
	"os/exec"
	"strconv"
)

// apart lets a program be ended with all that it starts.
func apart(c *exec.Cmd) {
	c.Cancel = func() error { return tree(c) }
}

func tree(c *exec.Cmd) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run()
}

// end ends what a program has left behind; where it ended by itself, nothing is known of that any more.
func end(*exec.Cmd) {}
