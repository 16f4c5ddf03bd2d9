package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/backend/risk"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) riskCommand() *cobra.Command {
	return group("risk", text.Say("cli.risk_short"),
		p.onWeights("show", func(_ context.Context, ws *workspace.Workspace) (risk.History, string, error) {
			return ws.Weights(), "", nil
		}),
		p.onWeights("calibrate", func(ctx context.Context, ws *workspace.Workspace) (risk.History, string, error) {
			history, _, reason, err := ws.Calibrate(ctx)
			return history, reason, err
		}),
		p.onWeights("back", func(ctx context.Context, ws *workspace.Workspace) (risk.History, string, error) {
			history, err := ws.StepBack(ctx)
			return history, "", err
		}),
	)
}

// onWeights is a command that gives the weights after it.
func (p Program) onWeights(name string, do func(context.Context, *workspace.Workspace) (history risk.History, says string, err error)) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: name, Short: text.Say("cli.risk_" + name + "_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		history, says, err := do(ctx, ws)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{"history": history, "says": says})
		}
		if says != "" {
			p.say(says)
		}
		p.printWeights(history.Current())
		return nil
	})
	return c
}

func (p Program) printWeights(set risk.WeightSet) {
	figure := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	w := set.Weights
	p.say(text.Say("cli.risk_weights", "version", set.Version, "complexity", figure(w.Complexity), "source", figure(w.SourceRisk), "novelty", figure(w.Novelty),
		"ambiguity", figure(w.Ambiguity), "outcomes", set.Outcomes, "failures", set.Failures))
	for _, b := range set.Reliability {
		p.say(text.Say("cli.risk_bin", "from", figure(b.From), "to", figure(b.To), "predicted", figure(b.Predicted), "observed", figure(b.Observed), "n", b.Count))
	}
}
