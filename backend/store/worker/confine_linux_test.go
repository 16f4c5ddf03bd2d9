package worker

import "golang.org/x/sys/unix"

// confinable says whether this kernel can keep a process in its folders.
func confinable() bool {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	return errno == 0 && version > 0
}
