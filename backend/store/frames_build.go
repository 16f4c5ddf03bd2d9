package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/reuse"
)

const (
	finerShare   = 0.2 // of the base's rows: what a frame may have at most
	warmShare    = 0.3 // of those that an author asks for, which is what may be answered from at all
	chunkRows    = 4_000_000
	chunks       = 16 // of a base of more than chunkRows rows
	frameMS      = 3  // what reading a frame takes
	questionPoll = 50 * time.Millisecond
	frameBlock   = 16384 // bytes: a file of the usual blocks takes 0.8 MB for fifty rows
)

// work is the builder: it makes what is wanted while nothing else runs, the most useful first.
func (f *Frames) work() {
	adopted := false
	for {
		select {
		case <-f.ended.Done():
			return
		case <-f.wake:
		}
		f.mu.Lock()
		mine, now := f.lock != nil, f.hurry || !f.opt.Brief
		f.mu.Unlock()
		if mine && !adopted {
			adopted = true
			f.adopt(f.ended)
			f.list()
			f.answering()
			if f.worthOpening() {
				_ = f.reopen(f.ended) // without it there is nothing to answer from, and nothing lost
			}
		}
		if !now {
			continue
		}
		made := false
		for mine {
			identity, as := f.next()
			if as == nil {
				break
			}
			err := f.build(as)
			if f.ended.Err() != nil {
				return
			}
			made = made || err == nil
			f.mu.Lock()
			f.building = ""
			w := f.wanted[identity]
			delete(f.wanted, identity)
			switch {
			case w == nil: // what was wanted was forgotten meanwhile, with what was refused
			case errors.Is(err, errNoRoom):
				w.at = w.times
				f.declined[identity] = w
			case err != nil:
				f.refused[identity] = err
			}
			f.mu.Unlock()
		}
		switch {
		case made && f.opt.Brief:
			f.list()
		case made:
			_ = f.reopen(f.ended)
		}
		f.settle()
	}
}

// patiently runs a statement of the builder when nothing else runs, and again when a question interrupted it.
func (f *Frames) patiently(do func(ctx context.Context) error) error {
	for {
		if err := f.waitQuiet(); err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(f.ended)
		f.mu.Lock()
		if f.active > 0 {
			f.mu.Unlock()
			cancel()
			continue
		}
		f.stop = cancel
		f.mu.Unlock()
		err := do(ctx)
		f.mu.Lock()
		f.stop = nil
		f.mu.Unlock()
		interrupted := ctx.Err() != nil
		cancel()
		if f.ended.Err() != nil {
			return f.ended.Err()
		}
		if err == nil || !interrupted {
			return err
		}
	}
}

// waitQuiet waits until no question has run for a while.
func (f *Frames) waitQuiet() error {
	for {
		f.mu.Lock()
		active, rest := f.active, f.opt.Quiet-time.Since(f.quiet)
		if f.hurry {
			rest = 0
		}
		f.mu.Unlock()
		if active == 0 && rest <= 0 {
			return f.ended.Err()
		}
		wait := max(rest, time.Millisecond)
		if active > 0 {
			wait = questionPoll // its end is signalled, perhaps to somebody else who waits
		}
		timer := time.NewTimer(wait)
		select {
		case <-f.ended.Done():
		case <-f.wake:
		case <-timer.C:
		}
		timer.Stop()
		if f.ended.Err() != nil {
			return f.ended.Err()
		}
	}
}

