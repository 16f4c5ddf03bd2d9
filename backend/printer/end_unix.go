//go:build unix

package printer

import (
	"os/exec"
	"syscall"
)

// apart gives a program a group of its own, so that it can be ended with all that it starts.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// end ends what a program has left behind.
func end(c *exec.Cmd) {
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // mostly nothing is left
	}
}
