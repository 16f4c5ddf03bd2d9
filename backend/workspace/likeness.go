package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/retrieval"
	"assay/backend/session"
	"assay/backend/text"
)

const (
	embedWait   = 3 * time.Second  // for the vector of a question
	readyWait   = time.Second      // for vectors that are being made while a question is there
	awayFor     = time.Minute      // that a model is left alone after it could not be asked
	prepareWait = 10 * time.Minute // for all vectors of a workspace
	rememberedQ = 64               // questions whose vectors are not asked for again
)

// likeness is who says what is alike: the model that the person chose, once it has embedded what is kept, and the built-in embedder until then and whenever it cannot be asked.
// The vectors of the model are made in the background, and lie in a file of their own for each model, version and number of dimensions.
type likeness struct {
	w     *Workspace
	patch time.Duration // how long a question waits for vectors that are being made

	begin  sync.Mutex // one preparation after the other
	mu     sync.Mutex
	by     *embedded // nil: there are none, or not yet
	name   string    // of the model that by is of, or that is being prepared; empty: built in
	why    string    // a sentence: why by is not used; empty: it is, or nothing was chosen
	until  time.Time // when it is asked again
	ahead  []session.Sent
	cancel context.CancelFunc
	done   chan struct{} // closed when the vectors that are being made are there, or cannot be; nil: none were made
}

// embedded is what is kept, by the vectors of one model.
type embedded struct {
	name    string
	vectors *retrieval.Store
}

// Likeness says who finds what is alike.
type Likeness struct {
	Chosen string `json:"chosen" doc:"PROVIDER:MODEL; empty: the embedder that is built in"`
	Ready  bool   `json:"ready" doc:"Its vectors are there, and it could be asked when it was asked last"`
	Text   string `json:"text" doc:"The same in words, with what is used in its place and why"`
	Leaves string `json:"leaves" doc:"What leaves this machine for it"`
}

// embeddedBy is what vectors depend on among the settings.
func embeddedBy(s Settings) string {
	local := ""
	if s.LocalOnly {
		local = "local"
	}
	return strings.Join([]string{s.Minds.Embedding, s.Minds.Ollama, s.Minds.OpenAI, local}, "\x00")
}

func (w *Workspace) openLikeness() *likeness { return &likeness{w: w, patch: readyWait} }

// Likeness says who finds what is alike, and what is used now.
func (w *Workspace) Likeness() Likeness {
	l := w.likeness
	l.mu.Lock()
	defer l.mu.Unlock()
	out := Likeness{Chosen: l.name, Ready: l.by != nil && l.why == "", Leaves: w.minds.Embeds()}
	switch {
	case l.name == "":
		out.Text = text.Say("workspace.likeness_built_in")
	case l.why != "":
		out.Text = l.why
	default:
		out.Text = text.Say("workspace.likeness_ready", "mind", l.name)
	}
	return out
}

