package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/reuse"
	"assay/backend/text"
)

// frameCatalog is the name under which statements find frames: frames.f_1a2b3c4d.
const frameCatalog = "frames"

// frameEngine is a query engine over the sources of one state of the catalogue and the frames of one moment.
type frameEngine struct {
	*engine
	stamp stamp
}

// acquire gives the frame engine over the present catalogue; the caller releases it with users.Done.
func (f *Frames) acquire(ctx context.Context) (*engine, error) {
	if err := f.s.refresh(ctx); err != nil {
		return nil, err
	}
	for range 2 {
		if e := f.present(); e != nil {
			return e, nil
		}
		f.opening.Lock()
		e := f.present() // somebody else may have opened it meanwhile
		if e != nil {
			f.opening.Unlock()
			return e, nil
		}
		err := f.reopenAlone(ctx)
		f.opening.Unlock()
		if err != nil {
			return nil, err
		}
	}
	return nil, fault.New(fault.Unavailable, "query", text.Say("store.frames_gone"), "")
}

// present gives the frame engine when it is over the present catalogue, in use by one more; else nil.
func (f *Frames) present() *engine {
	f.s.mu.RLock()
	now := f.s.stamp
	f.s.mu.RUnlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.engine; e != nil && e.stamp == now && !e.lost() && !f.closed {
		e.users.Add(1)
		return e.engine
	}
	return nil
}

// list makes the frames that are current the ones that are decided on, before an engine has them.
func (f *Frames) list() {
	epochs := f.s.Epochs()
	f.mu.Lock()
	defer f.mu.Unlock()
	var frames []reuse.Frame
	for _, h := range f.held {
		if current(h.Epochs, epochs) {
			frames = append(frames, h.Frame)
		}
	}
	f.index = reuse.NewIndex(frames...)
}

// opens says whether a frame is worth opening an engine for, which a process that goes on does once. The caller holds mu.
func (f *Frames) opens(h *heldFrame) bool {
	return !f.opt.Brief || h != nil && (h.wished || h.saves >= float64(f.opt.Opening)/float64(time.Millisecond))
}

// reopen puts a frame engine over the present catalogue and the frames that are current, and makes these the ones that
// answer. A frame whose file is gone or damaged, and one whose data was imported again, is dropped.
func (f *Frames) reopen(ctx context.Context) error {
	f.opening.Lock()
	defer f.opening.Unlock()
	return f.reopenAlone(ctx)
}

// reopenAlone is reopen for a caller that holds opening.
func (f *Frames) reopenAlone(ctx context.Context) error {
	f.s.mu.RLock()
	now, epochs := f.s.stamp, f.s.catalog.epochs()
	c := catalog{Version: f.s.catalog.Version, Entries: slices.Clone(f.s.catalog.Entries)}
	f.s.mu.RUnlock()
	for i := range c.Entries {
		c.Entries[i].Notes = slices.Clip(c.Entries[i].Notes)
	}

	f.mu.Lock()
	var files []string
	var frames []reuse.Frame
	for _, id := range sortedKeys(f.held) {
		if h := f.held[id]; current(h.Epochs, epochs) {
			files, frames = append(files, filepath.Join(f.opt.Dir, h.file)), append(frames, h.Frame)
		} else {
			f.drop(id)
		}
	}
	f.mu.Unlock()

	var e *engine
	var attached []reuse.Frame
	if len(frames) > 0 {
		var err error
		e, err = openEngine(ctx, f.host, &c, func(run run) error {
			attached = nil
			if err := run("ATTACH ':memory:' AS %s", frameCatalog); err != nil {
				return err
			}
			for i, x := range frames {
				err := run("ATTACH %s AS frame_%d (READ_ONLY)", literal(files[i]), i)
				if err == nil {
					err = run("CREATE VIEW %s.main.%s AS SELECT * FROM frame_%d.main.%s", frameCatalog, ident(x.ID), i, frameTable)
				}
				switch {
				case err == nil:
					attached = append(attached, x)
				case ctx.Err() != nil:
					return fmt.Errorf("attach frame %s: %w", x.ID, err)
				default:
					f.mu.Lock()
					f.drop(x.ID)
					f.mu.Unlock()
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.retire()
	if f.closed {
		if e != nil {
			e.close()
		}
		return closedFault()
	}
	if e != nil {
		f.engine = &frameEngine{e, now}
	}
	attached = slices.DeleteFunc(attached, func(x reuse.Frame) bool { return f.held[x.ID] == nil }) // dropped meanwhile
	f.index = reuse.NewIndex(attached...)
	return nil
}

// retire closes the frame engine when its last statement is done. The caller holds mu.
func (f *Frames) retire() {
	e := f.engine
	f.engine = nil
	if e == nil {
		return
	}
	f.retired.Add(1)
	go func() {
		defer f.retired.Done()
		e.users.Wait()
		e.close()
	}()
}
