package cli

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// memoryWork says what somebody asked about lately.
func (p Program) memoryWork() *cobra.Command {
	var asJSON bool
	var actor string
	c := &cobra.Command{Use: "work", Short: text.Say("cli.memory_work_short"), Long: text.Say("cli.memory_work_long"), Args: exactly(0, 0, "")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		work, err := ws.Work(ctx, actor, rules.Caller{})
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, work)
		}
		p.say(text.Count("cli.memory_work", int64(work.Answers), "n", work.Answers, "since", work.Since.Format(time.DateOnly)))
		for _, counts := range []map[string]int{work.Metrics, work.Entities} {
			names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
				return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
			})
			for _, name := range names {
				p.say(text.Say("cli.memory_work_line", "n", counts[name], "name", name))
			}
		}
		return nil
	})
	return c
}
