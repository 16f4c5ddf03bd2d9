package secret

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/zalando/go-keyring"

	"assay/backend/fault"
)

// Whatever is changed in the vault is noticed, byte by byte, and never gives another credential.
func TestTampering(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	s, _ := newStore(t, dir, r, nil)
	mustPut(t, s, "a", canary)
	mustPut(t, s, "b", canary+"b")
	path := filepath.Join(dir, vaultFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reopened := func() *Store {
		s, _ := newStore(t, dir, r, nil)
		return s
	}
	for i := range good {
		if err := os.WriteFile(path, slices.Concat(good[:i], []byte{good[i] ^ 1}, good[i+1:]), 0o600); err != nil {
			t.Fatal(err)
		}
		for id, value := range map[string]string{"a": canary, "b": canary + "b"} {
			got, _, err := reopened().Get(t.Context(), id)
			if err == nil && got != value {
				t.Fatalf("byte %d gives %q", i, got)
			}
			if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotFound) {
				t.Fatalf("byte %d: %v", i, err)
			}
		}
	}
	for _, n := range []int{0, 1, len(good) / 2, len(good) - 1} {
		if err := os.WriteFile(path, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := reopened().Get(t.Context(), "a")
		wantErr(t, err, ErrDamaged, fault.Conflict)
		wantErr(t, reopened().Put(t.Context(), "a", canary), ErrDamaged, fault.Conflict)
		wantErr(t, reopened().Delete(t.Context(), "a"), ErrDamaged, fault.Conflict)
		if got := reopened().Status(t.Context()); got.State != Damaged || got.Hint == "" {
			t.Errorf("%+v", got)
		}
	}
	// Two entries that change places are damaged both: each is bound to its id.
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	v.Entries["a"], v.Entries["b"] = v.Entries["b"], v.Entries["a"]
	v.Entries["c"] = []byte("short")
	if err := s.write(v); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c"} {
		_, _, err := reopened().Get(t.Context(), id)
		wantErr(t, err, ErrDamaged, fault.Conflict)
		if err := reopened().Delete(t.Context(), id); err != nil { // it can be forgotten all the same
			t.Error(err)
		}
	}
}

func TestAnotherKeyInTheKeyring(t *testing.T) {
	for name, change := range map[string]func(user string) error{
		"gone": func(user string) error { return keyring.Delete("assay", user) },
		"another": func(user string) error {
			return keyring.Set("assay", user, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
		},
		"no key": func(user string) error { return keyring.Set("assay", user, "hello") },
	} {
		dir, r := t.TempDir(), newRing(t)
		s, _ := newStore(t, dir, r, nil)
		mustPut(t, s, "a", canary)
		v, err := s.read()
		if err == nil {
			err = change(v.user())
		}
		if err != nil {
			t.Fatal(err)
		}
		s, _ = newStore(t, dir, r, nil)
		_, _, err = s.Get(t.Context(), "a")
		wantErr(t, err, ErrDamaged, fault.Conflict)
		wantErr(t, s.Put(t.Context(), "b", canary), ErrDamaged, fault.Conflict) // nothing is sealed with a key that is not the vault's
		if err := s.Delete(t.Context(), "a"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		mustPut(t, s, "a", canary)
		wantGet(t, s, "a", canary, Keyring)
	}
}

func TestManyWriters(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	var all sync.WaitGroup
	for i := range 8 {
		s, _ := newStore(t, dir, r, nil) // as in processes of their own
		all.Go(func() {
			for j := range 5 {
				if err := s.Put(t.Context(), fmt.Sprintf("id%d-%d", i, j), fmt.Sprintf("value %d %d", i, j)); err != nil {
					t.Error(err)
				}
				if _, _, err := s.Get(t.Context(), fmt.Sprintf("id%d-%d", i, j)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s, _ := newStore(t, dir, r, nil)
	for i := range 8 {
		for j := range 5 {
			wantGet(t, s, fmt.Sprintf("id%d-%d", i, j), fmt.Sprintf("value %d %d", i, j), Keyring)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, vaultFile+".new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

// A folder that takes nothing: an error, and what was there stays.
func TestFolderThatCannotBeWritten(t *testing.T) {
	dir, r := t.TempDir(), newRing(t)
	blocked := filepath.Join(dir, "file", "keys") // a file stands in the way: so it fails for the administrator too
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := newStore(t, blocked, r, nil)
	wantErr(t, s.Put(t.Context(), "a", canary), ErrUnavailable, fault.Unavailable)
	wantErr(t, s.UsePassphrase(t.Context(), "correct horse"), ErrUnavailable, fault.Unavailable)
	if os.Getuid() == 0 {
		return
	}
	keys := filepath.Join(dir, "keys")
	s, _ = newStore(t, keys, r, nil)
	mustPut(t, s, "a", canary)
	if err := os.Chmod(keys, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(keys, 0o700)
	wantErr(t, s.Put(t.Context(), "b", canary), ErrUnavailable, fault.Unavailable)
	wantGet(t, s, "a", canary, Keyring)
}
