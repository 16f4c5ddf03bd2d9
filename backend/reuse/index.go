package reuse

import (
	"slices"
	"sort"

	"assay/backend/compile"
)

// reuseShare is the part of the base's rows above which a frame is not worth reading, and unionShare the part of the period
// above which it is not worth adding the base to it.
const (
	reuseShare = 0.3
	unionShare = 0.5
)

// Index finds frames by fact and leaf. It is immutable: Without gives another one.
type Index struct {
	frames map[string]*stored   // by ID
	byFact map[string][]*stored // by path of the fact, fewest rows first
}

// NewIndex makes an index over frames. Where two have the same ID the last one counts.
func NewIndex(frames ...Frame) *Index {
	x := &Index{frames: map[string]*stored{}, byFact: map[string][]*stored{}}
	for _, f := range frames {
		s := &stored{Frame: f}
		s.shape = shapeOf(&s.Branch)
		x.frames[f.ID] = s
	}
	x.sort()
	return x
}

func (x *Index) sort() {
	for _, s := range x.frames {
		x.byFact[s.fact] = append(x.byFact[s.fact], s)
	}
	for _, list := range x.byFact {
		sort.Slice(list, func(i, j int) bool {
			if list[i].Rows != list[j].Rows {
				return list[i].Rows < list[j].Rows
			}
			return list[i].ID < list[j].ID
		})
	}
}

// Without gives the index without the frames for which drop is true.
func (x *Index) Without(drop func(Frame) bool) *Index {
	next := &Index{frames: map[string]*stored{}, byFact: map[string][]*stored{}}
	for id, s := range x.frames {
		if !drop(s.Frame) {
			next.frames[id] = s
		}
	}
	next.sort()
	return next
}

// Frames lists the frames by ID.
func (x *Index) Frames() []Frame {
	all := make([]Frame, 0, len(x.frames))
	for _, s := range x.frames {
		all = append(all, s.Frame)
	}
	slices.SortFunc(all, func(a, b Frame) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return all
}

// Frame gives a frame by its ID.
func (x *Index) Frame(id string) (Frame, bool) {
	s, ok := x.frames[id]
	if !ok {
		return Frame{}, false
	}
	return s.Frame, true
}

// Len is the number of frames.
func (x *Index) Len() int { return len(x.frames) }

// Match gives the cheapest frame that answers a branch, which is the one with the fewest values to read, or nil and the
// clause that the closest frame fails. A frame that holds only a part of the period is taken when none holds all of it.
func (x *Index) Match(b compile.Branch, now Facts) (*compile.Served, Reason) {
	return x.match(&b, now, 0)
}

func (x *Index) match(b *compile.Branch, now Facts, off clauses) (*compile.Served, Reason) {
	branch := shapeOf(b)
	nearest := Reason{Code: NoFrames}
	var best *compile.Served
	var why Reason
	cost := int64(0)
	implies := map[string]bool{}
	for _, f := range x.byFact[branch.fact] {
		if best != nil && len(best.Missing) == 0 && f.Rows*int64(width(branch, nil)) >= cost {
			break // the following are larger still
		}
		c := comparison{branch: branch, frame: f, facts: now, off: off, implies: implies}
		r, ok := c.compare()
		if ok {
			r, ok = c.worthwhile(r)
		}
		if !ok {
			if r.rank > nearest.rank {
				nearest = r
			}
			continue
		}
		served := c.served
		read := f.Rows * int64(width(branch, &served))
		better := best == nil || len(best.Missing) > 0 && len(served.Missing) == 0
		if better || len(best.Missing) == len(served.Missing) && read < cost {
			best, why, cost = &served, r, read
		}
	}
	if best == nil {
		return nil, nearest
	}
	return best, why
}

// worthwhile leaves to the base what the base does as well.
func (c *comparison) worthwhile(r Reason) (Reason, bool) {
	base := c.frame.BaseRows
	if s := c.branch.of.Source; s != nil && s.Rows > 0 {
		base = s.Rows
	}
	if base > 0 && float64(c.frame.Rows) > reuseShare*float64(base) || c.missingShare() > unionShare {
		return c.refuse(TooLarge), false
	}
	return r, true
}

// width is the number of columns that are read of a frame.
func width(b *shape, s *compile.Served) int {
	n := len(b.keys) + len(b.leaves)
	if s != nil {
		n += len(s.Where)
	}
	return max(1, n)
}
