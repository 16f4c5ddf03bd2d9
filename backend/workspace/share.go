package workspace

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/report"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// ShareChoice is what a person chooses when a session gets a read-only address.
type ShareChoice struct {
	Turn   int            // the last one that it shows; 0: the last that is there now
	Frames session.Frames // what it shows of the rows of answers; empty: whole
	Days   int            // until it expires; 0: 30
}

// How long an address is open, in days.
const (
	ShareDays     = 30
	MostShareDays = 365
)

// ShareSession makes a read-only address of a session and gives the token that opens it: it is stored nowhere and cannot be had again. To hand a session over is to use its
// answers: those that wait and may be accepted by use are accepted.
//
// Faults: NotFound (no such session or turn), Invalid (no such choice), Limit (too many are open), and those of the memory.
func (w *Workspace) ShareSession(ctx context.Context, id string, c ShareChoice) (s memory.Share, token string, err error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return s, "", err
	}
	if c.Frames == "" {
		c.Frames = session.FramesWhole
	}
	if c.Days == 0 {
		c.Days = ShareDays
	}
	if c.Days < 1 || c.Days > MostShareDays {
		return s, "", fault.New(fault.Invalid, "share session", text.Say("workspace.share_days", "days", c.Days), text.Say("workspace.share_days_hint", "most", MostShareDays))
	}
	if _, err := w.survey(ctx, id, SessionChoice{Frames: c.Frames}); err != nil { // what cannot be exported so cannot be shown so
		return s, "", err
	}
	if err := w.noteOpened(ctx, opened{What: openedShare}, analyst.Answer{SessionID: id}, ""); err != nil {
		return s, "", err
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	token = hex.EncodeToString(raw)
	s, err = w.memory.AddShare(ctx, memory.Share{
		ID: newID(), SessionID: id, Turn: c.Turn, Frames: c.Frames, Actor: me.ID, Expires: w.opts.Now().UTC().Add(time.Duration(c.Days) * 24 * time.Hour),
	}, token)
	if err != nil {
		return s, "", err
	}
	return s, token, w.usedBy(ctx, s)
}

// SharedPage writes the page that the token of an address opens, and says how it is to be served. Faults: NotFound (with the same words for what never was and what is closed),
// and those of SessionPage.
func (w *Workspace) SharedPage(ctx context.Context, token string, out io.Writer) (policy string, err error) {
	s, err := w.memory.Shared(ctx, token)
	if err != nil {
		return "", err
	}
	d, err := w.sessionDocument(ctx, s.SessionID, PageChoice{Frames: s.Frames, Turn: s.Turn}, opened{What: openedShared, Share: s.ID})
	if err != nil {
		return "", err
	}
	return report.Policy(), report.WritePage(out, d)
}

// usedBy accepts what an address shows and what its use may accept.
func (w *Workspace) usedBy(ctx context.Context, s memory.Share) error {
	waiting, err := w.memory.Waiting(ctx, s.SessionID)
	if err != nil {
		return err
	}
	for _, one := range waiting {
		if one.Stage != analyst.StageAccept || one.Turn > s.Turn {
			continue
		}
		_, err := w.Say(ctx, analyst.Word{RequestID: one.RequestID, On: analyst.OnAccepted, How: analyst.HowShare})
		if code := fault.CodeOf(err); err != nil && code != fault.Conflict && code != fault.Unauthorized { // settled meanwhile, or somebody else's
			return err
		}
	}
	return nil
}