// AwaitLikeness waits until the model that was chosen has embedded what is kept. Faults: those of the model; Canceled.
func (w *Workspace) AwaitLikeness(ctx context.Context) error {
	l := w.likeness
	l.mu.Lock()
	done := l.done
	l.mu.Unlock()
	if done != nil {
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.name != "" && l.why != "" {
		return fault.New(fault.Unavailable, "embed", l.why, text.Say("workspace.likeness_away_hint"))
	}
	return nil
}

// prepare makes the vectors that are chosen now, in the background. What the same model embedded before is used until then.
func (l *likeness) prepare() {
	l.begin.Lock()
	defer l.begin.Unlock()
	l.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	name := l.w.chosenNow().Minds.Embedding
	if name != l.name {
		l.by, l.ahead = nil, nil
	}
	l.name, l.why, l.until = name, "", time.Time{}
	if name == "" {
		l.by, l.done = nil, nil
		return
	}
	if l.by == nil {
		l.why = text.Say("workspace.likeness_preparing", "mind", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), prepareWait)
	done := make(chan struct{})
	l.cancel, l.done = cancel, done
	go func() {
		defer close(done)
		defer cancel()
		made, err := l.make(ctx, name)
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.done != done { // another one was chosen meanwhile
			return
		}
		if err != nil {
			l.away(name, err)
			return
		}
		l.by, l.why = made, ""
	}()
}

// make embeds what is kept and is not in the file of the model.
func (l *likeness) make(ctx context.Context, name string) (*embedded, error) {
	model, err := l.w.minds.Embedder(ctx)
	if err != nil {
		return nil, err
	}
	if model == nil {
		return nil, errors.New("no model is chosen")
	}
	by, err := retrieval.Foreign(ctx, model.Name(), l.asking(model))
	if err != nil {
		return nil, err
	}
	kept := l.w.golden.Load()
	vectors, made, err := retrieval.Open(ctx, retrieval.Options{Embedder: by, Path: l.w.vectorsFile("recall", by.ID), Records: kept.records})
	if err == nil && made > 0 {
		err = vectors.Save()
	}
	if err != nil {
		return nil, err
	}
	return &embedded{name: name, vectors: vectors}, nil
}

// vectorsFile is where the vectors of a foreign embedder lie.
func (w *Workspace) vectorsFile(of, embedder string) string {
	sum := sha256.Sum256([]byte(embedder))
	return filepath.Join(w.dir, ".assay", of+"-"+hex.EncodeToString(sum[:6])+".vectors")
}

// asking gives vectors by a model: those of a question are remembered for a while, so that it is sent once, and what is sent without a question waits for the ledger of the next one.
func (l *likeness) asking(model llm.Embedder) func(context.Context, []string) ([][]float32, error) {
	e := analyst.Embedder{Embedder: model, Mask: func(s string) string { return l.w.Rules().PII.Redact(s) }}
	var mu sync.Mutex
	remembered := map[[sha256.Size]byte][]float32{}
	begun := false
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		kind := "example"
		if !begun { // the sentences that it is measured with
			kind, begun = "", true
		}
		asked := analyst.Answering(ctx)
		var key [sha256.Size]byte
		if asked {
			kind, key = "question", sha256.Sum256([]byte(strings.Join(texts, "\x00")))
			mu.Lock()
			v := remembered[key]
			mu.Unlock()
			if v != nil {
				return [][]float32{v}, nil
			}
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, embedWait)
			defer cancel()
		}
		vectors, sent, err := e.Embed(ctx, kind, texts)
		switch {
		case !asked && !sent.Local:
			l.mu.Lock()
			l.ahead = append(l.ahead, sent)
			l.mu.Unlock()
		case asked && err == nil && len(vectors) == 1:
			mu.Lock()
			if len(remembered) >= rememberedQ {
				clear(remembered)
			}
			remembered[key] = vectors[0]
			mu.Unlock()
		}
		return vectors, err
	}
}

// chosen gives the vectors of the model that was chosen; nil: what is built in is to be used, and why, in a sentence; empty: because nothing else was chosen. A model that could not be
// asked is tried again after a while. Vectors that are being made are waited for, but not for long.
func (l *likeness) chosen(ctx context.Context) (*embedded, string) {
	if l == nil {
		return nil, ""
	}
	l.mu.Lock()
	again := l.why != "" && !l.until.IsZero() && l.w.opts.Now().After(l.until)
	by, done := l.by, l.done
	l.mu.Unlock()
	if again {
		l.prepare()
		l.mu.Lock()
		by, done = l.by, l.done
		l.mu.Unlock()
	}
	if by == nil && done != nil {
		wait, cancel := context.WithTimeout(ctx, l.patch)
		defer cancel()
		select {
		case <-done:
		case <-wait.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != "" || l.by == nil {
		return nil, l.why
	}
	if len(l.ahead) > 0 && analyst.Ahead(ctx, l.ahead) {
		l.ahead = nil
	}
	return l.by, ""
}

// failed notes that a model could not be asked about a question, and says so. Where only the question ended the model is asked again with the next one.
func (l *likeness) failed(ctx context.Context, by *embedded, err error) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil || analyst.Played(ctx) {
		return ""
	}
	if l.by == by {
		l.away(by.name, err)
	}
	return l.why
}

// away notes why a model is not used for now. The mutex is held.
func (l *likeness) away(name string, err error) {
	reason := text.Say("workspace.likeness_failed")
	var known *fault.Error
	if errors.As(err, &known) {
		reason = known.Message
	} else if errors.Is(err, context.DeadlineExceeded) {
		reason = text.Say("workspace.likeness_slow")
	}
	l.why = text.Say("workspace.likeness_away", "mind", name, "why", reason)
	l.until = l.w.opts.Now().Add(awayFor)
}

// stop ends what is being made, and waits until it has ended.
func (l *likeness) stop() {
	l.mu.Lock()
	cancel, done := l.cancel, l.done
	l.cancel = nil
	l.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

// end stops for good. It may be called where nothing was begun.
func (l *likeness) end() {
	if l != nil {
		l.stop()
	}
}
