package git

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
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
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/transport"
)

// Remote is a folder of a repository as the branch that is checked out has it elsewhere. Of the repository that lies here only the configuration is read and the objects are added to: whether its working copy is
// clean, and what is on its branches, does not matter and does not change.
type Remote struct {
	Dir  string // the folder
	Name string // of the remote, in the configuration of its repository
}

const (
	mostPushes  = 5                // somebody else may be faster
	mostFetched = 256 << 20        // bytes of all files together
	remoteWait  = 60 * time.Second // for one answer of the other side
)

// there is a remote as it was opened.
type there struct {
	repo           *gogit.Repository
	remote         *gogit.Remote
	branch, folder string // folder: relative to the repository's, with slashes; empty: that itself
	address        string
	local          bool
}

// Address says where the other side is, without a password, and whether it is on this machine. Faults: NotFound: the folder lies in no repository, or that has no such remote; Conflict: no branch is checked out, or it is pushed
// to another place than it is fetched from.
func (r Remote) Address() (address string, local bool, err error) {
	at, err := r.open()
	return at.address, at.local, err
}

func (r Remote) open() (at there, err error) {
	at.repo, err = gogit.PlainOpenWithOptions(r.Dir, &gogit.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	none := fault.New(fault.NotFound, "open repository", text.Say("git.no_remote", "name", r.Name), text.Say("git.no_remote_hint"))
	if errors.Is(err, gogit.ErrRepositoryNotExists) {
		return at, none
	}
	if err != nil {
		return at, broken(err)
	}
	copied, err := at.repo.Worktree()
	if err != nil { // a bare one
		return at, none
	}
	if at.folder, err = filepath.Rel(copied.Filesystem.Root(), r.Dir); err != nil || at.folder == ".." || strings.HasPrefix(at.folder, ".."+string(filepath.Separator)) {
		return at, none
	}
	if at.folder = filepath.ToSlash(at.folder); at.folder == "." {
		at.folder = ""
	}
	if at.remote, err = at.repo.Remote(r.Name); err != nil || len(at.remote.Config().URLs) == 0 {
		return at, none
	}
	head, err := at.repo.Reference(plumbing.HEAD, false)
	if err != nil || head.Type() != plumbing.SymbolicReference || !head.Target().IsBranch() {
		return at, fault.New(fault.Conflict, "open repository", text.Say("git.detached"), text.Say("git.detached_hint"))
	}
	at.branch = head.Target().Short()
	urls := at.remote.Config().URLs // with that which is pushed to, where it is another one
	for _, u := range urls {
		if u != urls[0] {
			return at, fault.New(fault.Conflict, "open repository", text.Say("git.two_addresses", "name", r.Name), text.Say("git.two_addresses_hint"))
		}
	}
	at.address, at.local, err = shownAddress(urls[0])
	return at, err
}

// shownAddress gives an address without a name and a password, and says whether it is on this machine.
func shownAddress(raw string) (string, bool, error) {
	end, err := transport.NewEndpoint(raw)
	if err != nil {
		return "", false, broken(err)
	}
	if end.Protocol == "file" {
		return end.Path, true, nil
	}
	if u, err := url.Parse(raw); err == nil && u.User != nil {
		u.User = nil
		return u.String(), false, nil
	}
	return raw, false, nil
}

// Fetch gives the files of the folder whose names end so, by their names, as the other side has them. One that is larger than most bytes is given as far as that and one byte more. Faults: those of Address;
// Unavailable: the other side cannot be asked; Limit: there is more than can be; Canceled.
func (r Remote) Fetch(ctx context.Context, ending string, most int64) (map[string][]byte, error) {
	at, err := r.open()
	if err != nil {
		return nil, err
	}
	tip, err := at.fetch(ctx)
	if err != nil || tip == nil {
		return nil, err
	}
	tree, err := tip.Tree()
	if err == nil && at.folder != "" {
		tree, err = tree.Tree(at.folder)
	}
	if errors.Is(err, object.ErrDirectoryNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, broken(err)
	}
	files, bytes := map[string][]byte{}, int64(0)
	for _, e := range tree.Entries {
		if !e.Mode.IsFile() || !strings.HasSuffix(e.Name, ending) {
			continue
		}
		if bytes > mostFetched {
			return nil, fault.New(fault.Limit, "fetch", text.Say("git.fetched_much", "folder", cmp.Or(at.folder, "/"), "address", at.address), text.Say("git.fetched_much_hint", "ending", ending))
		}
		blob, err := at.repo.BlobObject(e.Hash)
		if err != nil {
			return nil, broken(err)
		}
		if files[e.Name], err = readBlob(blob, most+1); err != nil {
			return nil, broken(err)
		}
		bytes += int64(len(files[e.Name])) + 1
	}
	return files, nil
}

func readBlob(b *object.Blob, most int64) ([]byte, error) {
	in, err := b.Reader()
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(in, most))
	return raw, errors.Join(err, in.Close())
}

