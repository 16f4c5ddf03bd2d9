package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

var (
	now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	who = &object.Signature{Name: "t", Email: "t@localhost", When: now}
)

func file(t *testing.T, dir, name, body string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
}

// repository makes one whose workspace lies in a folder of it.
func repository(t *testing.T) (*gogit.Repository, string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir()) // nobody's configuration
	root := t.TempDir()
	repo, err := gogit.PlainInit(root, false)
	if err != nil {
		t.Fatal(err)
	}
	file(t, root, "team/ws/workspace.yaml", "workspace: ws\n")
	file(t, root, "team/ws/context/terms/a.yaml", "term: a\n")
	file(t, root, "team/ws/context/terms.md", "beside a folder that sorts near it\n")
	copied, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	if err := copied.AddWithOptions(&gogit.AddOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := copied.Commit("first", &gogit.CommitOptions{Author: who}); err != nil {
		t.Fatal(err)
	}
	return repo, filepath.Join(root, "team", "ws")
}

func change(dir, name, body string) Change {
	return Change{Dir: dir, File: name, Text: []byte(body), Branch: "assay/" + filepath.Base(name), Message: "Say it\n\nBecause.\n", Actor: "gil", At: now}
}

// TestABranchHoldsOneChange: what was there stays, what was written is there, and the working copy with what somebody works on in it is as it was.
func TestABranchHoldsOneChange(t *testing.T) {
	repo, dir := repository(t)
	file(t, dir, "workspace.yaml", "workspace: ws # not committed\n")
	before, _ := repo.Head()
	w, err := Propose(change(dir, "context/terms/b.yaml", "term: b\n"))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	for _, want := range []string{"From " + w.Commit + " Mon Sep 17", "From: gil <assay@localhost>", "Subject: [PATCH] Say it\n\nBecause.\n---\n", "+++ b/team/ws/context/terms/b.yaml", "+term: b"} {
		if !strings.Contains(w.Patch, want) {
			t.Errorf("the patch does not say %q:\n%s", want, w.Patch)
		}
	}
	if after, _ := repo.Head(); after.Hash() != before.Hash() || w.File != "team/ws/context/terms/b.yaml" {
		t.Errorf("HEAD moved, or %s", w.File)
	}
	if raw, _ := os.ReadFile(filepath.Join(dir, "workspace.yaml")); !strings.Contains(string(raw), "not committed") {
		t.Error("the working copy was touched")
	}
	commit, err := repo.CommitObject(plumbing.NewHash(w.Commit))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	files, err := commit.Files()
	if err != nil {
		t.Fatal(err)
	}
	_ = files.ForEach(func(f *object.File) error { names[f.Name] = true; return nil })
	if len(names) != 4 || !names["team/ws/context/terms/a.yaml"] || !names["team/ws/context/terms.md"] {
		t.Errorf("the commit has %v", names)
	}
	tree, err := commit.Tree()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.File("team/ws/context/terms/b.yaml"); err != nil { // git finds it only where trees are sorted
		t.Error(err)
	}

	again, err := Propose(change(dir, "context/terms/b.yaml", "term: b\n"))
	if err != nil || again.Commit != w.Commit || again.Patch != w.Patch {
		t.Errorf("written again: %+v, %v", again, err)
	}
	if _, err := Propose(change(dir, "context/terms/b.yaml", "term: other\n")); fault.CodeOf(err) != fault.Conflict || !strings.Contains(err.Error(), "assay/b.yaml") {
		t.Errorf("over a branch that holds something else: %v", err)
	}
	if _, err := Propose(change(dir, "context/terms/a.yaml", "term: a\n")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("what is there already: %v", err)
	}
	gone := change(dir, "context/terms/a.yaml", "")
	gone.Text = nil
	if w, err := Propose(gone); err != nil || !strings.Contains(w.Patch, "-term: a") {
		t.Errorf("the removal: %s, %v", w.Patch, err)
	}
}

// TestABranchThatWasWrittenBefore is taken as it is where others went on beside it, and written anew once it is merged.
func TestABranchThatWasWrittenBefore(t *testing.T) {
	repo, dir := repository(t)
	first, err := Propose(change(dir, "context/terms/b.yaml", "term: b\n"))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	copied, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	commit := func(name, body string) {
		t.Helper()
		file(t, dir, name, body)
		if err := copied.AddWithOptions(&gogit.AddOptions{All: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := copied.Commit("more", &gogit.CommitOptions{Author: who}); err != nil {
			t.Fatal(err)
		}
	}
	commit("other.md", "of somebody else\n")
	if again, err := Propose(change(dir, "context/terms/b.yaml", "term: b\n")); err != nil || again.Commit != first.Commit || again.Patch != first.Patch {
		t.Errorf("beside it: %+v, %v", again, err)
	}
	head, err := repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	if err := repo.Storer.SetReference(plumbing.NewHashReference(plumbing.NewBranchReferenceName("assay/b.yaml"), head.Hash())); err != nil { // merged
		t.Fatal(err)
	}
	commit("another.md", "of somebody else\n")
	if anew, err := Propose(change(dir, "context/terms/b.yaml", "term: b\n")); err != nil || anew.Commit == first.Commit || !strings.Contains(anew.Patch, "+term: b") {
		t.Errorf("once it is merged: %+v, %v", anew, err)
	}
}

// TestWithoutARepository: what is missing is said, and nothing is made.
func TestWithoutARepository(t *testing.T) {
	dir := t.TempDir()
	if _, err := Propose(change(dir, "a.yaml", "a")); fault.CodeOf(err) != fault.NotFound || !strings.Contains(err.Error(), "no git repository") {
		t.Errorf("%v", err)
	}
	if _, err := gogit.PlainInit(dir, false); err != nil {
		t.Fatal(err)
	}
	if _, err := Propose(change(dir, "a.yaml", "a")); fault.CodeOf(err) != fault.NotFound || !strings.Contains(err.Error(), "no commit") {
		t.Errorf("%v", err)
	}
	bare := t.TempDir()
	if _, err := gogit.PlainInit(bare, true); err != nil {
		t.Fatal(err)
	}
	if _, err := Propose(change(bare, "a.yaml", "a")); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
	repo, ws := repository(t)
	head, err := repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	hash := head.Hash().String()
	root := filepath.Dir(filepath.Dir(ws))
	if err := os.Truncate(filepath.Join(root, ".git", "objects", hash[:2], hash[2:]), 0); err != nil {
		if err := os.Remove(filepath.Join(root, ".git", "objects", hash[:2], hash[2:])); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Propose(change(ws, "a.yaml", "a")); err == nil || fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a damaged one: %v", err)
	}
}

// TestALinkedWorktree: a workspace in a worktree beside the repository writes its branch into that repository.
func TestALinkedWorktree(t *testing.T) {
	repo, folder := repository(t)
	linked := filepath.Join(t.TempDir(), "linked")
	if out, err := exec.Command("git", "-C", folder, "worktree", "add", "-q", "-b", "side", linked).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	w, err := Propose(change(filepath.Join(linked, "team", "ws"), "context/terms/b.yaml", "term: b\n"))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if ref, err := repo.Reference(plumbing.NewBranchReferenceName(w.Branch), true); err != nil || ref.Hash().String() != w.Commit {
		t.Errorf("%v, %v", ref, err)
	}
}
