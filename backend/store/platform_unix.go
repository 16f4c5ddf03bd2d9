//go:build unix

package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// inodeOf tells a file from the one that replaced it.
func inodeOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ino
	}
	return 0
}

// noSpace says whether a write failed because there is no room: the disk, the quota or the limit on a file's size.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

func readOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// lockedElsewhere says whether another process holds a file for writing, as DuckDB does.
func lockedElsewhere(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	lock := syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart}
	return syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock) == nil && lock.Type != syscall.F_UNLCK
}
