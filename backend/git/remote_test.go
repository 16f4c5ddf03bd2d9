package git

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/backend/fault"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
)

// shared makes a bare repository and clones of it, each with a folder "exchange".
func shared(t *testing.T, clones int) (bare string, folders []string) {
	t.Helper()
	repo, _ := repository(t)
	copied, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	root := copied.Filesystem.Root()
	file(t, root, "exchange/README", "bundles of colleagues\n")
	if _, err := copied.Add("exchange/README"); err != nil {
		t.Fatal(err)
	}
	if _, err := copied.Commit("a folder for all", &gogit.CommitOptions{Author: who}); err != nil {
		t.Fatal(err)
	}
	bare = t.TempDir()
	if _, err := gogit.PlainClone(bare, true, &gogit.CloneOptions{URL: root}); err != nil {
		t.Fatal(err)
	}
	for range clones {
		dir := t.TempDir()
		if _, err := gogit.PlainClone(dir, false, &gogit.CloneOptions{URL: bare}); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, filepath.Join(dir, "exchange"))
	}
	return bare, folders
}

func own(name, body string) Change {
	return Change{File: name, Text: []byte(body), Message: "Bundle of " + name, Actor: name, At: now}
}

func namesOf(files map[string][]byte) string {
	return strings.Join(slices.Sorted(maps.Keys(files)), " ")
}

// TestEachWritesTheirOwnFile: at the same time, into one branch, with working copies that are dirty or behind: all of it arrives, nothing of others goes, and nothing that is checked out changes.
func TestEachWritesTheirOwnFile(t *testing.T) {
	_, folders := shared(t, 3)
	file(t, folders[0], "README", "changed, and not committed\n")
	file(t, folders[1], "c.bundle", "in the way\n")
	before := headOf(t, folders[0])
	var all sync.WaitGroup
	for i, dir := range folders {
		all.Go(func() {
			name := string(rune('a'+i)) + ".bundle"
			if _, err := (Remote{Dir: dir, Name: "origin"}).Push(t.Context(), own(name, "one\n")); err != nil {
				t.Error(fault.Detail(err))
			}
		})
	}
	all.Wait()
	for _, dir := range folders {
		files, err := Remote{Dir: dir, Name: "origin"}.Fetch(t.Context(), ".bundle", 3)
		if err != nil || namesOf(files) != "a.bundle b.bundle c.bundle" || string(files["b.bundle"]) != "one\n" {
			t.Errorf("%q, %v", files, err)
		}
	}
	if after := headOf(t, folders[0]); after != before {
		t.Errorf("the branch here went from %s to %s", before, after)
	}
	if got, err := os.ReadFile(filepath.Join(folders[0], "README")); err != nil || string(got) != "changed, and not committed\n" {
		t.Errorf("the working copy says %q, %v", got, err)
	}
	// Again: what is there is no commit, what is new is one.
	r := Remote{Dir: folders[1], Name: "origin"}
	same, err := r.Push(t.Context(), own("b.bundle", "one\n"))
	again, err2 := r.Push(t.Context(), own("b.bundle", "two\n"))
	if err != nil || err2 != nil || same == again {
		t.Errorf("%s, %v, then %s, %v", same, err, again, err2)
	}
	if files, err := r.Fetch(t.Context(), ".bundle", 1); err != nil || string(files["b.bundle"]) != "tw" {
		t.Errorf("%q, %v", files, err)
	}
}

func headOf(t *testing.T, dir string) string {
	t.Helper()
	repo, err := gogit.PlainOpenWithOptions(dir, &gogit.PlainOpenOptions{DetectDotGit: true})
	if err != nil {
		t.Fatal(err)
	}
	head, err := repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	return head.Hash().String()
}

