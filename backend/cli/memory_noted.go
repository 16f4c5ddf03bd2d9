package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// memoryNoted lists what was noted and waits for a word of its person.
func (p Program) memoryNoted() *cobra.Command {
	var asJSON, every bool
	var actor string
	c := &cobra.Command{Use: "noted", Short: text.Say("cli.memory_noted_short"), Long: text.Say("cli.memory_noted_long"), Args: exactly(0, 0, "")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&every, "now", false, text.Say("cli.flag_noted_now"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		if err := ws.LookBack(ctx, every); err != nil {
			return err
		}
		all, err := ws.Noted(ctx, actor, rules.Caller{})
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, map[string]any{"noted": all})
		case len(all) == 0:
			p.say(text.Say("cli.memory_noted_none"))
		}
		for _, one := range all {
			key := "cli.memory_noted_change"
			if one.Detection == knowledge.ByTranscript {
				key = "cli.memory_noted_said"
			}
			p.say(text.Say(key, "id", one.ID, "term", one.Term, "means", one.Means, "quote", one.Quote))
		}
		return nil
	})
	return c
}

// memoryRemember says whether what was noted is to be remembered.
func (p Program) memoryRemember(name string, keep bool) *cobra.Command {
	var asJSON bool
	var actor string
	c := &cobra.Command{Use: name + " ID", Short: text.Say("cli.memory_" + name + "_short"), Args: exactly(1, 1, "cli.no_correction_id")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		t, err := ws.Remember(ctx, args[0], keep, actor, rules.Caller{})
		switch {
		case err != nil || keep:
			return p.sayTaught(asJSON)(t, err)
		case asJSON:
			return writeJSON(p.Stdout, map[string]any{"learned": nil})
		}
		p.say(text.Say("cli.memory_left"))
		return nil
	})
	return c
}
