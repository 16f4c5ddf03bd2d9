//go:build !unix

package worker

import (
	"os"
	"os/exec"
)

// hand gives a child its ends of the pipes as its standard streams: other files cannot be handed over here.
func hand(cmd *exec.Cmd, in, out *os.File) { cmd.Stdin, cmd.Stdout = in, out }

func handed() (in, out *os.File) {
	in, out = os.Stdin, os.Stdout
	os.Stdout = os.Stderr
	return in, out
}
