package cli

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// workLines is how many pairs and interests are said; JSON has more.
const workLines = 10

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
		for i, o := range work.Together[:min(len(work.Together), workLines)] {
			if i == 0 {
				p.say(text.Say("cli.memory_work_together"))
			}
			p.say(text.Say("cli.memory_work_pair", "n", o.Times, "one", o.One, "other", o.Other, "last", o.Last.Format(time.DateOnly)))
		}
		for i, o := range work.Interests[:min(len(work.Interests), workLines)] {
			if i == 0 {
				p.say(text.Say("cli.memory_work_interests"))
			}
			p.say(text.Say("cli.memory_work_interest", "weight", strconv.FormatFloat(o.Weight, 'f', 2, 64), "name", o.Name, "last", o.Last.Format(time.DateOnly)))
		}
		return nil
	})
	return c
}
