package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"assay/backend/fault"
)

// canary is what must never be seen anywhere.
const canary = "sk-canary-4f1d9c7e2b"

// ring is the mock of the library with what it lacks: a lock against concurrent calls, a locked state, and calls that hang.
type ring struct {
	mu    sync.Mutex
	state error         // what Reach says
	fails error         // what calls say
	hangs chan struct{} // calls wait for it
	hung  chan struct{} // gets one for each call that waits
	calls int
}

func newRing(t *testing.T) *ring {
	keyring.MockInit()
	t.Cleanup(keyring.MockInit)
	return &ring{hung: make(chan struct{}, 1000)}
}

func (r *ring) set(state, fails error, hangs chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state, r.fails, r.hangs = state, fails, hangs
}

func (r *ring) made() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls
}

func (r *ring) begin() error {
	r.mu.Lock()
	hangs := r.hangs
	r.calls++
	r.mu.Unlock()
	if hangs != nil {
		r.hung <- struct{}{}
		<-hangs
	}
	r.mu.Lock()
	return r.fails
}

func (r *ring) Reach(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *ring) Get(service, user string) (string, error) {
	err := r.begin()
	defer r.mu.Unlock()
	if err != nil {
		return "", err
	}
	return keyring.Get(service, user)
}

func (r *ring) Set(service, user, secret string) error {
	err := r.begin()
	defer r.mu.Unlock()
	if err != nil {
		return err
	}
	return keyring.Set(service, user, secret)
}

func (r *ring) Delete(service, user string) error {
	err := r.begin()
	defer r.mu.Unlock()
	if err != nil {
		return err
	}
	return keyring.Delete(service, user)
}

// clock is turned by hand: a deadline passes when a test says so.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	waits []wait
	set   chan struct{} // gets one for each timer that was set
}

type wait struct {
	until time.Time
	c     chan time.Time
}

func newClock() *clock {
	return &clock{at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), set: make(chan struct{}, 1000)}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) after(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := wait{c.at.Add(d), make(chan time.Time, 1)}
	c.waits = append(c.waits, w)
	c.set <- struct{}{}
	return w.c
}

func (c *clock) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	for _, w := range c.waits {
		if !w.until.After(c.at) {
			select {
			case w.c <- c.at:
			default:
			}
		}
	}
}

func newStore(t *testing.T, dir string, r Ring, env map[string]string) (*Store, *clock) {
	t.Helper()
	c := newClock()
	s := New(Options{Dir: dir, Ring: r, Now: c.now, After: c.after, Getenv: func(name string) string { return env[name] }, work: 4})
	t.Cleanup(func() { s.ring.turn <- struct{}{} }) // a call that nobody waited for ends before the next test has another ring
	return s, c
}

func mustPut(t *testing.T, s *Store, id, value string) {
	t.Helper()
	if err := s.Put(t.Context(), id, value); err != nil {
		t.Fatal(err)
	}
}

func wantGet(t *testing.T, s *Store, id, value string, from Place) {
	t.Helper()
	got, at, err := s.Get(t.Context(), id)
	if err != nil || got != value || at != from {
		t.Errorf("%s: %q in %s, %v; want %q in %s", id, got, at, err, value, from)
	}
}

func wantErr(t *testing.T, err, kind error, code fault.Code) {
	t.Helper()
	if !errors.Is(err, kind) || fault.CodeOf(err) != code {
		t.Errorf("%v (%s), want %v (%s)", err, fault.CodeOf(err), kind, code)
	}
	if err != nil && strings.Contains(fault.Detail(err)+fmt.Sprintf("%+v", err), "canary") {
		t.Errorf("the error holds the secret: %v", err)
	}
}

