package cli

import (
	"github.com/spf13/cobra"

	"assay/backend/semantic"
	"assay/backend/semantic/dbt"
	"assay/backend/text"
)

// modelDiff shows what a project changes: against a workspace, or against an older state of itself.
func (p Program) modelDiff() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "diff [flags] [OLD] NEW", Short: text.Say("cli.model_diff_short"), Args: exactly(1, 2, "cli.no_project")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		var result *dbt.Result
		var plan *dbt.Plan
		if len(args) == 2 {
			before, err := sealedProject(args[0])
			if err != nil {
				return err
			}
			if result, err = readProject(args[1], nil); err != nil {
				return err
			}
			after, err := result.Sealed()
			if err != nil {
				return err
			}
			plan = &dbt.Plan{Before: before, After: after, Changes: semantic.Diff(before, after)}
		} else {
			ws, err := open(c.Context())
			if err != nil {
				return err
			}
			defer ws.Close()
			if result, plan, err = planned(ws, args[0]); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(p.Stdout, planJSON(result, plan))
		}
		if len(plan.Changes) == 0 {
			p.say(text.Say("cli.no_changes"))
		}
		p.printChanges(plan.Changes)
		p.printConflicts(plan)
		return nil
	}
	return c
}

func sealedProject(path string) (*semantic.Model, error) {
	r, err := readProject(path, nil)
	if err != nil {
		return nil, err
	}
	return r.Sealed()
}
