package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/report"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) sessionReplay() *cobra.Command {
	var asJSON bool
	var turns []int
	var clock, actor string
	c := &cobra.Command{Use: "replay ID", Short: text.Say("cli.session_replay_short"), Long: text.Say("cli.session_replay_long"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().IntSliceVar(&turns, "turn", nil, text.Say("cli.flag_replay_turn"))
	c.Flags().StringVar(&clock, "clock", "recorded", text.Say("cli.flag_replay_clock"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	run := on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		tell := p.sayReplayed
		if asJSON {
			tell = nil
		}
		report, err := ws.Replay(ctx, args[0], workspace.ReplayOptions{Turns: turns, Anew: clock == "now", Actor: actor}, tell)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, report)
		}
		p.say(text.Say("cli.replay_sum", "same", report.Same, "differ", report.Differ, "failed", report.Failed))
		return nil
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if clock != "recorded" && clock != "now" {
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_clock", "clock", clock), text.Say("cli.bad_clock_hint"))}
		}
		return run(c, args)
	}
	return c
}

func (p Program) sayReplayed(t session.Replayed) {
	line := text.Say("cli.replay_"+t.Stands, "n", t.Turn, "question", session.Title(t.Question), "step", t.Step)
	if t.Words != "" {
		line += "\n  " + t.Words
	}
	for _, why := range t.Since {
		line += "\n  " + why
	}
	p.say(line)
	p.sayComparison(t.Comparison)
}

// checked is what `session check --json` says.
type checked struct {
	Answers []workspace.Unsettled `json:"answers"`
}

func (p Program) sessionCheck() *cobra.Command {
	var asJSON, list bool
	c := &cobra.Command{Use: "check [ID]", Short: text.Say("cli.session_check_short"), Long: text.Say("cli.session_check_long"), Args: exactly(0, 1, "")}
	c.Flags().BoolVar(&list, "list", false, text.Say("cli.flag_check_list"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		all, err := ws.Unsettled(ctx, append(args, "")[0])
		if err != nil {
			return err
		}
		for i := range all {
			if !list && all[i].Holding == nil {
				h, err := ws.AskAgain(ctx, all[i].RequestID)
				if err != nil {
					return err
				}
				all[i].Holding = &h
			} else if all[i].Holding != nil { // with the frames, which a list has not
				if all[i].Holding, err = ws.Memory().Holding(ctx, all[i].RequestID); err != nil {
					return err
				}
			}
			if !asJSON {
				p.sayUnsettled(all[i])
			}
		}
		if asJSON {
			return writeJSON(p.Stdout, checked{all})
		}
		if len(all) == 0 {
			p.say(text.Say("cli.check_nothing"))
		}
		return nil
	})
	return c
}

func (p Program) sayUnsettled(u workspace.Unsettled) {
	stands := "unknown"
	if u.Holding != nil {
		stands = u.Holding.Stands
	}
	line := text.Say("cli.check_"+stands, "request", u.RequestID, "question", session.Title(u.Question))
	if u.Holding != nil && u.Holding.Stands != session.HoldingHolds {
		line += "\n  " + u.Holding.Words
	}
	for _, why := range u.Because {
		line += "\n  " + why
	}
	p.say(line)
	if u.Holding != nil && u.Holding.Stands == session.HoldingMoved {
		p.sayComparison(u.Holding.Comparison)
	}
}

// comparedRows is how many rows of a comparison a terminal shows.
const comparedRows = 10

// sayComparison prints two frames side by side: the rows that are not the same, the first of them.
func (p Program) sayComparison(c *session.Comparison) {
	if c == nil {
		return
	}
	f, states := report.SideBySide(*c)
	if f == nil {
		return
	}
	shown := *f
	shown.Rows = nil
	for i, row := range f.Rows {
		if states[i] != "same" {
			shown.Rows = append(shown.Rows, row)
		}
	}
	differ := len(shown.Rows)
	shown.Rows = shown.Rows[:min(differ, comparedRows)]
	if differ == 0 {
		return
	}
	p.printFrame(&shown)
	if differ > comparedRows {
		p.say(text.Say("cli.compared_more", "shown", comparedRows, "total", grouped(int64(differ))))
	}
}
