package store

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// errNotWorth says that a frame is not kept, and errNoRoom that others are worth more than it, as often as it was asked.
var (
	errNotWorth = errors.New("the frame is not worth its place")
	errNoRoom   = errors.New("other frames are worth more")
)

// recently is how many statements a frame stays for certain after it answered: those of a conversation go on with it. An answer
// runs three or four.
const recently = 32

// worth is what a frame is worth by GreedyDual-Size: the milliseconds that it saves, as often as it is asked, for each
// megabyte, counted from the worth of the frame that was evicted last, so that what was once popular ages. The caller holds
// mu.
func (f *Frames) worth(h *heldFrame) float64 {
	megabytes := float64(max(h.Bytes, 1<<14)) / (1 << 20)
	return f.level + h.saves*float64(max(1, h.hits))/megabytes
}

// makeRoom evicts the frames of the least worth until a new one fits; false: they are worth more than it, or it cannot fit.
// What answered recently stays, nothing goes for a frame that nobody asked for, and what was made with other definitions, which
// answers nothing, goes first. The caller holds mu.
func (f *Frames) makeRoom(h *heldFrame) bool {
	h.worth = f.worth(h)
	if h.Bytes > f.opt.Budget {
		return false
	}
	bytes, count := h.Bytes, len(f.held)+1
	for _, other := range f.held {
		bytes += other.Bytes
	}
	worth := func(x *heldFrame) float64 {
		if x.Model != h.Model {
			return -1
		}
		return x.worth
	}
	stays := func(x *heldFrame) bool { return x.Model == h.Model && x.turn > 0 && f.turn-x.turn < recently }
	var evicted []*heldFrame
	gone := map[string]bool{}
	level := f.level
	for bytes > f.opt.Budget || count > f.opt.Most {
		var least *heldFrame
		for _, id := range sortedKeys(f.held) {
			if other := f.held[id]; !stays(other) && !gone[id] && (least == nil || worth(other) < worth(least)) {
				least = other
			}
		}
		if least == nil || worth(least) > h.worth || h.alone && worth(least) >= 0 {
			return false
		}
		evicted, gone[least.ID] = append(evicted, least), true
		level = max(level, worth(least))
		bytes -= least.Bytes
		count--
	}
	for _, other := range evicted {
		f.drop(other.ID)
	}
	f.level = level
	h.worth = f.worth(h)
	return true
}

// usedAgain says whether there is a frame of an identity, and counts to its worth that it was wanted once more.
func (f *Frames) usedAgain(identity string, w *want) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.held {
		if h.identity == identity {
			h.saves, h.wished = max(h.saves, w.saves), h.wished || w.wished
			h.hits++
			h.worth, f.hit = f.worth(h), true
			return true
		}
	}
	return false
}

// usedFile holds how often each frame answered and what it is worth by that. The next process that evicts begins with it;
// without it, with what stands in the frames.
const usedFile = "used.json"

// used is the content of usedFile.
type used struct {
	Level  float64
	Frames map[string]usedFrame // by ID
}

type usedFrame struct {
	Hits         int64
	Saves, Worth float64
}

// remember writes down how often frames answered. The caller holds mu.
func (f *Frames) remember() {
	if !f.hit || !f.stillOwn() {
		return
	}
	u := used{f.level, map[string]usedFrame{}}
	for id, h := range f.held {
		u.Frames[id] = usedFrame{h.hits, h.saves, h.worth}
	}
	raw, err := json.Marshal(u)
	if err != nil {
		return
	}
	file, err := os.CreateTemp(f.opt.Dir, tempPrefix)
	if err != nil {
		return
	}
	_, err = file.Write(raw)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), filepath.Join(f.opt.Dir, usedFile))
	}
	if err != nil {
		os.Remove(file.Name())
	}
}

// recall reads what remember wrote; what cannot be read was never written. The caller holds mu.
func (f *Frames) recall() {
	var u used
	raw, err := os.ReadFile(filepath.Join(f.opt.Dir, usedFile))
	if err != nil || json.Unmarshal(raw, &u) != nil {
		return
	}
	f.level = max(f.level, u.Level)
	for id, was := range u.Frames {
		if h := f.held[id]; h != nil {
			h.hits, h.saves, h.worth = max(h.hits, was.Hits), max(h.saves, was.Saves), max(h.worth, was.Worth)
		}
	}
}
