// Package git writes files of a workspace onto branches of the git repository in which it lies, for people to review and merge with the tools that they have. The working copy, the index and
// the branch that is checked out are never touched.
package git

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/text"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Change is one file of a folder that lies in a repository, as it is to be.
type Change struct {
	Dir     string // the folder
	File    string // relative to it, with slashes
	Text    []byte // nil: the file goes
	Branch  string // a new one, that begins where HEAD stands; one that is there and holds just this is taken as it is
	Message string // of the commit: a subject, and a body behind an empty line
	Actor   string // whose commit it is, where the repository's configuration names nobody
	At      time.Time
}

// Written is what was made of a change.
type Written struct {
	Branch string `json:"branch"`
	Commit string `json:"commit" doc:"Its hash"`
	File   string `json:"file" doc:"Relative to the repository's folder"`
	Patch  string `json:"patch" doc:"The commit as a mail, for git am"`
}

// Inside says whether a folder lies in a repository that has a commit.
func Inside(dir string) bool {
	_, _, _, err := open(dir)
	return err == nil
}

// Propose writes a change as one commit onto its branch. Faults: NotFound: the folder lies in no repository, or in one without a working copy or without a commit; Conflict: the branch is there and
// holds something else, or the file is already as it is to be; Unavailable: the repository cannot be read or written.
func Propose(c Change) (Written, error) {
	repo, root, head, err := open(c.Dir)
	if err != nil {
		return Written{}, err
	}
	inside, err := filepath.Rel(root, c.Dir)
	if err != nil || strings.HasPrefix(inside, "..") {
		return Written{}, broken(err)
	}
	w := Written{Branch: c.Branch, File: path.Join(filepath.ToSlash(inside), c.File)}
	parent, err := repo.CommitObject(head)
	if err != nil {
		return w, broken(err)
	}
	tree, err := parent.Tree()
	if err != nil {
		return w, broken(err)
	}
	root2, err := put(repo, tree, strings.Split(w.File, "/"), c.Text)
	switch {
	case err != nil:
		return w, broken(err)
	case root2 == tree.Hash:
		return w, fault.New(fault.Conflict, "write branch", text.Say("git.already", "file", w.File), text.Say("git.already_hint"))
	}
	name := plumbing.NewBranchReferenceName(c.Branch)
	before, err := repo.Reference(name, true)
	if err == nil {
		is, err := stands(repo, before.Hash(), parent, w.File, c.Text)
		switch {
		case err != nil:
			return w, broken(err)
		case is == other:
			return w, fault.New(fault.Conflict, "write branch", text.Say("git.taken", "branch", w.Branch), text.Say("git.taken_hint"))
		case is == written:
			w.Commit = before.Hash().String()
			w.Patch, err = patchOf(repo, before.Hash())
			return w, err
		}
	} else {
		before = nil
	}
	who := signature(repo, c.Actor, c.At)
	commit := &object.Commit{Author: who, Committer: who, Message: c.Message, TreeHash: root2, ParentHashes: []plumbing.Hash{head}}
	hash, err := store(repo, commit)
	if err != nil {
		return w, broken(err)
	}
	if err := repo.Storer.CheckAndSetReference(plumbing.NewHashReference(name, hash), before); err != nil {
		return w, broken(err)
	}
	w.Commit = hash.String()
	w.Patch, err = patchOf(repo, hash)
	return w, err
}