// fetch gives the commit on which the branch stands elsewhere; nil: there is nothing yet, here nor there.
func (at there) fetch(ctx context.Context) (*object.Commit, error) {
	ctx, cancel := context.WithTimeout(ctx, remoteWait)
	defer cancel()
	name := at.ref("there")
	spec := config.RefSpec("+" + plumbing.NewBranchReferenceName(at.branch).String() + ":" + name.String())
	err := at.remote.FetchContext(ctx, &gogit.FetchOptions{RemoteName: at.remote.Config().Name, RefSpecs: []config.RefSpec{spec}, Tags: gogit.NoTags})
	switch {
	case errors.Is(err, transport.ErrEmptyRemoteRepository), errors.Is(err, gogit.NoMatchingRefSpecError{}):
		if _, err := at.repo.Head(); err == nil {
			return nil, fault.New(fault.Conflict, "fetch", text.Say("git.no_branch", "branch", at.branch, "address", at.address), text.Say("git.no_branch_hint"))
		}
		return nil, nil
	case err != nil && !errors.Is(err, gogit.NoErrAlreadyUpToDate):
		return nil, at.away(ctx, err)
	}
	ref, err := at.repo.Reference(name, true)
	if err != nil {
		return nil, broken(err)
	}
	commit, err := at.repo.CommitObject(ref.Hash())
	if err != nil {
		return nil, broken(err)
	}
	return commit, nil
}

// ref is a reference of this program alone, so that those of the person stay as they are.
func (at there) ref(of string) plumbing.ReferenceName {
	return plumbing.ReferenceName("refs/assay/" + of + "/" + at.remote.Config().Name + "/" + at.branch)
}

func (at there) away(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return fault.Wrap(fault.Canceled, "use remote", text.Say("git.canceled"), "", err)
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		return fault.Wrap(fault.Unavailable, "use remote", text.Say("git.not_let_in", "address", at.address), text.Say("git.not_let_in_hint"), err)
	}
	return fault.Wrap(fault.Unavailable, "use remote", text.Say("git.away", "address", at.address), text.Say("git.away_hint"), err)
}

// Push writes one file of the folder onto the branch elsewhere, as one commit behind what stands there by then; nothing that others wrote is taken away, also when they write at the same time. The branch of a change
// is not read. Faults: those of Fetch; Conflict: others wrote each time.
func (r Remote) Push(ctx context.Context, c Change) (commit string, err error) {
	at, err := r.open()
	if err != nil {
		return "", err
	}
	var before plumbing.Hash
	for try := range mostPushes {
		tip, err := at.fetch(ctx)
		if err != nil {
			return "", err
		}
		hash, err := at.commit(tip, c)
		if err != nil {
			return "", err
		}
		if tip != nil && tip.Hash == hash {
			return hash.String(), nil // it is there already
		}
		failed := at.push(ctx, hash)
		switch {
		case failed == nil:
			return hash.String(), nil
		case ctx.Err() != nil, try > 0 && (tip == nil || tip.Hash == before): // nobody was faster: it is not let in, or cannot be reached
			return "", at.away(ctx, failed)
		}
		if tip != nil {
			before = tip.Hash
		}
	}
	return "", fault.New(fault.Conflict, "push", text.Say("git.always_faster", "address", at.address), text.Say("git.always_faster_hint"))
}

// commit makes a change behind a tip, which may be nil; where nothing changes, it is the tip.
func (at there) commit(tip *object.Commit, c Change) (plumbing.Hash, error) {
	var tree *object.Tree
	var parents []plumbing.Hash
	if tip != nil {
		var err error
		if tree, err = tip.Tree(); err != nil {
			return plumbing.ZeroHash, broken(err)
		}
		parents = []plumbing.Hash{tip.Hash}
	}
	root, err := put(at.repo, tree, strings.Split(strings.TrimPrefix(path.Join(at.folder, c.File), "/"), "/"), slices.Clone(c.Text))
	if err != nil {
		return plumbing.ZeroHash, broken(err)
	}
	if tip != nil && root == tip.TreeHash {
		return tip.Hash, nil
	}
	who := signature(at.repo, c.Actor, c.At)
	hash, err := store(at.repo, &object.Commit{Author: who, Committer: who, Message: c.Message, TreeHash: root, ParentHashes: parents})
	if err != nil {
		return plumbing.ZeroHash, broken(err)
	}
	return hash, nil
}

func (at there) push(ctx context.Context, commit plumbing.Hash) error {
	ctx, cancel := context.WithTimeout(ctx, remoteWait)
	defer cancel()
	name := at.ref("here")
	if err := at.repo.Storer.SetReference(plumbing.NewHashReference(name, commit)); err != nil {
		return err
	}
	spec := config.RefSpec(name.String() + ":" + plumbing.NewBranchReferenceName(at.branch).String())
	err := at.remote.PushContext(ctx, &gogit.PushOptions{RemoteName: at.remote.Config().Name, RefSpecs: []config.RefSpec{spec}})
	if errors.Is(err, gogit.NoErrAlreadyUpToDate) {
		return nil
	}
	return err
}
