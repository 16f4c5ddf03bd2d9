//go:build unix

package worker

import (
	"os"
	"os/exec"
)

// hand gives a child its ends of the pipes as the files 3 and 4: its standard streams are not for us, because there are
// statements that print.
func hand(cmd *exec.Cmd, in, out *os.File) { cmd.ExtraFiles = []*os.File{in, out} }

func handed() (in, out *os.File) { return os.NewFile(3, "calls"), os.NewFile(4, "replies") }
