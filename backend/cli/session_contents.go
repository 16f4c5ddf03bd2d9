package cli

import (
	"context"
	"strings"

	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// showContents says what the file of a session would hold, and writes nothing.
func (p Program) showContents(ctx context.Context, ws *workspace.Workspace, id string, choice workspace.SessionChoice, asJSON bool) error {
	c, err := ws.SessionContents(ctx, id, choice)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(p.Stdout, c)
	}
	p.say(text.Say("cli.session_would", "bytes", grouped(c.Bytes)))
	p.sayContents(c, choice.Frames)
	return nil
}

// sayContents says what stands in a session file, with whose rows it is written.
func (p Program) sayContents(c workspace.SessionContents, frames session.Frames) {
	p.say(text.Say("cli.session_contains", "turns", c.Turns, "frames", c.Frames, "rows", grouped(c.Rows)))
	if frames == session.FramesNone && c.Sentences > 0 {
		p.say(text.Say("cli.session_sentences"))
	}
	for _, names := range []struct {
		key   string
		names []string
	}{{"cli.session_tables", c.Tables}, {"cli.session_personal", c.Personal}, {"cli.session_model", c.Model}} {
		if len(names.names) > 0 {
			p.say(text.Say(names.key, "names", strings.Join(names.names, ", ")))
		}
	}
	if c.SQL {
		p.say(text.Say("cli.session_sql"))
	}
	for _, counted := range []struct {
		key string
		n   int
	}{
		{"cli.session_memos", c.Memos},
		{"cli.session_corrections", c.Corrections},
		{"cli.session_terms", c.Terms},
		{"cli.session_shared_terms", c.SharedTerms},
		{"cli.session_preferences", c.Preferences},
		{"cli.session_feedback", c.Feedback},
		{"cli.session_replies", c.Replies},
		{"cli.session_sent_texts", c.SentTexts},
		{"cli.session_elsewhere_held", c.Elsewhere},
		{"cli.session_versions", c.Versions},
		{"cli.session_cleared", c.Cleared},
		{"cli.session_unfinished", c.Unfinished},
	} {
		if counted.n > 0 {
			p.say(text.Count(counted.key, int64(counted.n), "n", counted.n))
		}
	}
	if c.Origin != "" {
		p.say(text.Say("cli.session_holds_origin", "title", c.Origin))
	}
	if c.Signer != nil {
		p.say(text.Say("cli.session_signed", "name", *c.Signer, "key", c.Key))
	}
}
