package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/knowledge"
	"assay/backend/review"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// described are the flags that say what a piece of shared knowledge is called, says and is about.
type described struct {
	title, says, category, reason, actor string
	about, tags                          []string
	json                                 bool
}

func describeFlags(c *cobra.Command) *described {
	d := &described{}
	c.Flags().StringVar(&d.says, "says", "", text.Say("cli.flag_says"))
	c.Flags().StringVar(&d.category, "category", "", text.Say("cli.flag_category"))
	c.Flags().StringArrayVar(&d.about, "about", nil, text.Say("cli.flag_about"))
	c.Flags().StringArrayVar(&d.tags, "tag", nil, text.Say("cli.flag_tag"))
	c.Flags().StringVar(&d.actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&d.json, "json", false, text.Say("cli.flag_json"))
	return d
}

// memoryWrite puts something that is to be known before the stewards.
func (p Program) memoryWrite() *cobra.Command {
	c := &cobra.Command{
		Use: "write TITLE --says TEXT", Short: text.Say("cli.memory_write_short"), Args: exactly(1, 1, "cli.no_title"),
		Example: `  assay memory write "Part years" --says "1996 and 1998 are not whole years" --about orders --tag time`,
	}
	d := describeFlags(c)
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		defer ws.AwaitJudging(ctx)
		to := knowledge.Description{Title: args[0], Content: d.says, Category: knowledge.Factual, Tags: d.tags, Entities: d.about}
		if d.category != "" {
			to.Category = knowledge.Sort(d.category)
		}
		v, err := ws.WriteItem(ctx, to, d.actor, rules.Caller{})
		return p.sayDescribed(v, d.json, err)
	})
	return c
}

// memoryDescribe says otherwise what a piece is called, says and is about. What is not named stays.
func (p Program) memoryDescribe() *cobra.Command {
	c := &cobra.Command{
		Use: "describe ID", Short: text.Say("cli.memory_describe_short"), Args: exactly(1, 1, "cli.no_item_id"),
		Example: `  assay memory describe ID --title "Part years" --about orders --about shippers --tag time`,
	}
	d := describeFlags(c)
	c.Flags().StringVar(&d.title, "title", "", text.Say("cli.flag_title"))
	c.Flags().StringVar(&d.reason, "reason", "", text.Say("cli.flag_reason"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		was, err := ws.SharedItem(ctx, args[0], d.actor, rules.Caller{})
		if err != nil {
			return err
		}
		to := knowledge.Description{Title: was.Title, Content: was.Content, Category: was.Category, Tags: was.Tags, Entities: was.Entities}
		for flag, set := range map[string]func(){
			"title": func() { to.Title = d.title }, "says": func() { to.Content = d.says }, "category": func() { to.Category = knowledge.Sort(d.category) },
			"about": func() { to.Entities = d.about }, "tag": func() { to.Tags = d.tags },
		} {
			if c.Flags().Changed(flag) {
				set()
			}
		}
		v, err := ws.DescribeItem(ctx, args[0], to, d.reason, d.actor, rules.Caller{})
		return p.sayDescribed(v, d.json, err)
	})
	return c
}

func (p Program) sayDescribed(v review.Reviewed, asJSON bool, err error) error {
	switch {
	case err != nil:
		return err
	case asJSON:
		return writeJSON(p.Stdout, reviewed{Reviewed: v})
	}
	p.sayItem(v)
	return nil
}
