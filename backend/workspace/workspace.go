// Package workspace is the composition root: it opens, owns and closes the store, the memory, the model and the analyst
// of one workspace, and is what every door (window, browser, command line, tests) talks to.
package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/memory"
	"assay/backend/minds"
	"assay/backend/retrieval"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/secret"
	"assay/backend/semantic"
	"assay/backend/store"
	"assay/backend/text"
	"assay/backend/values"
)

// Options say how a workspace is opened. Zero values are the defaults in parentheses.
type Options struct {
	DataDir  string               // where samples and --data workspaces live (the user's data folder)
	Now      func() time.Time     // the wall clock (time.Now)
	MaxRows  int                  // rows of a frame (10,000)
	Threads  int                  // of the engine (all cores)
	Timeout  time.Duration        // of a statement (60 s)
	Progress func(store.Progress) // of imports while opening (none)
	Frames   store.FramesOptions  // of the frame cache; its folder is the workspace's
	Version  string               // of the program (dev)
	Mind     string               // who thinks where a question does not say it, until another one is chosen (as the settings say)
	Actor    string               // as whom this process acts where nothing names an actor: one that is bound to its user (the first that is)
	Keys     *secret.Store        // of providers (in the folder keys of DataDir)

	Thinkers analyst.Thinkers // who may think about questions, in place of what the settings say (none)

	inProcess bool // the engines run here: for tests that open thousands of workspaces

	MemoryLimit int64 // bytes of the memory beyond which rows of old answers are let go (4 GiB)
}

// Workspace is one open workspace. It is safe for concurrent use.
type Workspace struct {
	dir      string
	name     string
	run      string   // of this process
	declared []string // paths that opening imports
	opts     Options
	store    *store.Store
	frames   *store.Frames
	results  *store.Results
	made     madeOf
	memory   *memory.Memory
	analyst  *analyst.Analyst
	allowed  *values.AllowedValuesProvider
	minds    *minds.Minds
	mind     atomic.Pointer[string] // who thinks as this process was started; nil: as the settings say

	rules      atomic.Pointer[rules.Rules]
	learned    atomic.Pointer[risk.History] // the weights of the factors of an error
	golden     atomic.Pointer[recalled]
	shown      atomic.Pointer[shown]
	skills     atomic.Pointer[skills]
	levelled   atomic.Pointer[levelled]
	turnedAway refusals
	chosen     atomic.Pointer[Settings] // of the person of this process
	mu         sync.Mutex               // serialises imports and model loads
	loaded     semantic.Loaded
	good       *semantic.Model // what the context files declared when nothing was wrong with them; nil: this process has not seen that
	print      string          // fingerprint of the context files that the model was loaded from
	settings   semantic.Settings
	measuring  *background // what is being measured now; nil: nothing
	tidier     *tidier     // nil: the workspace is not open yet
	reviewing  reviewing
	teaching   teaching
	builtIn    atomic.Pointer[retrieval.Embedder] // with the names of the model
	problems   problems
	likeness   *likeness // nil: the workspace is not open yet
}

// Open opens the workspace that a target names, importing what it says it needs. Faults: NotFound (no such folder or
// file), Invalid (a context file, with file and line), Conflict, Unavailable.
func Open(ctx context.Context, t Target, o Options) (*Workspace, error) {
	o = o.withDefaults()
	place, err := t.locate(o)
	if err != nil {
		return nil, err
	}
	w := &Workspace{dir: place.dir, name: place.name, run: newID(), declared: place.sources, opts: o}
	w.problems.set("place", place.problems...)
	if err := w.open(ctx, place); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// OpenSample opens a sample workspace that ships with the program: "northwind" or "adventureworks".
func OpenSample(ctx context.Context, name string, o Options) (*Workspace, error) {
	return Open(ctx, Target{Sample: name}, o)
}

func (w *Workspace) open(ctx context.Context, p place) error {
	inner := filepath.Join(w.dir, ".assay")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		return fault.Wrap(fault.Unavailable, "open workspace", text.Say("workspace.cannot_write", "dir", w.dir), text.Say("workspace.cannot_write_hint"), err)
	}
	var err error
	if w.memory, err = w.openMemory(ctx, filepath.Join(inner, "memory.sqlite")); err != nil {
		return err
	}
	if err = w.openMinds(); err != nil {
		return err
	}
	w.store, err = store.Open(ctx, store.Options{
		Dir: filepath.Join(inner, "store"), Home: w.dir, Threads: w.opts.Threads, Timeout: w.opts.Timeout, MaxRows: w.opts.MaxRows, Now: w.opts.Now, InProcess: w.opts.inProcess,
	})
	if err != nil {
		return err
	}
	w.openFrames()
	w.results = w.store.OpenResults(store.ResultsOptions{Dir: filepath.Join(inner, "results")})
	w.allowed = values.New(values.Options{Load: w.loadAllowed, Find: w.findAllowed, Now: w.opts.Now})
	if err := w.importSources(ctx, p); err != nil {
		return err
	}
	if err := w.reload(ctx); err != nil {
		return err
	}
	w.analyst = analyst.New(analyst.Deps{
		Skills: w.skillsOf,
		Engine: engine{w.store, w}, Memory: w.memory, Now: w.opts.Now, NewID: newID,
		Knowledge: w.knownTo, MaxRows: w.opts.MaxRows, Frames: w.framesOf,
		Rules: w.Rules, Weights: w.weights, Golden: w.nearest, Recheck: w.recheck, Mask: w.redact, Version: w.opts.Version,
		Thinkers: w.thinkers, Taught: w.taught,
		Missing: w.missing, Examples: w.examples, Artifact: w.artifactOf, Facts: w.Facts,
	})
	w.openReview(ctx)
	if err := w.remembering(ctx, w.recall, w.sweepTaught); err != nil {
		return err
	}
	w.likeness = w.openLikeness()
	w.likeness.prepare()
	sweep := func(ctx context.Context) error {
		_, err := w.analyst.Sweep(ctx)
		return err
	}
	return w.remembering(ctx, sweep, w.calibrateInTime, w.tidyWhileOpen)
}

