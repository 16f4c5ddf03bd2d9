package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/backend/fault"
	"assay/backend/retrieval"
	"assay/backend/text"
)

// teaching holds the vectors of what was taught: a store, and a file, for each person, and one for what is shared. They can be thrown away: the memory is the truth, and each is brought to what it
// holds before it is searched.
type teaching struct {
	mu      sync.Mutex
	stores  map[string]*retrieval.Store // by owner; empty: shared
	shared  int64                       // changes of shared knowledge that its store has; 0: none
	large   int                         // records from which a file is written beside the work; 0: largeStore
	writing map[*retrieval.Store]bool   // large stores that are being written; true: once more when that is done
}

// largeStore is how many records make a store so large that its file is written beside the work.
const largeStore = 5000

func (w *Workspace) taughtFile(owner string) string {
	if owner == "" {
		return filepath.Join(w.dir, ".assay", "shared.vectors")
	}
	sum := sha256.Sum256([]byte(owner))
	return filepath.Join(w.dir, ".assay", "taught-"+hex.EncodeToString(sum[:8])+".vectors")
}

// ofPerson gives the vectors of what a person taught, as the memory has it now. The mutex is held.
func (w *Workspace) ofPerson(ctx context.Context, owner string) (*retrieval.Store, error) {
	all, err := w.memory.Corrections(ctx, owner)
	if err != nil {
		return nil, err
	}
	records := make([]retrieval.Record, len(all))
	for i, c := range all {
		records[i] = retrieval.Record{Kind: retrieval.Correction, ID: c.ID, Owner: owner, Question: c.Term + " means " + c.Means}
	}
	s, _ := w.storeOf(owner)
	return s, w.holds(ctx, owner, s, records)
}

// ofAll gives the vectors of what is shared and approved. The mutex is held.
func (w *Workspace) ofAll(ctx context.Context) (*retrieval.Store, error) {
	s, there := w.storeOf("")
	if !there {
		w.teaching.shared = 0
	}
	new, err := w.memory.Decided(ctx, w.teaching.shared)
	if err != nil {
		return nil, err
	}
	var records []retrieval.Record
	for _, i := range new.Items {
		said := strings.TrimSpace(strings.Join([]string{i.Term, i.Means, i.Title, i.Content}, " "))
		if said != "" && !i.Personal {
			records = append(records, retrieval.Record{Kind: retrieval.Memory, ID: i.ID, Question: said})
		} else {
			new.Gone = append(new.Gone, i.ID)
		}
	}
	if w.teaching.shared == 0 {
		err = w.holds(ctx, "", s, records)
	} else {
		put, removed, bad := s.Bring(ctx, records, retrieval.Memory, new.Gone)
		err = w.kept("", s, put, removed, bad)
	}
	if err == nil {
		w.teaching.shared = new.Count
	}
	return s, err
}

// storeOf gives the store of an owner, which may not have what the memory has; false: it was not held before.
func (w *Workspace) storeOf(owner string) (s *retrieval.Store, there bool) {
	s, by := w.teaching.stores[owner], *w.builtIn.Load()
	if s != nil && s.EmbedderID() == by.ID {
		return s, true
	}
	s = retrieval.Load(by, w.taughtFile(owner)) // the names of the model are others now, or it was not read yet
	if w.teaching.stores == nil {
		w.teaching.stores = map[string]*retrieval.Store{}
	}
	w.teaching.stores[owner] = s
	return s, false
}

// holds makes a store hold exactly some records, and so does its file.
func (w *Workspace) holds(ctx context.Context, owner string, s *retrieval.Store, records []retrieval.Record) error {
	put, removed, err := s.Hold(ctx, records)
	return w.kept(owner, s, put, removed, err)
}

// kept writes a store that changed to its file. A large one is written beside the work; its file goes at once where it has what is gone.
func (w *Workspace) kept(owner string, s *retrieval.Store, put, removed int, err error) error {
	large := s.Len() >= cmp.Or(w.teaching.large, largeStore)
	if removed > 0 && (large || err != nil) {
		_ = os.Remove(w.taughtFile(owner))
	}
	switch {
	case err != nil || put+removed == 0:
		return err
	case !large:
		return s.Save()
	}
	if _, running := w.teaching.writing[s]; running {
		w.teaching.writing[s] = true
		return nil
	}
	if w.teaching.writing == nil {
		w.teaching.writing = map[*retrieval.Store]bool{}
	}
	w.teaching.writing[s] = false
	w.reviewing.running.Go(func() { w.write(owner, s) })
	return nil
}

