package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/minds"
	"assay/backend/text"
	"assay/backend/workspace"
)

// mindCommand says who may think, tries them, and chooses one.
func (p Program) mindCommand() *cobra.Command {
	return group("mind", text.Say("cli.mind_short"), p.mindList(), p.mindTest(), p.mindUse(), p.mindEmbed(), p.mindPull())
}

// checkMind reads the name of a mind on the command line.
func checkMind(name string) error {
	if _, err := minds.Parse(name); err != nil {
		return usageError{err}
	}
	return nil
}

// mindList asks every provider that can be asked now: those whose key is missing, or that are elsewhere while nothing may leave, say so.
func (p Program) mindList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "list [flags]", Short: text.Say("cli.mind_list_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		chosen := ws.Settings().Minds.Mind
		var all []minds.Found
		for _, provider := range minds.Providers() {
			found, err := ws.Minds().Find(ctx, provider)
			if err != nil {
				return err
			}
			all = append(all, found)
		}
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{"mind": chosen, "embedding": ws.Likeness(), "local_only": ws.Settings().LocalOnly, "providers": all})
		}
		p.say(mark(chosen, minds.Embedded) + text.Say("cli.mind_embedded"))
		for _, f := range all {
			if !f.There {
				p.say("  " + text.Say("cli.mind_absent", "provider", minds.Called(f.Provider), "why", f.Message, "hint", f.Hint))
				continue
			}
			for _, m := range f.Models {
				p.say(mark(chosen, m.Mind) + text.Say("cli.mind_line", "mind", m.Mind, "where", f.Host, "size", sizeOf(m.Bytes)))
				if m.Digest != "" {
					p.say("      " + text.Say("analyst.mind_digest", "digest", m.Digest))
				}
			}
			if len(f.Models) == 0 {
				p.say("  " + text.Say("cli.mind_absent", "provider", minds.Called(f.Provider), "why", f.Host, "hint", f.Hint))
			}
		}
		p.say(ws.Likeness().Text)
		return nil
	})
	return c
}

func mark(chosen, mind string) string {
	if chosen == mind {
		return "* "
	}
	return "  "
}

// sizeOf is how large weights are, in decimal units; empty: not known.
func sizeOf(bytes int64) string {
	switch {
	case bytes <= 0:
		return ""
	case bytes < 1e9:
		return fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// mindTest tries a mind. Exit status 1: it cannot be used.
func (p Program) mindTest() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "test [flags] NAME", Short: text.Say("cli.mind_test_short"), Args: exactly(1, 1, "cli.no_mind_name")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		if err := checkMind(args[0]); err != nil {
			return err
		}
		tell := func(l minds.Line) {
			p.say(fmt.Sprintf("%-9s  %s: %s", text.Say("cli.mind_"+l.Status), l.Label, l.Text))
		}
		if asJSON {
			tell = nil
		}
		tried, err := ws.Minds().Try(ctx, args[0], tell)
		if err != nil {
			return err
		}
		if asJSON {
			if err := writeJSON(p.Stdout, tried); err != nil {
				return err
			}
		}
		if !tried.Passed {
			return fault.New(fault.Unavailable, "test mind", text.Say("cli.mind_unfit", "mind", tried.Mind), text.Say("cli.mind_unfit_hint"))
		}
		return nil
	})
	return c
}

// mindUse chooses who thinks where a question does not say it.
func (p Program) mindUse() *cobra.Command {
	var localOnly bool
	c := &cobra.Command{Use: "use [flags] NAME", Short: text.Say("cli.mind_use_short"), Args: exactly(1, 1, "cli.no_mind_name")}
	c.Flags().BoolVar(&localOnly, "local-only", true, text.Say("cli.flag_local_only"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := checkMind(args[0]); err != nil {
			return err
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		s := ws.Settings()
		s.Minds.Mind = args[0]
		if c.Flags().Changed("local-only") {
			s.LocalOnly = localOnly
		}
		if s, err = ws.Choose(c.Context(), s); err != nil {
			return err
		}
		leaving, err := ws.Minds().Leaves(s.Minds.Mind)
		if err != nil {
			return err
		}
		p.say(text.Say("cli.mind_used", "mind", s.Minds.Mind, "leaves", leaving.Summary))
		return nil
	}
	return c
}

// mindEmbed chooses who finds what is alike, and waits until what is kept is embedded. A model that cannot be asked is not chosen.
func (p Program) mindEmbed() *cobra.Command {
	var localOnly bool
	c := &cobra.Command{Use: "embed [flags] NAME", Short: text.Say("cli.mind_embed_short"), Long: text.Say("cli.mind_embed_long"), Example: `  assay mind embed ollama:nomic-embed-text
  assay mind embed built-in`, Args: exactly(1, 1, "cli.no_embedder_name")}
	c.Flags().BoolVar(&localOnly, "local-only", true, text.Say("cli.flag_local_only"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		name, err := minds.ParseEmbedding(args[0])
		if err != nil {
			return usageError{err}
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		before, s := ws.Settings(), ws.Settings()
		s.Minds.Embedding = name
		if c.Flags().Changed("local-only") {
			s.LocalOnly = localOnly
		}
		if _, err = ws.Choose(c.Context(), s); err != nil {
			return err
		}
		if err := ws.AwaitLikeness(c.Context()); err != nil {
			_, _ = ws.Choose(context.WithoutCancel(c.Context()), before) // what could not be asked is what there is to say
			return err
		}
		p.say(ws.Likeness().Text)
		p.say(text.Say("cli.mind_embeds", "leaves", ws.Likeness().Leaves))
		return nil
	}
	return c
}

// mindPull has the Ollama server fetch a model, and says how far it is: a line for each part, and for each tenth of it.
func (p Program) mindPull() *cobra.Command {
	c := &cobra.Command{Use: "pull [flags] NAME", Short: text.Say("cli.mind_pull_short"), Args: exactly(1, 1, "cli.no_mind_name")}
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		said := ""
		n, err := ws.Minds().Pull(ctx, args[0], func(at minds.Pulled) {
			line, tenth := at.Status, int64(0)
			if at.Total > 0 {
				line, tenth = text.Say("cli.mind_pulling", "status", at.Status, "done", sizeOf(at.Completed), "total", sizeOf(at.Total)), 10*at.Completed/at.Total
			}
			if now := fmt.Sprint(at.Status, tenth); now != said {
				said = now
				p.say(line)
			}
		})
		if err != nil {
			return err
		}
		p.say(text.Say("cli.mind_pulled", "mind", n))
		return nil
	})
	return c
}