// build makes the best frame for what is wanted. errNotWorth: none is small enough, or none fits.
func (f *Frames) build(w *want) error {
	dir, err := os.MkdirTemp(f.opt.Dir, tempPrefix)
	if errors.Is(err, os.ErrNotExist) { // the folder was deleted
		f.mu.Lock()
		mine := f.stillOwn()
		f.mu.Unlock()
		if !mine {
			return err
		}
		dir, err = os.MkdirTemp(f.opt.Dir, tempPrefix)
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	f.s.mu.RLock()
	c := catalog{Version: f.s.catalog.Version, Entries: slices.Clone(f.s.catalog.Entries)}
	epochs := f.s.catalog.epochs()
	f.s.mu.RUnlock()
	b, err := openBuilder(f, &c, dir)
	if err != nil {
		return err
	}
	defer b.close()
	candidates := reuse.Finer(w.branch)
	share := finerShare
	if w.warm {
		share = warmShare
		own, _ := reuse.Storable(w.branch)
		candidates = []compile.Branch{own}
	}
	for _, candidate := range candidates {
		h, err := b.make(w, candidate, share, epochs)
		if errors.Is(err, errNotWorth) {
			continue
		}
		if err != nil {
			return err
		}
		if h == nil {
			return nil // there already
		}
		if !current(h.Epochs, f.s.Epochs()) {
			return fmt.Errorf("the data of frame %s was imported again", h.ID)
		}
		return f.publish(b.file, h)
	}
	return errNotWorth
}

// builder writes one frame. Its engine has every source, and one thread as long as questions are asked, and spills into the
// folder of the build.
type builder struct {
	*scratch
	f    *Frames
	file string
}

func openBuilder(f *Frames, c *catalog, dir string) (*builder, error) {
	e, err := openScratch(f.ended, f.host)
	if err != nil {
		return nil, err
	}
	b := &builder{scratch: e, f: f, file: filepath.Join(dir, "frame"+databaseSuffix)}
	run := func(format string, args ...any) error { return e.exec(f.ended, fmt.Sprintf(format, args...)) }
	settings := []string{
		"SET memory_limit=" + literal(f.s.opt.MemoryLimit),
		"SET temp_directory=" + literal(filepath.Join(dir, "spill")),
	}
	f.mu.Lock()
	if f.hurry { // nobody asks anything any more
		settings = append(settings, fmt.Sprintf("SET threads=%d", cmp.Or(f.s.opt.Threads, runtime.GOMAXPROCS(0))))
	}
	f.mu.Unlock()
	for _, s := range settings {
		if err := run("%s", s); err != nil {
			e.close()
			return nil, err
		}
	}
	if err := attachSources(f.ended, run, f.s.opt.Dir, c); err != nil {
		e.close()
		return nil, err
	}
	return b, nil
}

// make writes the frame of a storable branch into the builder's file. errNotWorth: it is too large; nil: there is one.
func (b *builder) make(w *want, branch compile.Branch, share float64, epochs map[string]string) (*heldFrame, error) {
	identity, _ := w.reader.identity(branch)
	if b.f.usedAgain(identity, w) {
		return nil, nil
	}
	h := &heldFrame{identity: identity, saves: w.saves, hits: w.times, wished: w.wished, alone: w.warm}
	h.Frame = reuse.Frame{ID: framePrefix + token(), Branch: branch, Model: w.reader.model, Policy: w.reader.policy, Epochs: epochsOfBranch(branch, epochs), Exact: true, Made: b.f.s.opt.Now().UTC().Truncate(time.Second)}
	h.Table = frameCatalog + "." + h.ID
	estimate, err := b.survey(&h.Frame)
	if err != nil {
		return nil, err
	}
	if own, _ := w.reader.identity(w.branch); own == identity && w.rows > 0 {
		estimate = min(estimate, w.rows)
	}
	most := min(b.f.opt.MaxRows, int64(share*float64(h.BaseRows)))
	if estimate > most {
		return nil, errNotWorth
	}
	h.Branch = reuse.Carry(branch, w.reader.levels) // as many rows as without
	took, err := b.write(&h.Frame)
	if h.alone { // nobody was seen waiting: what it took to compute
		h.saves = max(h.saves, float64(took)/float64(time.Millisecond)-frameMS)
	}
	if err != nil {
		return nil, err
	}
	if h.Rows > most {
		return nil, errNotWorth
	}
	return h, b.seal(h)
}

// survey measures the fact of a frame and gives the most rows that the frame can have.
func (b *builder) survey(x *reuse.Frame) (estimate int64, err error) {
	program, err := compile.Compile(reuse.Survey(x.Branch), compile.Options{})
	if err != nil {
		return 0, err
	}
	var first, last *time.Time
	into := []any{&x.BaseRows}
	if x.Branch.Time != nil {
		into = append(into, &first, &last)
	}
	values := make([]int64, len(x.Branch.Keys))
	for i := range values {
		into = append(into, &values[i])
	}
	err = b.f.patiently(func(ctx context.Context) error { return b.conn.QueryRowContext(ctx, program.SQL).Scan(into...) })
	if err != nil {
		return 0, err
	}
	if first != nil && last != nil {
		x.First, x.Watermark = first.UTC(), last.UTC()
	}
	estimate = 1
	for _, n := range values {
		if estimate *= n + 1; estimate > x.BaseRows { // missing is a value too
			return max(1, x.BaseRows), nil
		}
	}
	return estimate, nil
}

// write computes the frame, a large base part by part, so that a question that interrupts costs no more than a part.
func (b *builder) write(x *reuse.Frame) (took time.Duration, err error) {
	_ = b.exec(b.f.ended, "DETACH "+target) // of the candidate before
	os.Remove(b.file)
	if err := b.exec(b.f.ended, fmt.Sprintf("ATTACH %s AS %s (BLOCK_SIZE %d)", literal(b.file), target, frameBlock)); err != nil {
		return 0, err
	}
	parts := []compile.Branch{x.Branch}
	if x.BaseRows > b.f.chunkRows {
		parts = reuse.Chunks(x.Branch, x.First, x.Watermark, chunks)
	}
	for i, part := range parts {
		program, err := compile.Compile(reuse.Query(part), compile.Options{})
		if err != nil {
			return took, err
		}
		statement := "CREATE TABLE " + targetTable(frameTable) + " AS " + program.SQL
		if i > 0 {
			statement = "INSERT INTO " + targetTable(frameTable) + " " + program.SQL
		}
		err = b.f.patiently(func(ctx context.Context) error {
			began := time.Now()
			defer func() { took += time.Since(began) }()
			return b.exec(ctx, statement)
		})
		if err != nil {
			return took, err
		}
	}
	return took, b.inspect(x)
}

// inspect counts the rows of a frame and holds it against the base: its columns are those that were asked for, and where
// nothing is left out, the rows that it counts are all rows of the fact.
func (b *builder) inspect(x *reuse.Frame) error {
	var columns string
	err := b.conn.QueryRowContext(b.f.ended, "SELECT string_agg(column_name, ' ' ORDER BY column_index) FROM duckdb_columns() WHERE database_name = "+literal(target)+" AND table_name = "+literal(frameTable)).Scan(&columns)
	if err != nil {
		return err
	}
	var want []string
	for _, k := range x.Branch.Keys {
		want = append(want, k.Name)
	}
	for _, l := range x.Branch.Leaves {
		want = append(want, l.Name)
	}
	if columns != strings.Join(want, " ") {
		return fmt.Errorf("frame %s has columns %s, not %v", x.ID, columns, want)
	}
	var counted int64
	if err := b.conn.QueryRowContext(b.f.ended, "SELECT count(*), coalesce(sum("+ident(reuse.RowsColumn)+"), 0)::BIGINT FROM "+targetTable(frameTable)).Scan(&x.Rows, &counted); err != nil {
		return err
	}
	all := len(x.Branch.Filters) == 0 && x.Branch.From.IsZero() && x.Branch.To.IsZero()
	for _, n := range x.Branch.Source.Nodes[1:] {
		all = all && n.Unique
	}
	if all && counted != x.BaseRows {
		return fmt.Errorf("frame %s counts %d rows of %d", x.ID, counted, x.BaseRows)
	}
	return nil
}

// seal writes what the frame is beside it and closes the file.
func (b *builder) seal(h *heldFrame) error {
	engine, err := b.version(b.f.ended)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(about{Version: frameVersion, Engine: engine, Identity: h.identity, Saves: h.saves, Hits: h.hits, Wished: h.wished, Frame: h.Frame})
	if err != nil {
		return err
	}
	for _, s := range []string{
		"CREATE TABLE " + targetTable(aboutTable) + " AS SELECT " + literal(string(raw)) + " AS content",
		"CHECKPOINT " + target,
		"DETACH " + target,
	} {
		if err := b.exec(b.f.ended, s); err != nil {
			return err
		}
	}
	return nil
}

// epochsOfBranch gives the epochs of the tables that a branch reads; those of all when one is an author's SELECT.
func epochsOfBranch(b compile.Branch, now map[string]string) map[string]string {
	used := map[string]string{}
	for _, t := range reuse.Tables(b) {
		epoch, known := now[t]
		if !known {
			return now
		}
		used[t] = epoch
	}
	return used
}