// write writes a large store until its file is as the store is. A file that cannot be written is made anew from the memory when it is needed.
func (w *Workspace) write(owner string, s *retrieval.Store) {
	for {
		err := s.Save()
		w.teaching.mu.Lock()
		if owner == "" && w.teaching.stores[owner] == s {
			_, _ = w.ofAll(context.Background()) // another process may have forgotten meanwhile what the file had
		}
		again := err == nil && w.teaching.writing[s] && w.teaching.stores[owner] == s
		if again {
			w.teaching.writing[s] = false
		} else {
			delete(w.teaching.writing, s)
		}
		if w.teaching.stores[owner] != s { // it was dropped while it was written, or stands for other names of the model
			_ = os.Remove(w.taughtFile(owner))
		}
		w.teaching.mu.Unlock()
		if !again {
			return
		}
	}
}

// retaught brings the vectors of what a person taught to what the memory holds, where there are any: what was replaced or changed leaves the file with it. Where that fails the file goes.
func (w *Workspace) retaught(owner string) {
	w.teaching.mu.Lock()
	defer w.teaching.mu.Unlock()
	path := w.taughtFile(owner)
	if _, err := os.Stat(path); err != nil && w.teaching.stores[owner] == nil {
		return
	}
	if _, err := w.ofPerson(context.Background(), owner); err != nil {
		w.dropTaught(owner)
	}
}

// dropTaught throws the vectors of a person away. The mutex is held.
func (w *Workspace) dropTaught(owner string) {
	delete(w.teaching.stores, owner)
	_ = os.Remove(w.taughtFile(owner)) // what is there is brought to the memory before it is read
}

// forgetting takes the vectors of what a person taught from the store and the file, and then does the forgetting itself. Where that fails the next search embeds it anew. Fault Unavailable: the file cannot be written,
// and nothing was forgotten.
func (w *Workspace) forgetting(ctx context.Context, id, owner string, forget func() error) error {
	w.teaching.mu.Lock()
	defer w.teaching.mu.Unlock()
	s, err := w.ofPerson(ctx, owner)
	if err != nil {
		return err
	}
	if s.Owner(retrieval.Correction, id) == owner {
		if err := s.Remove(ctx, retrieval.Correction, id); err != nil {
			return err
		}
		if err := s.Save(); err != nil {
			return err
		}
	}
	if err := forget(); err != nil {
		return err
	}
	w.syncShared(ctx) // what only they said may be gone there too
	return nil
}

// sweepTaught brings the files of everybody to the memory: a process that ended while it forgot may have left more.
func (w *Workspace) sweepTaught(ctx context.Context) error {
	teachers, err := w.memory.Teachers(ctx)
	if err != nil {
		return err
	}
	var known []string
	for _, owner := range teachers {
		known = append(known, w.taughtFile(owner))
	}
	files, err := os.ReadDir(filepath.Join(w.dir, ".assay"))
	if err != nil {
		return fault.Wrap(fault.Unavailable, "find what was taught", text.Say("workspace.cannot_write", "dir", w.dir), text.Say("workspace.cannot_write_hint"), err)
	}
	for _, entry := range files {
		f := filepath.Join(w.dir, ".assay", entry.Name())
		if strings.HasPrefix(entry.Name(), "taught-") && strings.HasSuffix(f, ".vectors") && !slices.Contains(known, f) {
			_ = os.Remove(f) // it is of somebody who taught nothing any more
		}
		if begun := strings.HasPrefix(entry.Name(), "taught-") || strings.HasPrefix(entry.Name(), "shared."); begun && strings.Contains(entry.Name(), ".vectors.new-") && older(entry, w.opts.Now().Add(-besideLife)) {
			_ = os.Remove(f) // of a process that died while it wrote
		}
	}
	for _, owner := range teachers {
		w.retaught(owner)
	}
	w.reshared()
	return nil
}

// older says whether a file was written before a time.
func older(entry os.DirEntry, than time.Time) bool {
	info, err := entry.Info()
	return err == nil && info.ModTime().Before(than)
}

// reshared brings the vectors of what is shared to what the memory holds, where there are any. Where that fails the file goes.
func (w *Workspace) reshared() {
	w.teaching.mu.Lock()
	defer w.teaching.mu.Unlock()
	w.syncShared(context.Background())
}

// syncShared is reshared with the mutex held.
func (w *Workspace) syncShared(ctx context.Context) {
	if _, err := os.Stat(w.taughtFile("")); err != nil && w.teaching.stores[""] == nil {
		return
	}
	if _, err := w.ofAll(ctx); err != nil {
		w.dropTaught("")
	}
}
