package cli

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) sessionCommand() *cobra.Command {
	return group("session", text.Say("cli.session_short"), p.sessionList(), p.sessionShow(), p.sessionRename(), p.sessionReplay(), p.sessionCheck(), p.sessionExport(), p.sessionPage(), p.sessionWorkbook(), p.sessionImport(), p.sessionModel(),
		p.sessionFork(), p.sessionTree(), p.sessionSearch(), p.sessionShare(), p.sessionShares(),
		p.onSession("unshare", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			return ws.Memory().RevokeShare(ctx, id)
		}),
		p.onSession("pin", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			return ws.Memory().Pin(ctx, id, true)
		}),
		p.onSession("unpin", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			return ws.Memory().Pin(ctx, id, false)
		}),
		p.onSession("archive", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			return ws.Memory().Archive(ctx, id, true)
		}),
		p.onSession("unarchive", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			return ws.Memory().Archive(ctx, id, false)
		}),
		p.onSession("clear", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			_, err := ws.Memory().Clear(ctx, id)
			return err
		}),
		p.onSession("unclear", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			_, err := ws.Memory().Unclear(ctx, id)
			return err
		}),
		p.sessionDelete(),
		p.onSession("restore", func(ctx context.Context, ws *workspace.Workspace, id string) error {
			return ws.Memory().Restore(ctx, id)
		}),
	)
}

func (p Program) sessionList() *cobra.Command {
	var asJSON, archived bool
	c := &cobra.Command{Use: "list", Short: text.Say("cli.session_list_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.Flags().BoolVar(&archived, "archived", false, text.Say("cli.flag_archived"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		heads, err := ws.Memory().Sessions(ctx)
		if err != nil {
			return err
		}
		heads = slices.DeleteFunc(heads, func(h memory.SessionHead) bool { return h.Archived != archived })
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{"sessions": heads})
		}
		for _, h := range heads {
			if h.Pinned {
				h.Title = text.Say("cli.session_pinned", "title", h.Title)
			}
			line := text.Count("cli.session_line", int64(h.Turns), "id", h.ID, "updated", h.Updated.Format("2006-01-02 15:04"), "turns", h.Turns, "title", h.Title)
			if h.Expires != nil {
				line += text.Say("cli.session_expires", "date", h.Expires.Format(time.DateOnly))
			}
			p.say(line)
		}
		return nil
	})
	return c
}

func (p Program) sessionShow() *cobra.Command {
	var asJSON, sent bool
	c := &cobra.Command{Use: "show ID", Short: text.Say("cli.session_show_short"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.Flags().BoolVar(&sent, "sent", false, text.Say("cli.flag_sent"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		doc, err := ws.Memory().Session(ctx, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, doc)
		}
		p.say(doc.Title)
		p.sayWhence(doc)
		for _, turn := range doc.Turns {
			line := text.Say("cli.turn_line", "n", turn.Index, "question", turn.Question, "outcome", turn.Outcome)
			if turn.Archived != nil {
				line = text.Say("cli.turn_cleared", "line", line)
			}
			if turn.Elsewhere != nil {
				line += " " + elsewhereWords(turn.Elsewhere)
			}
			p.say(line)
			if err := p.printTurnSent(turn, sent); err != nil {
				return err
			}
		}
		return nil
	})
	return c
}

// sayWhence says what a session was forked from, here or where it came from.
func (p Program) sayWhence(doc *session.Document) {
	if o := doc.Origin; o != nil {
		p.say(text.Say("cli.session_origin", "title", o.Title, "turn", o.Turn))
	}
	if doc.Imported == nil {
		return
	}
	if o := doc.Imported.Origin; o != nil {
		p.say(text.Say("cli.session_origin_there", "title", o.Title, "turn", o.Turn))
	}
}

// elsewhereWords is the mark of an answer that came with a file.
func elsewhereWords(e *session.Elsewhere) string {
	line := text.Say("cli.turn_elsewhere", "file", e.File, "at", e.At.Format(time.DateOnly))
	switch {
	case e.Relayed:
		line += " " + text.Say("cli.turn_relayed")
	case e.Signature == session.SignatureValid:
		line += " " + text.Say("cli.turn_signed", "name", e.Signer, "key", e.Fingerprint)
	}
	return line
}

// printTurnSent says what left the machine for a turn, and word for word where that is wanted.
func (p Program) printTurnSent(turn session.Turn, whole bool) error {
	var answer struct{ Sent []session.Sent }
	if len(turn.Answer) > 0 {
		if err := json.Unmarshal(turn.Answer, &answer); err != nil {
			return fault.Wrap(fault.Invalid, "show session", text.Say("cli.turn_odd", "n", turn.Index), "", err)
		}
	}
	p.printSent(answer.Sent)
	if !whole {
		return nil
	}
	kept := analyst.TextsSent(turn.Trace)
	for _, one := range kept.Requests {
		p.say(text.Say("cli.sent_to", "to", one.To, "task", one.Task))
		for _, part := range one.Parts {
			words, there := kept.Texts[part]
			if !there {
				words = text.Say("cli.sent_not_kept")
			}
			p.say(words)
		}
	}
	return nil
}

func (p Program) sessionRename() *cobra.Command {
	c := &cobra.Command{Use: "rename ID TITLE", Short: text.Say("cli.session_rename_short"), Args: exactly(2, 2, "cli.no_session_title")}
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return ws.Memory().Rename(ctx, args[0], args[1])
	})
	return c
}

func (p Program) sessionDelete() *cobra.Command {
	var forever bool
	c := &cobra.Command{Use: "delete ID", Short: text.Say("cli.session_delete_short"), Long: text.Say("cli.session_delete_long"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().BoolVar(&forever, "forever", false, text.Say("cli.flag_forever"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		if forever {
			_, err := ws.PurgeSession(ctx, args[0])
			return err
		}
		return ws.Memory().Delete(ctx, args[0])
	})
	return c
}

// onSession is a command that changes one session, and says nothing where that went well.
func (p Program) onSession(name string, do func(context.Context, *workspace.Workspace, string) error) *cobra.Command {
	c := &cobra.Command{Use: name + " ID", Short: text.Say("cli.session_" + name + "_short"), Args: exactly(1, 1, "cli.no_session")}
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return do(ctx, ws, args[0])
	})
	return c
}
