package store

import "errors"

// errNotWorth says that a frame is not kept.
var errNotWorth = errors.New("the frame is not worth its place")

// worth is what a frame is worth by GreedyDual-Size: the milliseconds that it saves, as often as it is asked, for each
// megabyte, counted from the worth of the frame that was evicted last, so that what was once popular ages. The caller holds
// mu.
func (f *Frames) worth(h *heldFrame) float64 {
	megabytes := float64(max(h.Bytes, 1<<14)) / (1 << 20)
	return f.level + h.saves*float64(max(1, h.hits))/megabytes
}

// makeRoom evicts the frames of the least worth until a new one fits; false: they are worth more than it, or it cannot fit.
// Nothing that is pinned goes, and nothing goes for a frame that nobody asked for. The caller holds mu.
func (f *Frames) makeRoom(h *heldFrame) bool {
	h.worth = f.worth(h)
	if h.Bytes > f.opt.Budget {
		return false
	}
	bytes, count := h.Bytes, len(f.held)+1
	for _, other := range f.held {
		bytes += other.Bytes
	}
	var evicted []*heldFrame
	gone := map[string]bool{}
	level := f.level
	for bytes > f.opt.Budget || count > f.opt.Most {
		var least *heldFrame
		for _, id := range sortedKeys(f.held) {
			if other := f.held[id]; other.pins == 0 && !gone[id] && (least == nil || other.worth < least.worth) {
				least = other
			}
		}
		if least == nil || least.worth > h.worth || h.saves == 0 {
			return false
		}
		evicted, gone[least.ID] = append(evicted, least), true
		level = max(level, least.worth)
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
