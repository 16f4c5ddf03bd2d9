//go:build !linux

package worker

import (
	"os"
	"os/exec"
)

func executable() (string, error) { return os.Executable() }

// limit: these systems keep no limit on memory that holds, so the parent watches alone.
func limit(settings) error { return nil }

// resident gives the memory of a process that is in use, in bytes; 0: not known.
func resident(int) int64 { return 0 }

func startConfined(cmd *exec.Cmd, _ []string) error { return cmd.Start() }