func TestCredentialsOutliveTheProcess(t *testing.T) {
	dir, r := filepath.Join(t.TempDir(), "keys"), newRing(t)
	s, _ := newStore(t, dir, r, nil)
	_, _, err := s.Get(t.Context(), "anthropic")
	wantErr(t, err, ErrNotFound, fault.NotFound)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("looking made the folder: %v", err)
	}
	mustPut(t, s, "anthropic", " "+canary+"\n")
	mustPut(t, s, "openai", strings.Repeat("x", 40_000)) // more than any keyring takes
	if got := s.Status(t.Context()); got.Store != Keyring || got.State != Ready {
		t.Errorf("%+v", got)
	}
	again, _ := newStore(t, dir, r, nil)
	wantGet(t, again, "anthropic", canary, Keyring)
	wantGet(t, again, "openai", strings.Repeat("x", 40_000), Keyring)
	calls := r.made()
	wantGet(t, again, "anthropic", canary, Keyring)
	if r.made() != calls {
		t.Errorf("the keyring was asked %d times more", r.made()-calls)
	}
	for name, mode := range map[string]fs.FileMode{".": 0o700, vaultFile: 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if err := again.Delete(t.Context(), "anthropic"); err != nil {
		t.Error(err)
	}
	_, _, err = s.Get(t.Context(), "anthropic") // of the other process too
	wantErr(t, err, ErrNotFound, fault.NotFound)
	wantErr(t, s.Delete(t.Context(), "anthropic"), ErrNotFound, fault.NotFound)
	if err := s.Delete(t.Context(), "openai"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, vaultFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty vault stays: %v", err)
	}
	mustPut(t, again, "openai", canary) // its key is that of the vault that went
	wantGet(t, s, "openai", canary, Keyring)
}

func TestNothingIsWrittenInTheClear(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	s, _ := newStore(t, dir, r, map[string]string{"OPENAI_API_KEY": canary + "env"})
	for i := range 40 {
		mustPut(t, s, fmt.Sprintf("id%d", i), fmt.Sprintf("%s-%d", canary, i))
	}
	if err := s.Hold("held", canary); err != nil {
		t.Fatal(err)
	}
	wantGet(t, s, "openai", canary+"env", Environment)
	if err := s.UsePassphrase(t.Context(), canary+" passphrase"); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte("canary")) {
			t.Errorf("%s holds it", d.Name())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	status, _ := json.Marshal(s.Status(t.Context()))
	if bytes.Contains(status, []byte("canary")) {
		t.Errorf("%s", status)
	}
}

func TestEnvironmentGoesFirstAndIsNotKept(t *testing.T) {
	dir, env := t.TempDir(), map[string]string{"ANTHROPIC_API_KEY": " from-env ", "ASSAY_KEY_MY_OWN_1": "mine"}
	s, _ := newStore(t, dir, newRing(t), env)
	wantGet(t, s, "anthropic", "from-env", Environment)
	wantGet(t, s, "my.own-1", "mine", Environment)
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("%v", files)
	}
	mustPut(t, s, "anthropic", "kept")
	if at := s.Where("anthropic"); at != Environment {
		t.Error(at)
	}
	env["ASSAY_KEY_ANTHROPIC"] = "ours" // more particular than the one that other programs read too
	wantGet(t, s, "anthropic", "ours", Environment)
	clear(env)
	wantGet(t, s, "anthropic", "kept", Keyring)
	if at := s.Where("anthropic"); at != Keyring {
		t.Error(at)
	}
	if at := s.Where("other"); at != "" {
		t.Error(at)
	}
}

