package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) sessionCommand() *cobra.Command {
	return group("session", text.Say("cli.session_short"), p.sessionList(), p.sessionShow())
}

func (p Program) sessionList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "list", Short: text.Say("cli.session_list_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		heads, err := ws.Memory().Sessions(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{"sessions": heads})
		}
		for _, h := range heads {
			p.say(text.Say("cli.session_line", "id", h.ID, "updated", h.Updated.Format("2006-01-02 15:04"), "turns", h.Turns, "title", h.Title))
		}
		return nil
	})
	return c
}

func (p Program) sessionShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "show ID", Short: text.Say("cli.session_show_short"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		doc, err := ws.Memory().Session(ctx, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, doc)
		}
		p.say(doc.Title)
		for _, turn := range doc.Turns {
			p.say(text.Say("cli.turn_line", "n", turn.Index+1, "question", turn.Question, "outcome", turn.Outcome))
		}
		return nil
	})
	return c
}
