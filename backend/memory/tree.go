package memory

import (
	"context"
	"slices"
	"time"
)

// Branch is a session among those that it is related to by forks.
type Branch struct {
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	Parent   string     `json:"parent" doc:"The session that it was forked from; empty: it began by itself"`
	Turn     int        `json:"turn" doc:"Of the parent: the last one that it took along; 0: it has no parent"`
	Artifact string     `json:"artifact" doc:"Of the parent, that it was forked from; empty: from the turn"`
	Depth    int        `json:"depth" doc:"How many sessions stand above it"`
	Turns    int        `json:"turns"`
	Updated  *time.Time `json:"updated" doc:"Null: it is gone"`
	Pinned   bool       `json:"pinned"`
	Archived bool       `json:"archived"`
	Imported bool       `json:"imported"`
	Gone     bool       `json:"gone" doc:"It was deleted; it is called as it was when it was forked from"`
}

// Tree gives the family of a session: the one that all of them descend from, and each behind its parent, in the order in which they were forked. Sessions
// that were deleted stand there as gone where one descends from them that is there. Fault NotFound.
func (m *Memory) Tree(ctx context.Context, id string) ([]Branch, error) {
	f, err := m.families(ctx)
	if err != nil {
		return nil, m.classify("read session tree", err)
	}
	at := f.here[id]
	if at == nil || at.Gone {
		return nil, m.classify("read session tree", noSession(id))
	}
	for at.above != nil {
		at = at.above
	}
	return at.descend(nil, 0), nil
}

// Trees gives every family in which a session was forked, the one that was used last first.
func (m *Memory) Trees(ctx context.Context) ([][]Branch, error) {
	f, err := m.families(ctx)
	if err != nil {
		return nil, m.classify("read session tree", err)
	}
	all := [][]Branch{}
	for _, r := range f.all {
		if r.above == nil && len(r.below) > 0 {
			if tree := r.descend(nil, 0); len(tree) > 0 {
				all = append(all, tree)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b []Branch) int { return used(b).Compare(used(a)) })
	return all, nil
}

// used is when a family was used last.
func used(tree []Branch) time.Time {
	var last time.Time
	for _, b := range tree {
		if b.Updated != nil && b.Updated.After(last) {
			last = *b.Updated
		}
	}
	return last
}

// related is a session in its family.
type related struct {
	Branch
	order  int64 // of its making; 0: it is gone, and only its name is known
	origin struct {
		id, title, artifact string
		turn                int
	}
	above *related
	below []*related
}

// families are all sessions, each beside those that were forked from it.
type families struct {
	all  []*related
	here map[string]*related // those with a row
	gone map[string]*related // those that only others know of
}

func (m *Memory) families(ctx context.Context) (*families, error) {
	rows, err := m.read.QueryContext(ctx, `SELECT rowid, id, title, origin, origin_title, origin_turn, origin_artifact, updated, pinned IS NOT NULL, archived IS NOT NULL, imported IS NOT NULL, deleted IS NOT NULL,
			`+standingTurns+`
		FROM session UNION ALL SELECT 0, session, '', origin, '', turn, artifact, '', 0, 0, 0, 1, 0 FROM ancestor ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	f := &families{here: map[string]*related{}, gone: map[string]*related{}}
	for rows.Next() {
		var r related
		var updated string
		if err := rows.Scan(&r.order, &r.ID, &r.Title, &r.origin.id, &r.origin.title, &r.origin.turn, &r.origin.artifact, &updated, &r.Pinned, &r.Archived, &r.Imported, &r.Gone, &r.Turns); err != nil {
			return nil, err
		}
		if r.Gone {
			r.Title = "" // as whoever was forked from it knows it
		} else {
			at, err := moment(updated)
			if err != nil {
				return nil, err
			}
			r.Updated = &at
		}
		if f.all = append(f.all, &r); r.order > 0 {
			f.here[r.ID] = &r
		} else {
			f.gone[r.ID] = &r
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	f.relate()
	return f, nil
}

// relate puts every session below the one that it was forked from. One that begins under the name of a deleted one is another session.
func (f *families) relate() {
	for _, r := range slices.Clone(f.all) {
		if r.origin.id == "" {
			continue
		}
		above := f.here[r.origin.id]
		if above == nil || above.order >= r.order && r.order > 0 {
			if above = f.gone[r.origin.id]; above == nil {
				above = &related{Branch: Branch{ID: r.origin.id, Gone: true}}
				f.gone[r.origin.id], f.all = above, append(f.all, above)
			}
		}
		if above == r || above.under(r) { // a damaged file: nobody descends from themself
			continue
		}
		if above.Gone && above.Title == "" {
			above.Title = r.origin.title
		}
		r.above, above.below = above, append(above.below, r)
		r.Parent, r.Turn, r.Artifact = above.ID, r.origin.turn, r.origin.artifact
	}
	for _, r := range f.all {
		if r.above == nil {
			r.cut()
		}
	}
}

// cut takes a session that is gone, and that nobody knows by a title, away from above those below it.
func (r *related) cut() {
	if !r.Gone || r.Title != "" {
		return
	}
	below := r.below
	r.below = nil
	for _, child := range below {
		child.above, child.Parent, child.Turn, child.Artifact = nil, "", 0, ""
		child.cut()
	}
}

// under says whether a session descends from another one.
func (r *related) under(other *related) bool {
	for at := r.above; at != nil; at = at.above {
		if at == other {
			return true
		}
	}
	return false
}

// descend appends a session and all below it. What is gone and has nobody below is left out.
func (r *related) descend(to []Branch, depth int) []Branch {
	at := len(to)
	r.Depth = depth
	to = append(to, r.Branch)
	for _, child := range r.below {
		to = child.descend(to, depth+1)
	}
	if r.Gone && len(to) == at+1 {
		return to[:at]
	}
	return to
}