// remembering does things with the memory. What it cannot do is a problem, and keeps nobody from what is there.
func (w *Workspace) remembering(ctx context.Context, all ...func(context.Context) error) error {
	for _, do := range all {
		err := do(ctx)
		switch {
		case err == nil:
		case goesOn(ctx, err):
			w.problems.add(ofMemory, faultProblem(ofMemory, "", err))
		default:
			return err
		}
	}
	return nil
}

// openMemory opens the memory. A file that is damaged is put aside, where nothing is lost, and one of a newer version of the program is left
// alone; both times a new memory is begun, and said. Faults: Unavailable, Canceled.
func (w *Workspace) openMemory(ctx context.Context, file string) (*memory.Memory, error) {
	opened, err := memory.Open(ctx, memory.Options{Path: file, Now: w.opts.Now})
	if err == nil || !goesOn(ctx, err) {
		return opened, err
	}
	switch fault.CodeOf(err) {
	case fault.Conflict:
		beside := strings.TrimSuffix(file, ".sqlite") + "-beside.sqlite"
		w.problems.add("place", Trouble{Kind: ofMemory, File: ".assay/" + filepath.Base(file), Message: asFault(err).Message, Hint: text.Say("workspace.memory_newer_hint")})
		return memory.Open(ctx, memory.Options{Path: beside, Now: w.opts.Now})
	case fault.Invalid:
		aside := file + ".damaged-" + w.opts.Now().UTC().Format("20060102-150405")
		for _, tail := range []string{"", "-wal", "-shm"} {
			if failed := os.Rename(file+tail, aside+tail); failed != nil && !os.IsNotExist(failed) {
				return nil, err
			}
		}
		w.problems.add("place", Trouble{
			Kind: ofMemory, File: ".assay/" + filepath.Base(file), Message: asFault(err).Message,
			Hint: text.Say("workspace.memory_aside_hint", "file", ".assay/"+filepath.Base(aside)),
		})
		return memory.Open(ctx, memory.Options{Path: file, Now: w.opts.Now})
	}
	return nil, err
}

// Close releases everything. It is safe to call twice.
func (w *Workspace) Close() error {
	w.mu.Lock()
	ended := w.stopMeasuring()
	w.mu.Unlock()
	if ended != nil {
		<-ended
	}
	w.likeness.end()
	w.tidier.end()
	w.closeReview()
	if w.allowed != nil {
		w.allowed.Close()
	}
	var first error
	if w.results != nil {
		w.results.Close()
	}
	if w.store != nil {
		first = w.store.Close()
		w.store = nil
	}
	if w.memory != nil {
		if err := w.memory.Close(); first == nil {
			first = err
		}
		w.memory = nil
	}
	return first
}

// Dir is the workspace's folder.
func (w *Workspace) Dir() string { return w.dir }

// Name is the workspace's short name.
func (w *Workspace) Name() string { return w.name }

// Now is the workspace's wall clock.
func (w *Workspace) Now() time.Time { return w.opts.Now() }

// Memory is the workspace's memory: sessions and requests.
func (w *Workspace) Memory() *memory.Memory { return w.memory }

// Query runs one SELECT as it stands. It is what tests and `assay sql` use; questions go through Ask.
func (w *Workspace) Query(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
	return w.store.Query(ctx, s)
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxRows == 0 {
		o.MaxRows = 10_000
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = memoryLimit
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	return o
}

// engine fits the store to what the analyst asks for.
type engine struct {
	s *store.Store
	w *Workspace
}

func (e engine) Query(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
	frame, err := e.s.Query(ctx, s)
	return e.w.markPersonal(frame), err
}

func (e engine) Admit(ctx context.Context, sql string, visible func(table string) bool) (analyst.Admission, error) {
	v, err := e.s.Admit(ctx, sql, visible)
	return analyst.Admission{SQLType: v.SQLType, Rule: v.Rule, Reason: v.Reason, Tables: v.Objects, Shape: risk.Shape(v.Shape)}, err
}

func (e engine) Tables(ctx context.Context, s frameql.Statement) ([]string, error) {
	return e.s.Tables(ctx, s.SQL)
}

func (e engine) Aside(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
	return e.s.Aside(ctx, s)
}

func (e engine) Plan(ctx context.Context, s frameql.Statement) ([]analyst.ExplainedOperator, error) {
	plan, err := e.s.Plan(ctx, s)
	all := make([]analyst.ExplainedOperator, len(plan))
	for i, o := range plan {
		all[i] = analyst.ExplainedOperator(o)
	}
	return all, err
}

func (e engine) Cost(ctx context.Context, s frameql.Statement) (analyst.PlanCost, error) {
	rows, bytes, ms, basis, err := e.s.Cost(ctx, s)
	return analyst.PlanCost{Rows: rows, Bytes: bytes, MS: ms, Basis: basis}, err
}
