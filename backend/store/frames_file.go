package store

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"assay/backend/reuse"
	"assay/backend/text"
)

// A frame's file is called by its name and the checksum of its bytes, f_1a2b3c4d-5e6f7a8b.duckdb: the engine finds a damaged
// block only when it comes to read it, in the middle of an answer. In it stands the frame and what it is: the catalogue of
// the cache is the sum of its files, so that there is nothing to agree with and any of them may go.
const (
	framePrefix  = "f_"
	frameTable   = "frame"
	aboutTable   = "about"
	frameVersion = 3
)

// heldFrame is a frame with its file and what it is worth.
type heldFrame struct {
	reuse.Frame
	file     string // base name
	identity string // of its branch, definitions and policy
	saves    float64
	hits     int64
	wished   bool // by the model or by a person, whatever it saves
	alone    bool // wished, and by no question, when it was made
	worth    float64
	turn     int64 // when it answered last; 0: not yet
}

// about is what a file says of its frame.
type about struct {
	Version  int
	Engine   string // that wrote it
	Identity string
	Saves    float64 // milliseconds of the base that it stands for
	Hits     int64
	Wished   bool
	Frame    reuse.Frame
}

// own takes the folder when no other process has it, and reads what is there later, in the builder. The caller holds mu.
func (f *Frames) own() {
	if f.lock != nil || f.closed {
		return
	}
	f.why = text.Say("store.frames_unwritable", "dir", f.opt.Dir)
	if os.MkdirAll(f.opt.Dir, 0o700) != nil {
		return
	}
	l := flock.New(filepath.Join(f.opt.Dir, lockFile))
	ok, err := l.TryLock()
	switch {
	case err != nil:
	case !ok:
		f.why = text.Say("store.frames_elsewhere")
	default:
		f.lock, f.why = l, ""
		f.host.renew() // a child may write in the folder that was there when it began
		f.locked, _ = os.Stat(l.Path())
		f.signal()
	}
}

// stillOwn says whether the folder is the one that was locked: it may have been deleted, and made again by another process.
// The caller holds mu.
func (f *Frames) stillOwn() bool {
	if f.lock == nil {
		return false
	}
	if there, err := os.Stat(f.lock.Path()); err == nil && f.locked != nil && os.SameFile(there, f.locked) {
		return true
	}
	_ = f.lock.Unlock()
	f.lock = nil
	f.own()
	return f.lock != nil
}

// adopt reads the frames that are on disk. What is damaged, half written, or made by another version is deleted.
func (f *Frames) adopt(ctx context.Context) {
	files := f.files()
	if len(files) == 0 {
		return
	}
	e, err := openScratch(ctx, f.host)
	if err != nil {
		return
	}
	defer e.close()
	epochs := f.s.Epochs()
	for _, name := range files {
		if ctx.Err() != nil {
			return
		}
		id, sum, _ := strings.Cut(strings.TrimSuffix(name, databaseSuffix), "-")
		f.mu.Lock()
		known := f.held[id] != nil
		f.mu.Unlock()
		if known {
			continue
		}
		path := filepath.Join(f.opt.Dir, name)
		a, err := readFrame(ctx, e, path, sum)
		if err != nil || a.Frame.ID != id || !current(a.Frame.Epochs, epochs) {
			if ctx.Err() == nil {
				os.Remove(path)
			}
			continue
		}
		f.mu.Lock()
		h := &heldFrame{Frame: a.Frame, file: name, identity: a.Identity, saves: a.Saves, hits: a.Hits, wished: a.Wished}
		h.worth = f.worth(h)
		f.held[id] = h
		f.mu.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.recall()
}

// files names the files of frames, and sweeps what a killed process had begun and the notes about other data.
func (f *Frames) files() []string {
	all, err := os.ReadDir(f.opt.Dir)
	if err != nil {
		return nil
	}
	var frames []string
	notes := laterPrefix + f.s.dataMark()
	for _, file := range all {
		name := file.Name()
		switch {
		case strings.HasPrefix(name, tempPrefix), strings.HasPrefix(name, laterPrefix) && !strings.HasPrefix(name, notes):
			os.RemoveAll(filepath.Join(f.opt.Dir, name))
		case frameName(name) && strings.HasSuffix(name, databaseSuffix):
			frames = append(frames, name)
		}
	}
	return frames
}

// current says whether the epochs of a frame are those of now: the data that it was made of is still there.
func current(then, now map[string]string) bool {
	for table, epoch := range then {
		if now[table] != epoch {
			return false
		}
	}
	return true
}

// worthOpening says whether the engine over the frames is opened before anybody asks.
func (f *Frames) worthOpening() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.held {
		if f.opens(h) {
			return true
		}
	}
	return !f.opt.Brief
}

