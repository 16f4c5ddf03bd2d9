package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) memoryCommand() *cobra.Command {
	return group("memory", text.Say("cli.memory_short"), p.memoryCorrect(), p.memoryList(), p.memoryFind(), p.memoryChange(), p.memoryNarrow(), p.memoryForget(), p.memoryNoted(), p.memoryRemember("remember", true), p.memoryRemember("leave", false), p.memoryWork(),
		p.memoryOffer(), p.memoryWrite(), p.memoryDescribe(), p.memoryCandidates(), p.memoryReview(), p.memoryPropose(), p.memoryBundle())
}

func (p Program) memoryCorrect() *cobra.Command {
	var asJSON bool
	var l analyst.Lesson
	c := &cobra.Command{Use: "correct WORDS", Short: text.Say("cli.memory_correct_short"), Long: text.Say("cli.memory_correct_long"), Example: `  assay memory correct "sales means net revenue"
  assay memory correct "exclude discontinued products from revenue"
  assay memory correct "show numbers in millions"
  assay memory correct --request ID "by the states I mean USA"`, Args: exactly(1, 1, "cli.no_correction")}
	c.Flags().StringVar(&l.RequestID, "request", "", text.Say("cli.flag_corrected"))
	c.Flags().StringVar(&l.Actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		l.Words = args[0]
		return p.sayTaught(asJSON)(ws.Teach(ctx, l))
	})
	return c
}

func (p Program) sayTaught(asJSON bool) func(*analyst.Taught, error) error {
	return func(t *analyst.Taught, err error) error {
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, t)
		}
		p.say(t.Words)
		switch {
		case t.Correction != nil:
			p.sayCorrection(*t.Correction)
		case t.Preference != nil:
			p.sayPreference(*t.Preference)
		}
		return nil
	}
}

func (p Program) sayPreference(one knowledge.Preference) {
	p.say(text.Say("cli.memory_preference", "id", one.ID, "what", one.Subject(), "how", one.Says()))
}

// memoryCorrections is what `memory list --json` says.
type memoryCorrections struct {
	Corrections []knowledge.Correction `json:"corrections"`
	Preferences []knowledge.Preference `json:"preferences"`
}

func (p Program) memoryList() *cobra.Command {
	var asJSON bool
	var actor string
	c := &cobra.Command{Use: "list", Short: text.Say("cli.memory_list_short"), Args: exactly(0, 0, "")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		all, err := ws.Corrections(ctx, actor, rules.Caller{})
		if err != nil {
			return err
		}
		looks, err := ws.Preferences(ctx, actor, rules.Caller{})
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, memoryCorrections{all, looks})
		case len(all)+len(looks) == 0:
			p.say(text.Say("cli.memory_empty"))
		}
		for _, c := range all {
			p.sayCorrection(c)
		}
		for _, one := range looks {
			p.sayPreference(one)
		}
		return nil
	})
	return c
}

// sayCorrection writes a correction, and who read it where its person has not confirmed that.
func (p Program) sayCorrection(c knowledge.Correction) {
	p.say(text.Say("cli.memory_line", "id", c.ID, "term", c.Term, "means", c.Means))
	if c.Unconfirmed() {
		p.say(text.Say("cli.memory_read_by", "model", c.ReadBy, "id", c.ID, "means", c.Means))
	}
}

func (p Program) memoryFind() *cobra.Command {
	var asJSON bool
	var actor, session string
	c := &cobra.Command{Use: "find WORDS", Short: text.Say("cli.memory_find_short"), Example: `  assay memory find "what do we call sales"
  assay memory find customers.country`, Args: exactly(1, 1, "cli.no_find_words")}
	c.Flags().StringVar(&session, "session", "", text.Say("cli.flag_find_session"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		found, err := ws.FindTaught(ctx, args[0], session, actor, rules.Caller{})
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, map[string]any{"found": found})
		case len(found) == 0:
			p.say(text.Say("cli.memory_found_none"))
		}
		for _, f := range found {
			p.say(text.Say("cli.memory_found_"+f.Kind, "id", f.ID, "term", f.Term, "means", f.Means))
		}
		return nil
	})
	return c
}

func (p Program) memoryChange() *cobra.Command {
	var asJSON bool
	var l analyst.Lesson
	c := &cobra.Command{Use: "change ID", Short: text.Say("cli.memory_change_short"), Args: exactly(1, 1, "cli.no_correction_id")}
	c.Flags().StringVar(&l.Term, "term", "", text.Say("cli.flag_term"))
	c.Flags().StringVar(&l.Means, "means", "", text.Say("cli.flag_means"))
	c.Flags().StringVar(&l.Actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return p.sayTaught(asJSON)(ws.AmendCorrection(ctx, args[0], l))
	})
	return c
}

func (p Program) memoryNarrow() *cobra.Command {
	var asJSON bool
	var actor string
	c := &cobra.Command{Use: "narrow ID", Short: text.Say("cli.memory_narrow_short"), Args: exactly(1, 1, "cli.no_correction_id")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return p.sayTaught(asJSON)(ws.NarrowCorrection(ctx, args[0], actor, rules.Caller{}))
	})
	return c
}

func (p Program) memoryForget() *cobra.Command {
	var actor string
	c := &cobra.Command{Use: "forget ID", Short: text.Say("cli.memory_forget_short"), Args: exactly(1, 1, "cli.no_correction_id")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		err := ws.ForgetCorrection(ctx, args[0], actor, rules.Caller{})
		if fault.CodeOf(err) == fault.NotFound { // it may be what they wrote down
			if other := ws.ForgetItem(ctx, args[0], actor, rules.Caller{}); fault.CodeOf(other) != fault.NotFound {
				err = other
			}
		}
		if err != nil {
			return err
		}
		p.say(text.Say("cli.memory_forgotten"))
		return nil
	})
	return c
}
