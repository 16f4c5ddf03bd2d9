package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/git"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/review"
	"assay/backend/rules"
	"assay/backend/text"
)

// reviewing is the board of the workspace, and what it does while people work: it looks whether several taught the same.
type reviewing struct {
	board   *review.Board
	turn    sync.Mutex // one correction after another
	running sync.WaitGroup
	life    context.Context    // of what may be left undone
	stop    context.CancelFunc // ends it
	judging judging
	looked  atomic.Int64 // when sessions that are over were looked for last, in Unix nanoseconds
}

// openReview makes the board and has it look through what was taught before.
func (w *Workspace) openReview(ctx context.Context) {
	w.reviewing.board = review.New(review.Deps{
		Memory: w.memory, Rules: w.Rules, Whole: w.whole, Seen: w.sightOf, Now: w.opts.Now, Env: w.wholeEnv, Relied: w.relied, Mask: w.redact, Plain: w.analyst.Plain,
		Run: func(ctx context.Context, plan *frameql.Plan) (*frameql.Frame, error) {
			statement, err := plan.Statement(frameql.DuckDB)
			if err != nil {
				return nil, err
			}
			statement.MaxRows = w.opts.MaxRows
			return w.store.Query(ctx, statement)
		},
		Judge: w.analyst.Judge, Judges: w.judges,
	})
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.reviewing.life, w.reviewing.stop = life, stop
	w.reviewing.looked.Store(w.opts.Now().UnixNano())
	w.reviewing.running.Go(func() {
		w.reviewing.turn.Lock()
		defer w.reviewing.turn.Unlock()
		_, _ = w.analyst.LookBack(life, w.opts.Now().Add(-analyst.QuietFor))
		_ = w.reviewing.board.ConsiderAll(life) // what is left undone is done with the next correction, or at the next start
	})
}

// sightOf is what an actor may know of the workspace.
func (w *Workspace) sightOf(a rules.Actor) review.Sight {
	k := w.knownTo(a)
	return review.Sight{Knowledge: k, Env: w.envOf(k), Everything: w.Rules().Whitelist(a).Everything()}
}

// closeReview lets what was taught be considered to the end. A model is not waited for.
func (w *Workspace) closeReview() {
	if w.reviewing.stop != nil {
		w.reviewing.stop()
	}
	w.reviewing.running.Wait()
}

// taught has a correction considered while its person goes on.
func (w *Workspace) taught(c knowledge.Correction) {
	w.retaught(c.Author)
	w.reviewing.running.Go(func() {
		w.reviewing.turn.Lock()
		defer w.reviewing.turn.Unlock()
		item, err := w.reviewing.board.Consider(context.Background(), c)
		if err != nil { // it is considered again at the next start
			return
		}
		if who, _, known := w.Rules().Of(c.Author); known {
			w.judgeLater(who, item)
		}
	})
}

// LookBack looks through sessions that are over: those in which nothing happened for a while, or every one as it is now. See analyst.LookBack.
func (w *Workspace) LookBack(ctx context.Context, every bool) error {
	w.refresh(ctx)
	w.reviewing.turn.Lock()
	defer w.reviewing.turn.Unlock()
	since := w.opts.Now()
	if !every {
		since = since.Add(-analyst.QuietFor)
	}
	n, err := w.analyst.LookBack(ctx, since)
	if err == nil && n > 0 { // what was confirmed may speak for something now
		err = w.reviewing.board.ConsiderAll(ctx)
	}
	return err
}

// lookBackLater looks through the sessions that went quiet, beside the work, at most once in the time that it takes a session to do so.
func (w *Workspace) lookBackLater() {
	now := w.opts.Now()
	before := w.reviewing.looked.Load()
	if now.Sub(time.Unix(0, before)) < analyst.QuietFor || !w.reviewing.looked.CompareAndSwap(before, now.UnixNano()) {
		return
	}
	w.reviewing.running.Go(func() {
		_ = w.LookBack(w.reviewing.life, false) // it is tried again later
	})
}

