//go:build linux

package secret

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/backend/fault"
)

// inSession names what a test does that runs inside a session of its own.
const inSession = "ASSAY_SECRET_IN_SESSION"

// busConfig is a session that starts no service by itself: where a keyring is installed, asking for one would start it.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

// TestRealKeyring runs the tests below in a D-Bus session with a keyring daemon of its own: unlocked, locked, and without a daemon.
func TestRealKeyring(t *testing.T) {
	if os.Getenv(inSession) != "" {
		t.Skip("this is the session")
	}
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: the keyring of a real session was not tried (make setup test installs it)", program)
		}
	}
	home := t.TempDir()
	config := filepath.Join(home, "session.conf")
	if err := os.WriteFile(config, []byte(busConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	inside := func(what, before string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), "dbus-run-session", "--config-file="+config, "--", "sh", "-c", before+`exec "$0" -test.run '^TestInSession$' -test.v`, os.Args[0])
		c.Env = append(os.Environ(), inSession+"="+what, "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_RUNTIME_DIR="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"))
		out, err := c.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestInSession") {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
	}
	// The daemon goes on to start after the command has ended.
	const ready = `n=0; until dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1; do n=$((n+1)); test $n -lt 100; sleep 0.1; done; `
	inside("unlocked", `set -e; printf test-pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null; `+ready)
	inside("again", `set -e; printf test-pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null; `+ready)
	inside("locked", `set -e; gnome-keyring-daemon --start --components=secrets </dev/null >/dev/null; `+ready)
	inside("none", ``)
}

// TestInSession is what runs inside.
func TestInSession(t *testing.T) {
	s := New(Options{Dir: filepath.Join(os.Getenv("HOME"), "keys")})
	switch os.Getenv(inSession) {
	case "":
		t.Skip("TestRealKeyring runs it in a session of its own")
	case "unlocked":
		for range 50 {
			mustPut(t, s, "anthropic", canary)
			s.key = nil // so that the keyring is asked
			wantGet(t, s, "anthropic", canary, Keyring)
		}
		if got := s.Status(t.Context()); got.Store != Keyring || got.State != Ready {
			t.Errorf("%+v", got)
		}
		mustPut(t, s, "other", canary)
		if err := s.Delete(t.Context(), "other"); err != nil {
			t.Error(err)
		}
	case "again":
		wantGet(t, s, "anthropic", canary, Keyring)
	case "locked":
		if got := s.Status(t.Context()); got.Store != Keyring || got.State != Locked {
			t.Errorf("%+v", got)
		}
		_, _, err := s.Get(t.Context(), "anthropic") // nobody is there to answer a prompt
		wantErr(t, err, ErrLocked, fault.Unavailable)
	case "none":
		if got := s.Status(t.Context()); got.Store != Memory || got.State != Unavailable {
			t.Errorf("%+v", got)
		}
		_, _, err := s.Get(t.Context(), "anthropic")
		wantErr(t, err, ErrUnavailable, fault.Unavailable)
		if err := s.Delete(t.Context(), "anthropic"); err != nil {
			t.Error(err)
		}
	}
}

// Without a session bus nothing is called, so that nobody starts a bus of their own and leaves it behind.
func TestWithoutASessionBus(t *testing.T) {
	if _, err := os.Stat("/run/user"); err == nil && busOfUser() {
		t.Skip("this user has a session bus, which cannot be taken away: what happens without one was not tried")
	}
	started := filepath.Join(t.TempDir(), "started")
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "dbus-launch"), []byte("#!/bin/sh\ntouch "+started+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	for _, address := range []string{"", "autolaunch:", "unix:path=" + filepath.Join(tools, "nobody")} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		s := New(Options{Dir: t.TempDir()})
		wantErr(t, s.Put(t.Context(), "openai", canary), ErrUnavailable, fault.Unavailable)
		if got := s.Status(t.Context()); got.State != Unavailable {
			t.Errorf("%q: %+v", address, got)
		}
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("a bus was started")
	}
}

func busOfUser() bool {
	before := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	os.Unsetenv("DBUS_SESSION_BUS_ADDRESS")
	defer os.Setenv("DBUS_SESSION_BUS_ADDRESS", before)
	return busThere()
}

// A disk that is full in the middle of writing: an error, and the vault is the one before.
func TestFullDisk(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	s, _ := newStore(t, dir, r, nil)
	mustPut(t, s, "a", canary)
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 200, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	err := s.Put(t.Context(), "b", canary)
	if restored := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); restored != nil {
		t.Fatal(restored)
	}
	wantErr(t, err, ErrUnavailable, fault.Unavailable)
	if !errors.Is(err, syscall.EFBIG) {
		t.Error(err)
	}
	wantGet(t, s, "a", canary, Keyring)
	files, err := filepath.Glob(filepath.Join(dir, vaultFile+"*"))
	if err != nil || len(files) != 1 {
		t.Errorf("%v %v", files, err)
	}
}