// open finds the repository of a folder, its own folder, and the commit that is checked out.
func open(dir string) (repo *gogit.Repository, root string, head plumbing.Hash, err error) {
	repo, err = gogit.PlainOpenWithOptions(dir, &gogit.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if errors.Is(err, gogit.ErrRepositoryNotExists) {
		return nil, "", head, fault.New(fault.NotFound, "open repository", text.Say("git.none"), text.Say("git.none_hint"))
	}
	if err != nil {
		return nil, "", head, broken(err)
	}
	copied, err := repo.Worktree()
	if err != nil { // a bare one
		return nil, "", head, fault.New(fault.NotFound, "open repository", text.Say("git.none"), text.Say("git.none_hint"))
	}
	ref, err := repo.Head()
	if err != nil {
		return nil, "", head, fault.New(fault.NotFound, "open repository", text.Say("git.no_commit"), text.Say("git.no_commit_hint"))
	}
	return repo, copied.Filesystem.Root(), ref.Hash(), nil
}

// What a branch that is there already holds.
const (
	other   = iota // something that is not to be lost
	written        // the change, and nothing else, behind some commit: it was written before
	merged         // nothing that is not checked out
)

// stands says what a branch holds at its tip, beside what is checked out and the change that is to be written.
func stands(repo *gogit.Repository, at plumbing.Hash, head *object.Commit, file string, content []byte) (int, error) {
	tip, err := repo.CommitObject(at)
	if err != nil {
		return other, err
	}
	if in, err := tip.IsAncestor(head); err != nil || in {
		return merged, err
	}
	if tip.NumParents() != 1 {
		return other, nil
	}
	parent, err := tip.Parent(0)
	if err != nil {
		return other, err
	}
	tree, err := parent.Tree()
	if err != nil {
		return other, err
	}
	root, err := put(repo, tree, strings.Split(file, "/"), content)
	if err == nil && root == tip.TreeHash && root != tree.Hash {
		return written, nil
	}
	return other, err
}

// put stores a tree with a file written, or taken out, and gives its hash. nil stands for a folder that is not there.
func put(repo *gogit.Repository, tree *object.Tree, parts []string, content []byte) (plumbing.Hash, error) {
	var entries []object.TreeEntry
	if tree != nil {
		entries = slices.Clone(tree.Entries)
	}
	at := slices.IndexFunc(entries, func(e object.TreeEntry) bool { return e.Name == parts[0] })
	entry := object.TreeEntry{Name: parts[0], Mode: filemode.Regular}
	gone := content == nil
	switch {
	case len(parts) > 1:
		var below *object.Tree
		if at >= 0 {
			var err error
			if below, err = repo.TreeObject(entries[at].Hash); err != nil {
				return plumbing.ZeroHash, err
			}
		}
		hash, err := put(repo, below, parts[1:], content)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		entry.Mode, entry.Hash, gone = filemode.Dir, hash, hash == plumbing.ZeroHash
	case content != nil:
		blob := repo.Storer.NewEncodedObject()
		blob.SetType(plumbing.BlobObject)
		w, err := blob.Writer()
		if err != nil {
			return plumbing.ZeroHash, err
		}
		_, err = w.Write(content)
		if err = errors.Join(err, w.Close()); err != nil {
			return plumbing.ZeroHash, err
		}
		if entry.Hash, err = repo.Storer.SetEncodedObject(blob); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	switch {
	case gone && at >= 0:
		entries = slices.Delete(entries, at, at+1)
	case gone:
	case at >= 0:
		entries[at] = entry
	default:
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return plumbing.ZeroHash, nil
	}
	slices.SortFunc(entries, func(a, b object.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	return store(repo, &object.Tree{Entries: entries})
}

// sortName is what git sorts an entry of a tree by.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// store keeps a tree or a commit.
func store(repo *gogit.Repository, o interface {
	Encode(plumbing.EncodedObject) error
},
) (plumbing.Hash, error) {
	encoded := repo.Storer.NewEncodedObject()
	if err := o.Encode(encoded); err != nil {
		return plumbing.ZeroHash, err
	}
	return repo.Storer.SetEncodedObject(encoded)
}

// signature is whose commit it is: who the repository's configuration names, else the actor.
func signature(repo *gogit.Repository, actor string, at time.Time) object.Signature {
	s := object.Signature{Name: actor, Email: "assay@localhost", When: at}
	if c, err := repo.ConfigScoped(config.GlobalScope); err == nil && c.User.Name != "" && c.User.Email != "" {
		s.Name, s.Email = c.User.Name, c.User.Email
	}
	return s
}

// patchOf writes a commit as a mail, as git format-patch does.
func patchOf(repo *gogit.Repository, hash plumbing.Hash) (string, error) {
	commit, err := repo.CommitObject(hash)
	if err != nil {
		return "", broken(err)
	}
	parent, err := commit.Parent(0)
	if err != nil {
		return "", broken(err)
	}
	diff, err := parent.Patch(commit)
	if err != nil {
		return "", broken(err)
	}
	subject, body, _ := strings.Cut(commit.Message, "\n")
	if body = strings.TrimSpace(body); body != "" {
		body += "\n"
	}
	return fmt.Sprintf("From %s Mon Sep 17 00:00:00 2001\nFrom: %s <%s>\nDate: %s\nSubject: [PATCH] %s\n\n%s---\n%s-- \nAssay\n",
		hash, commit.Author.Name, commit.Author.Email, commit.Author.When.Format(time.RFC1123Z), subject, body, diff), nil
}

func broken(err error) error {
	return fault.Wrap(fault.Unavailable, "use repository", text.Say("git.broken"), text.Say("git.broken_hint"), err)
}