// wholeEnv resolves queries over all of the workspace, whoever may see it, at the moment from which relative dates are counted.
func (w *Workspace) wholeEnv() frameql.Env {
	return w.envOf(w.whole())
}

func (w *Workspace) envOf(k analyst.Knowledge) frameql.Env {
	return k.Env(analyst.Anchor(k, w.opts.Now()), w.opts.MaxRows)
}

// relied gives the questions whose answers are relied on: golden queries of the files and of people, and answers that were accepted.
func (w *Workspace) relied(ctx context.Context) ([]review.Relied, error) {
	var all []review.Relied
	for _, g := range w.whole().Model.Golden {
		question, query, ok := interpret.Usually(&g)
		if !ok {
			question = g.Question
		}
		all = append(all, review.Relied{Kind: "golden", ID: g.Name, Question: question, FrameQL: canonical(query)})
	}
	goldens, err := w.memory.Goldens(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range goldens {
		all = append(all, review.Relied{Kind: "golden", ID: g.ID, Question: g.Question, FrameQL: canonical(g.FrameQL), Actor: g.Owner})
	}
	ids, err := w.memory.Relied(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		s, err := w.memory.Standing(ctx, id)
		if fault.CodeOf(err) == fault.NotFound {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		if s.FrameQL != "" {
			all = append(all, review.Relied{Kind: "accepted", ID: id, Question: s.Question, FrameQL: s.FrameQL, Actor: s.Actor})
		}
	}
	return all, nil
}

// canonical writes Frame-QL as it is printed; what cannot be read stays as it is.
func canonical(query string) string {
	if q, err := frameql.Parse(query); err == nil {
		return q.String()
	}
	return query
}

// Shared lists the shared knowledge that an actor may see, what waits for a decision first. Fault Unauthorized.
func (w *Workspace) Shared(ctx context.Context, actor string, c rules.Caller) ([]review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.Identify(actor, c)
	if err != nil {
		return nil, err
	}
	return w.reviewing.board.List(ctx, who)
}

// SharedItem gives a piece of it; see review.Look.
func (w *Workspace) SharedItem(ctx context.Context, id, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.Identify(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	return w.reviewing.board.Look(ctx, who, id)
}

// LookAhead says what would come of a piece of knowledge; see review.Blast.
func (w *Workspace) LookAhead(ctx context.Context, id, actor string, c rules.Caller) (review.Blast, error) {
	w.refresh(ctx)
	who, err := w.Identify(actor, c)
	if err != nil {
		return review.Blast{}, err
	}
	return w.reviewing.board.Blast(ctx, who, id)
}

// OfferCorrection puts what a person taught before the stewards; see review.Offer.
func (w *Workspace) OfferCorrection(ctx context.Context, id, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	v, err := w.reviewing.board.Offer(ctx, who, id)
	if err == nil {
		w.judgeLater(who, v.ID)
	}
	return v, err
}

// Decide gives a verdict about a piece of shared knowledge; see review.Decide.
func (w *Workspace) Decide(ctx context.Context, id string, verdict knowledge.Verdict, reason, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	v, err := w.reviewing.board.Decide(ctx, who, id, verdict, reason)
	if err == nil && verdict != knowledge.Endorse {
		w.resharedLater()
	}
	if err == nil && verdict == knowledge.Offer {
		w.judgeLater(who, id)
	}
	return v, err
}

// WriteItem puts something that is to be known before the stewards; see review.Write.
func (w *Workspace) WriteItem(ctx context.Context, d knowledge.Description, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	v, err := w.reviewing.board.Write(ctx, who, d)
	if err == nil {
		w.judgeLater(who, v.ID)
	}
	return v, err
}

// DescribeItem says otherwise what a piece of shared knowledge is called, says and is about; see review.Describe.
func (w *Workspace) DescribeItem(ctx context.Context, id string, to knowledge.Description, reason, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	v, err := w.reviewing.board.Describe(ctx, who, id, to, reason)
	if err == nil {
		w.judgeLater(who, id)
	}
	return v, err
}

// ForgetItem removes what its author wrote down, without a trace; see review.Forget.
func (w *Workspace) ForgetItem(ctx context.Context, id, actor string, c rules.Caller) error {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err == nil {
		err = w.reviewing.board.Forget(ctx, who, id)
	}
	if err == nil {
		w.reshared()
	}
	return err
}

// resharedLater takes what is not shared any more out of the vectors, beside the work.
func (w *Workspace) resharedLater() { w.reviewing.running.Go(w.reshared) }

// DirectItem says whom a piece of shared knowledge reaches; see review.Direct.
func (w *Workspace) DirectItem(ctx context.Context, id string, to knowledge.Reach, reason, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	v, err := w.reviewing.board.Direct(ctx, who, id, to, reason)
	if err == nil {
		w.judgeLater(who, id)
	}
	return v, err
}

// person is an actor who is one: no program decides about shared knowledge. Fault Unauthorized.
func (w *Workspace) person(actor string, c rules.Caller) (rules.Actor, error) {
	who, err := w.Identify(actor, c)
	if err == nil && who.Kind != rules.Human {
		err = fault.New(fault.Unauthorized, "decide", text.Say("analyst.teaches_no_person"), text.Say("analyst.teaches_no_person_hint"))
	}
	return who, err
}

// Proposed is the context file of a piece of shared knowledge, as it was written.
type Proposed struct {
	Item   review.Reviewed `json:"item"`
	File   string          `json:"file" doc:"Relative to the folder of the repository, or of the workspace"`
	Branch string          `json:"branch" doc:"Of git; empty: the file was written as it is, by somebody who works alone"`
	Commit string          `json:"commit" doc:"Its hash; empty: there is none"`
	Patch  string          `json:"patch" doc:"The commit as a mail, for git am; empty: there is none"`
}

// ProposeFile writes the context file of what was approved onto a branch of the git repository in which the workspace lies, for people to review and merge; direct writes it into the workspace
// as it is, for somebody who works alone. Faults: those of review.Propose and git.Propose; Unauthorized: direct, and others work here.
func (w *Workspace) ProposeFile(ctx context.Context, id string, direct bool, actor string, c rules.Caller) (Proposed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return Proposed{}, err
	}
	p, err := w.reviewing.board.Propose(ctx, who, id)
	if err != nil {
		return Proposed{}, err
	}
	out := Proposed{File: p.File}
	if direct {
		if !p.Direct {
			return out, fault.New(fault.Unauthorized, "propose", text.Say("workspace.not_alone"), text.Say("workspace.not_alone_hint"))
		}
		if err := w.writeDirect(p); err != nil {
			return out, err
		}
	} else {
		done, err := git.Propose(git.Change{Dir: w.dir, File: p.File, Text: p.Text, Branch: p.Branch, Message: p.Message, Actor: who.ID, At: w.opts.Now()})
		if err != nil {
			return out, err
		}
		out.File, out.Branch, out.Commit, out.Patch = done.File, done.Branch, done.Commit, done.Patch
	}
	if out.Item, err = w.reviewing.board.Written(ctx, who, p, out.Branch); err != nil || !direct {
		return out, err
	}
	w.refresh(ctx) // the file holds from now on
	out.Item, err = w.reviewing.board.Look(ctx, who, id)
	return out, err
}

// writeDirect writes a context file, or removes it. Fault Unavailable: the folder cannot be written.
func (w *Workspace) writeDirect(p review.Proposal) error {
	file := filepath.Join(w.dir, filepath.FromSlash(p.File))
	var err error
	if p.Text != nil {
		err = writeFile(w.dir, file, p.Text)
	} else if err = os.Remove(file); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, "write context file", text.Say("workspace.cannot_write", "dir", w.dir), text.Say("workspace.cannot_write_hint"), err)
	}
	return nil
}
