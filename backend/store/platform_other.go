//go:build !unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// inodeOf has nothing to say where files have no inode; size and time tell two catalogues apart.
func inodeOf(fs.FileInfo) uint64 { return 0 }

// noSpace knows ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL of Windows.
func noSpace(err error) bool {
	return errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112))
}

// readOnly knows ERROR_WRITE_PROTECT of Windows.
func readOnly(err error) bool { return errors.Is(err, syscall.Errno(19)) }

// lockedElsewhere says whether another process keeps a file from being opened.
func lockedElsewhere(path string) bool {
	f, err := os.Open(path)
	if err == nil {
		f.Close()
	}
	return err != nil
}
