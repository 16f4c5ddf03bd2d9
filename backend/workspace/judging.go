package workspace

import (
	"context"
	"sync"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/review"
	"assay/backend/rules"
)

// judging has a model compare new and changed pieces of shared knowledge with others while people go on, one after the other.
type judging struct {
	mu      sync.Mutex
	waiting []toJudge
	done    chan struct{} // closed when nothing waits any more; nil: nothing does
	until   time.Time     // a model that could not be asked is left alone until then
}

// toJudge is a piece, and for whom it is compared: by the model that this person chose, with what they may see.
type toJudge struct {
	who  rules.Actor
	item string
}

// mostToJudge bounds what waits for a model. What finds no room is compared when somebody has it done.
const mostToJudge = 50

// judges names the model that compares shared knowledge for the person of this process; empty: none is on, or it may not be asked.
func (w *Workspace) judges(ctx context.Context, actor rules.Actor) string {
	if w.opts.Thinkers == nil {
		return w.minds.Judges()
	}
	t, err := w.opts.Thinkers(ctx, actor, "")
	if err != nil || t == nil || t.Select(llm.Judging) == nil {
		return ""
	}
	card := t.Select(llm.Judging).Card()
	return card.Provider + ":" + card.Model
}

// JudgeItem has the model that a person chose compare a piece of shared knowledge with others, and waits for it; see review.Judge.
func (w *Workspace) JudgeItem(ctx context.Context, id, actor string, c rules.Caller) (review.Reviewed, error) {
	w.refresh(ctx)
	who, err := w.person(actor, c)
	if err != nil {
		return review.Reviewed{}, err
	}
	return w.reviewing.board.Judge(ctx, who, id)
}

// AwaitJudging waits until nothing that was put before the stewards waits for a model.
func (w *Workspace) AwaitJudging(ctx context.Context) {
	j := &w.reviewing.judging
	j.mu.Lock()
	done := j.done
	j.mu.Unlock()
	if done != nil {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
}

// judgeLater has a piece compared for somebody when no other one is, where a model is on. It holds nobody up, and what comes to nothing is left to whoever looks at the piece.
func (w *Workspace) judgeLater(who rules.Actor, item string) {
	if item == "" || w.judges(w.reviewing.life, who) == "" {
		return
	}
	j := &w.reviewing.judging
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.waiting) >= mostToJudge || w.opts.Now().Before(j.until) {
		return
	}
	j.waiting = append(j.waiting, toJudge{who, item})
	if j.done != nil {
		return
	}
	done := make(chan struct{})
	j.done = done
	w.reviewing.running.Go(func() {
		defer close(done)
		for {
			next, more := j.next(w.reviewing.life)
			if !more {
				return
			}
			v, err := w.reviewing.board.Judge(w.reviewing.life, next.who, next.item)
			if code := fault.CodeOf(err); code == fault.NotFound || code == fault.Conflict || code == fault.Unauthorized {
				continue // it is not theirs, or was decided about meanwhile
			}
			if err != nil || v.Judged != nil && v.Judged.Failed {
				j.leave(w.opts.Now().Add(awayFor))
			}
		}
	})
}

// next gives what is to be compared next; false: nothing, and the one who asks ends.
func (j *judging) next(life context.Context) (toJudge, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.waiting) == 0 || life.Err() != nil {
		j.waiting, j.done = nil, nil
		return toJudge{}, false
	}
	next := j.waiting[0]
	j.waiting = j.waiting[1:]
	return next, true
}

// leave lets what waits go, and a model alone until some time.
func (j *judging) leave(until time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting, j.until = nil, until
}