// TestAnEmptyRemote takes a first file, and one without the branch is not given what somebody has not pushed.
func TestAnEmptyRemote(t *testing.T) {
	bare, dir := t.TempDir(), t.TempDir()
	if _, err := gogit.PlainInit(bare, true); err != nil {
		t.Fatal(err)
	}
	repo, err := gogit.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.CreateRemote(&config.RemoteConfig{Name: "team", URLs: []string{bare}}); err != nil {
		t.Fatal(err)
	}
	r := Remote{Dir: dir, Name: "team"}
	if files, err := r.Fetch(t.Context(), "", 9); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
	if _, err := r.Push(t.Context(), own("a.bundle", "one\n")); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if files, err := r.Fetch(t.Context(), "", 9); err != nil || namesOf(files) != "a.bundle" {
		t.Errorf("%v, %v", files, err)
	}

	unpushed, folder := repository(t)
	other := t.TempDir()
	if _, err := gogit.PlainInit(other, true); err != nil {
		t.Fatal(err)
	}
	if _, err := unpushed.CreateRemote(&config.RemoteConfig{Name: "team", URLs: []string{other}}); err != nil {
		t.Fatal(err)
	}
	if _, err := (Remote{Dir: folder, Name: "team"}).Push(t.Context(), own("a.bundle", "one\n")); fault.CodeOf(err) != fault.Conflict {
		t.Error(err)
	}
}

// TestRemotesThatCannotBeUsed are each said.
func TestRemotesThatCannotBeUsed(t *testing.T) {
	_, folders := shared(t, 1)
	repo, err := gogit.PlainOpenWithOptions(folders[0], &gogit.PlainOpenOptions{DetectDotGit: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, url := range map[string]string{"gone": filepath.Join(t.TempDir(), "nowhere"), "closed": "http://ann:secret@127.0.0.1:1/x.git"} {
		if _, err := repo.CreateRemote(&config.RemoteConfig{Name: name, URLs: []string{url}}); err != nil {
			t.Fatal(err)
		}
		_, err := Remote{Dir: folders[0], Name: name}.Fetch(t.Context(), "", 9)
		if fault.CodeOf(err) != fault.Unavailable || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if address, local, err := (Remote{Dir: folders[0], Name: "closed"}).Address(); err != nil || local || address != "http://127.0.0.1:1/x.git" {
		t.Error(address, local, err)
	}
	if _, local, err := (Remote{Dir: folders[0], Name: "origin"}).Address(); err != nil || !local {
		t.Error(local, err)
	}
	for _, r := range []Remote{{Dir: folders[0], Name: "none"}, {Dir: t.TempDir(), Name: "origin"}} {
		if _, _, err := r.Address(); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%+v: %v", r, err)
		}
	}
	// What is pushed elsewhere than it is fetched from goes nowhere: which place would be said?
	if _, err := repo.CreateRemote(&config.RemoteConfig{Name: "two", URLs: []string{t.TempDir(), "https://git.example.com/team.git"}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (Remote{Dir: folders[0], Name: "two"}).Address(); fault.CodeOf(err) != fault.Conflict {
		t.Error(err)
	}
	// A folder whose name begins with a dot is that folder.
	hidden := filepath.Join(folders[0], ".bundles")
	if err := os.MkdirAll(hidden, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := (Remote{Dir: hidden, Name: "origin"}).Push(t.Context(), own("a.bundle", "hidden")); err != nil {
		t.Error(fault.Detail(err))
	}
	if files, err := (Remote{Dir: hidden, Name: "origin"}).Fetch(t.Context(), ".bundle", 99); err != nil || string(files["a.bundle"]) != "hidden" {
		t.Errorf("%s, %v", files, err)
	}
	if files, err := (Remote{Dir: filepath.Join(folders[0], "bundles"), Name: "origin"}).Fetch(t.Context(), ".bundle", 99); err != nil || len(files) != 0 {
		t.Errorf("%s, %v", files, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Remote{Dir: folders[0], Name: "origin"}).Push(ended, own("a.bundle", "x")); fault.CodeOf(err) != fault.Canceled {
		t.Error(err)
	}
	head, err := repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	if err := repo.Storer.SetReference(plumbing.NewHashReference(plumbing.HEAD, head.Hash())); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (Remote{Dir: folders[0], Name: "origin"}).Address(); fault.CodeOf(err) != fault.Conflict {
		t.Error(err)
	}
}