// answering says that the frames on disk answer.
func (f *Frames) answering() {
	select {
	case <-f.adopted:
	default:
		close(f.adopted)
	}
}

// awaitAdopted waits for the frames on disk, as long as that is worth it.
func (f *Frames) awaitAdopted() {
	timer := time.NewTimer(f.opt.Wait - time.Since(f.opened))
	defer timer.Stop()
	select {
	case <-f.adopted:
	case <-timer.C:
	case <-f.ended.Done():
	}
}

// readFrame reads what a file says of its frame, when its bytes are those that were written.
func readFrame(ctx context.Context, e *scratch, path, sum string) (a about, err error) {
	found, _, err := checksum(path)
	if err != nil {
		return a, err
	}
	if found != sum {
		return a, fmt.Errorf("frame %s has checksum %s", filepath.Base(path), found)
	}
	if err := e.exec(ctx, "ATTACH "+literal(path)+" AS "+target+" (READ_ONLY)"); err != nil {
		return a, err
	}
	defer func() { _ = e.exec(ctx, "DETACH "+target) }()
	var raw string
	if err := e.conn.QueryRowContext(ctx, "SELECT content FROM "+targetTable(aboutTable)).Scan(&raw); err != nil {
		return a, err
	}
	if err := json.Unmarshal([]byte(raw), &a); err != nil {
		return a, err
	}
	engine, err := e.version(ctx)
	if err != nil {
		return a, err
	}
	if a.Version != frameVersion || a.Engine != engine {
		return a, fmt.Errorf("frame %s is of version %d, engine %s", filepath.Base(path), a.Version, a.Engine)
	}
	return a, nil
}

// checksum reads a file through.
func checksum(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	if size, err = io.Copy(h, file); err != nil {
		return "", 0, err
	}
	return fmt.Sprintf("%08x", h.Sum32()), size, nil
}

// publish puts a finished file into the folder. It is there whole or not at all.
func (f *Frames) publish(path string, h *heldFrame) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = file.Sync()
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	sum, size, err := checksum(path)
	if err != nil {
		return err
	}
	h.Bytes, h.file = size, h.ID+"-"+sum+databaseSuffix
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || !f.stillOwn() {
		return fmt.Errorf("the frame cache is not ours")
	}
	if h.Bytes > f.opt.Budget {
		return errNotWorth
	}
	if !f.makeRoom(h) {
		return errNoRoom
	}
	if err := os.Rename(path, filepath.Join(f.opt.Dir, h.file)); err != nil {
		return err
	}
	f.held[h.ID] = h
	return nil
}

// drop deletes a frame. The engine that has it attached goes on reading it. The caller holds mu.
func (f *Frames) drop(id string) {
	if h := f.held[id]; h != nil {
		delete(f.held, id)
		if f.lock != nil {
			os.Remove(filepath.Join(f.opt.Dir, h.file))
		}
	}
}

// giveUp drops the frames among the tables of a statement that failed.
func (f *Frames) giveUp(tables []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	given := map[string]bool{}
	for _, t := range tables {
		if frameName(t) {
			given[t] = true
			f.drop(t)
		}
	}
	f.index = f.index.Without(func(x reuse.Frame) bool { return given[x.ID] })
}
