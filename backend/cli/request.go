package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/analyst"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// requestCommand says a word about a request that waits.
func (p Program) requestCommand() *cobra.Command {
	say := func(on analyst.Happening) func(context.Context, *workspace.Workspace, string, askFlags) error {
		return func(ctx context.Context, ws *workspace.Workspace, id string, f askFlags) error {
			s, err := ws.Say(ctx, analyst.Word{RequestID: id, On: on, Actor: f.actor})
			if err != nil {
				return err
			}
			return p.printStanding(s, f.json)
		}
	}
	return group("request", text.Say("cli.request_short"),
		p.onRequest("show", func(ctx context.Context, ws *workspace.Workspace, id string, f askFlags) error {
			s, err := ws.Memory().Standing(ctx, id)
			if err != nil {
				return err
			}
			return p.printStanding(s, f.json)
		}),
		p.onRequest("accept", say(analyst.OnAccepted)),
		p.onRequest("reject", say(analyst.OnRejected)),
		p.onRequest("decline", say(analyst.OnDeclined)),
		p.onRequest("handle", say(analyst.OnHandled)),
		p.onRequest("confirm", func(ctx context.Context, ws *workspace.Workspace, id string, f askFlags) error {
			answer, err := ws.Confirm(ctx, analyst.Word{RequestID: id, Actor: f.actor}, nil)
			if err != nil {
				return err
			}
			if f.json {
				return writeJSON(p.Stdout, answer)
			}
			return p.printAnswer(answer)
		}),
		p.requestPin("pin", true),
		p.requestPin("unpin", false),
		p.requestThumb(analyst.ThumbUp),
		p.requestThumb(analyst.ThumbDown),
		p.onRequest("keep", func(ctx context.Context, ws *workspace.Workspace, id string, f askFlags) error {
			g, err := ws.KeepGolden(ctx, id, f.actor, rules.Caller{})
			if err != nil {
				return err
			}
			if f.json {
				return writeJSON(p.Stdout, g)
			}
			p.say(text.Say("cli.kept", "question", g.Question))
			return nil
		}),
	)
}

// onRequest is a command about one request.
func (p Program) onRequest(name string, do func(context.Context, *workspace.Workspace, string, askFlags) error) *cobra.Command {
	var f askFlags
	c := &cobra.Command{Use: name + " ID", Short: text.Say("cli.request_" + name + "_short"), Args: exactly(1, 1, "cli.no_request")}
	c.Flags().BoolVar(&f.json, "json", false, text.Say("cli.flag_json"))
	c.Flags().StringVar(&f.actor, "actor", "", text.Say("cli.flag_actor"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return do(ctx, ws, args[0], f)
	})
	return c
}

func (p Program) printStanding(s analyst.Standing, asJSON bool) error {
	if asJSON {
		return writeJSON(p.Stdout, s)
	}
	became := string(s.Settled)
	if became == "" {
		became = s.Status
	}
	p.say(text.Say("cli.standing", "request", s.RequestID, "stage", string(s.Stage), "level", s.Level, "became", became, "question", s.Question))
	if !s.Until.IsZero() && s.Settled == "" {
		p.say(text.Say("cli.standing_until", "until", s.Until.Format("2006-01-02 15:04")))
	}
	return nil
}

// inboxCommand shows what an actor is told.
func (p Program) inboxCommand() *cobra.Command {
	var f askFlags
	c := &cobra.Command{Use: "inbox", Short: text.Say("cli.inbox_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&f.json, "json", false, text.Say("cli.flag_json"))
	c.Flags().StringVar(&f.actor, "actor", "", text.Say("cli.flag_actor"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		notices, err := ws.Inbox(ctx, f.actor, rules.Caller{})
		if err != nil {
			return err
		}
		if f.json {
			return writeJSON(p.Stdout, map[string]any{"notices": notices})
		}
		for _, n := range notices {
			at := n.At.Format("2006-01-02 15:04")
			if n.RequestID == "" {
				p.say(text.Say("cli.notice_alone", "at", at, "words", n.Words))
				continue
			}
			p.say(text.Say("cli.notice", "at", at, "words", n.Words, "question", n.Question, "request", n.RequestID))
		}
		if len(notices) == 0 {
			p.say(text.Say("cli.inbox_empty"))
		}
		return nil
	})
	return c
}

// requestThumb says what an answer was like.
func (p Program) requestThumb(thumb string) *cobra.Command {
	var actor string
	said := session.Feedback{Thumb: thumb}
	c := &cobra.Command{Use: thumb + " ID", Short: text.Say("cli.request_" + thumb + "_short"), Args: exactly(1, 1, "cli.no_request")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().StringVar(&said.Reason, "reason", "", text.Say("cli.flag_reason_"+thumb))
	c.Flags().StringVar(&said.Words, "words", "", text.Say("cli.flag_words"))
	if thumb == analyst.ThumbDown {
		c.Flags().BoolVar(&said.Serious, "serious", false, text.Say("cli.flag_serious"))
	}
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		_, learned, err := ws.Opine(ctx, analyst.Opinion{RequestID: args[0], Feedback: &said, Actor: actor})
		if err == nil && learned != nil {
			p.say(learned.Words)
		}
		return err
	})
	return c
}

// requestPin puts an answer before the others, or back among them. How it is looked at stays as it is.
func (p Program) requestPin(name string, pinned bool) *cobra.Command {
	c := &cobra.Command{Use: name + " ID", Short: text.Say("cli.request_" + name + "_short"), Args: exactly(1, 1, "cli.no_request")}
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return ws.PinAnswer(ctx, args[0], pinned)
	})
	return c
}
