package worker

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// executable names this very program, also where its file was replaced since, or stands in a folder that may not be entered.
func executable() (string, error) { return "/proc/self/exe", nil }

// limit makes the system hold this process to its settings: how much more memory it may take, and, where it may write
// nowhere, that no file grows. A process that breaks leaves no image of its memory behind.
func limit(s settings) error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("limit core files: %w", err)
	}
	if len(s.Writes) == 0 {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}); err != nil {
			return fmt.Errorf("limit files: %w", err)
		}
	}
	if s.Memory > 0 {
		most := uint64(status(os.Getpid(), "VmData:") + s.Memory)
		if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit memory: %w", err)
		}
	}
	return nil
}

// resident gives the memory of a process that is in use, in bytes; 0: not known.
func resident(pid int) int64 { return status(pid, "VmRSS:") }

// status reads a size of a process, in bytes; 0: not known.
func status(pid int, field string) int64 {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(raw) {
		if rest, ok := bytes.CutPrefix(line, []byte(field)); ok {
			kilobytes, _ := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("kB")))), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// startConfined starts a child that can gain no privileges, may write in the given folders and nowhere else, and may open no
// network connection: as far as this kernel can promise it (Landlock). What a thread gave up, what it starts has given up
// too, and cannot take back; the thread is thrown away after that.
func startConfined(cmd *exec.Cmd, writes []string) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err == nil {
			_ = confine(writes) // a kernel without it: the other lines hold
		}
		started <- cmd.Start()
	}()
	return <-started
}

// writeRights are those that change files, by the version of the interface that has them first.
var writeRights = []struct {
	since  int
	rights uint64
}{
	{1, unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM},
	{2, unix.LANDLOCK_ACCESS_FS_REFER},
	{3, unix.LANDLOCK_ACCESS_FS_TRUNCATE},
}

// confine takes from this thread, and from all that it starts, the right to change files outside of some folders and to
// open network connections.
func confine(writes []string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errno
	}
	rules := unix.LandlockRulesetAttr{}
	for _, w := range writeRights {
		if int(version) >= w.since {
			rules.Handled_access_fs |= w.rights
		}
	}
	if version >= 4 {
		rules.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	size := unsafe.Offsetof(rules.Scoped) // what is set of it
	if version < 4 {
		size = unsafe.Offsetof(rules.Handled_access_net) // older kernels know no more
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	for _, folder := range append([]string{"/dev/null"}, writes...) {
		if err := allow(int(fd), folder, rules.Handled_access_fs); err != nil {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allow lets everything that rights say be done below a folder, or to a file.
func allow(ruleset int, path string, rights uint64) error {
	f, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(f)
	var info unix.Stat_t
	if err := unix.Fstat(f, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(f)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
