package cli

import (
	"github.com/spf13/cobra"

	"assay/backend/text"
)

// modelMaterialize keeps frames on purpose: those that materialize_at of the metrics names, or what a query reads.
func (p Program) modelMaterialize() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "materialize [flags] [FRAME_QL|-]", Short: text.Say("cli.model_materialize_short"), Example: text.Say("cli.model_materialize_example"), Args: exactly(0, -1, ""),
	}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		query, err := p.queryText(args)
		if err != nil {
			return err
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		kept, err := ws.Materialize(c.Context(), query)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{"frames": kept})
		}
		if len(kept) == 0 {
			p.say(text.Say("cli.materialize_nothing"))
		}
		for _, k := range kept {
			if k.FrameID == "" {
				p.say(text.Say("cli.materialize_not", "query", k.FrameQL, "why", k.Reason))
				continue
			}
			p.say(text.Count("cli.materialized", k.Rows, "query", k.FrameQL, "frame", k.FrameID, "rows", grouped(k.Rows), "kb", grouped((k.Bytes+1023)/1024)))
		}
		return nil
	}
	return c
}
