package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) sessionFork() *cobra.Command {
	var asJSON bool
	var at memory.ForkAt
	c := &cobra.Command{
		Use: "fork ID", Short: text.Say("cli.session_fork_short"), Long: text.Say("cli.session_fork_long"), Example: text.Say("cli.session_fork_example"),
		Args: exactly(1, 1, "cli.no_session"),
	}
	c.Flags().IntVar(&at.Turn, "turn", 0, text.Say("cli.flag_fork_turn"))
	c.Flags().StringVar(&at.Artifact, "artifact", "", text.Say("cli.flag_fork_artifact"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	run := on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		forked, err := ws.Fork(ctx, args[0], at)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, forked)
		}
		p.say(text.Say("cli.session_forked", "id", forked.SessionID, "title", forked.Title))
		return nil
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		wrong := func(message string) error {
			return usageError{fault.New(fault.Invalid, "command line", message, text.Say("cli.fork_one_hint"))}
		}
		switch {
		case c.Flags().Changed("turn") && at.Turn < 1:
			return wrong(text.Say("cli.fork_turn", "turn", at.Turn))
		case at.Turn != 0 && at.Artifact != "":
			return wrong(text.Say("cli.fork_one"))
		}
		return run(c, args)
	}
	return c
}