func TestWithoutAKeyringNothingIsKeptByItself(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	r.set(ErrUnavailable, nil, nil)
	s, _ := newStore(t, dir, r, nil)
	if got := s.Status(t.Context()); got.Store != Memory || got.State != Unavailable || got.Message == "" || got.Hint == "" {
		t.Errorf("%+v", got)
	}
	wantErr(t, s.Put(t.Context(), "openai", canary), ErrUnavailable, fault.Unavailable)
	if r.made() != 0 {
		t.Error("a keyring that is not there was called")
	}
	if err := s.Hold("openai", canary); err != nil {
		t.Fatal(err)
	}
	wantGet(t, s, "openai", canary, Memory)
	if _, err := os.Stat(filepath.Join(dir, vaultFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file: %v", err)
	}
	if err := s.Delete(t.Context(), "openai"); err != nil {
		t.Error(err)
	}
	_, _, err := s.Get(t.Context(), "openai")
	wantErr(t, err, ErrNotFound, fault.NotFound)
}

func TestALockedKeyringSaysSo(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	s, _ := newStore(t, dir, r, nil)
	mustPut(t, s, "openai", canary)
	s, _ = newStore(t, dir, r, nil)
	r.set(ErrLocked, errors.New("failed to unlock correct collection"), nil)
	if got := s.Status(t.Context()); got.Store != Keyring || got.State != Locked {
		t.Errorf("%+v", got)
	}
	_, _, err := s.Get(t.Context(), "openai")
	wantErr(t, err, ErrLocked, fault.Unavailable)
	wantErr(t, s.Put(t.Context(), "openai", canary), ErrLocked, fault.Unavailable)
	r.set(ErrLocked, nil, nil) // the person answers the prompt
	wantGet(t, s, "openai", canary, Keyring)
}

// A call that hangs costs one goroutine, whoever asks and however often; when it comes back in the end, its key is good.
func TestAKeyringThatHangs(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	s, _ := newStore(t, dir, r, nil)
	mustPut(t, s, "openai", canary)
	s, c := newStore(t, dir, r, nil)
	hangs := make(chan struct{})
	r.set(nil, nil, hangs)
	before := runtime.NumGoroutine()
	failed := make(chan error)
	go func() {
		_, _, err := s.Get(t.Context(), "openai")
		failed <- err
	}()
	<-c.set // to reach it
	<-c.set // to call it
	<-r.hung
	c.turn(4 * time.Second)
	select {
	case err := <-failed:
		t.Fatalf("given up too early: %v", err)
	default:
	}
	c.turn(time.Second)
	wantErr(t, <-failed, ErrTimeout, fault.Unavailable)
	for range 1000 {
		_, _, err := s.Get(t.Context(), "openai") // at once: nobody waits for it again
		wantErr(t, err, ErrTimeout, fault.Unavailable)
	}
	if got := s.Status(t.Context()); got.State != TimedOut {
		t.Errorf("%+v", got)
	}
	if now := runtime.NumGoroutine(); now > before+2 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
	c.turn(31 * time.Second) // it may be tried again, and no second call starts while the first hangs
	calls := r.made()
	go func() {
		_, _, err := s.Get(t.Context(), "openai")
		failed <- err
	}()
	<-c.set
	<-c.set
	c.turn(5 * time.Second)
	wantErr(t, <-failed, ErrTimeout, fault.Unavailable)
	if r.made() != calls {
		t.Errorf("a second call was started")
	}
	r.set(nil, nil, nil)
	close(hangs)
	for s.known() == nil { // it comes back
		runtime.Gosched()
	}
	wantGet(t, s, "openai", canary, Keyring)
}

func TestCanceledWhileTheKeyringHangs(t *testing.T) {
	r := newRing(t)
	hangs := make(chan struct{})
	defer close(hangs)
	r.set(ErrLocked, nil, hangs)
	s, _ := newStore(t, t.TempDir(), r, nil)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() { failed <- s.Put(ctx, "openai", canary) }()
	<-r.hung
	cancel()
	if err := <-failed; fault.CodeOf(err) != fault.Canceled {
		t.Error(err)
	}
}

func TestPassphrase(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	s, _ := newStore(t, dir, r, nil)
	wantErr(t, s.Unlock("whatever"), ErrNotFound, fault.NotFound)
	if err := s.UsePassphrase(t.Context(), "short"); fault.CodeOf(err) != fault.Invalid {
		t.Error(err)
	}
	mustPut(t, s, "openai", canary)
	if err := s.UsePassphrase(t.Context(), "correct horse"); err != nil {
		t.Fatal(err)
	}
	wantGet(t, s, "openai", canary, Passphrase)
	v, err := s.read()
	if err != nil || v.Sealed != Passphrase {
		t.Fatal(err)
	}
	if _, err := keyring.Get("assay", v.user()); !errors.Is(err, keyring.ErrNotFound) {
		t.Errorf("the keyring still opens it: %v", err)
	}
	r.set(ErrUnavailable, nil, nil)
	s, _ = newStore(t, dir, r, nil) // the next start
	if got := s.Status(t.Context()); got.Store != Passphrase || got.State != Locked {
		t.Errorf("%+v", got)
	}
	_, _, err = s.Get(t.Context(), "openai")
	wantErr(t, err, ErrLocked, fault.Unavailable)
	wantErr(t, s.Put(t.Context(), "anthropic", canary), ErrLocked, fault.Unavailable)
	wantErr(t, s.UsePassphrase(t.Context(), "another one"), ErrLocked, fault.Unavailable)
	for _, wrong := range []string{"", "correct", "Correct horse", "correct horse "} {
		wantErr(t, s.Unlock(wrong), ErrWrong, fault.Unauthorized)
	}
	if err := s.Unlock("correct horse"); err != nil {
		t.Fatal(err)
	}
	if got := s.Status(t.Context()); got.Store != Passphrase || got.State != Ready {
		t.Errorf("%+v", got)
	}
	mustPut(t, s, "anthropic", canary+"2")
	if err := s.UsePassphrase(t.Context(), "another one"); err != nil {
		t.Fatal(err)
	}
	wantErr(t, s.Unlock("correct horse"), ErrWrong, fault.Unauthorized)
	wantGet(t, s, "openai", canary, Passphrase)
}

func TestPassphraseWithoutAnyKeyring(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	r.set(ErrUnavailable, nil, nil)
	s, _ := newStore(t, dir, r, nil)
	if err := s.UsePassphrase(t.Context(), "correct horse"); err != nil {
		t.Fatal(err)
	}
	mustPut(t, s, "openai", canary)
	s, _ = newStore(t, dir, r, nil)
	if err := s.Unlock("correct horse"); err != nil {
		t.Fatal(err)
	}
	wantGet(t, s, "openai", canary, Passphrase)
}

// The work of scrypt that ships is what the design asks for at least.
func TestWorkOfThePassphrase(t *testing.T) {
	if s := New(Options{}); s.o.work < 18 {
		t.Error(s.o.work)
	}
	wrapped, err := wrap(newKey(), "correct horse", 18)
	if err != nil || !bytes.Contains(wrapped, []byte("-> scrypt ")) || !bytes.Contains(wrapped, []byte(" 18\n")) {
		t.Errorf("%v %.80q", err, wrapped)
	}
}

func TestBadCredentials(t *testing.T) {
	s, _ := newStore(t, t.TempDir(), newRing(t), nil)
	for _, id := range []string{"", "Big", "a/b", "../x", "a b", strings.Repeat("a", 65), ".hidden", "a\x00"} {
		if err := s.Put(t.Context(), id, "x"); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, value := range []string{"", " \n", canary + "\x00", canary + "\x1b[0m"} {
		if err := s.Put(t.Context(), "a", value); fault.CodeOf(err) != fault.Invalid || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", value, err)
		}
		if err := s.Hold("a", value); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", value, err)
		}
	}
	for n, big := range map[int]bool{2559: false, 2560: false, 2561: false, maxSecret: false, maxSecret + 1: true} {
		err := s.Put(t.Context(), "a", strings.Repeat("k", n))
		if big {
			wantErr(t, err, ErrTooBig, fault.Limit)
		} else if err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
