package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/review"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// reaching are the flags that say whom a piece of shared knowledge is for. Those that are not given leave it as it is.
type reaching struct {
	command                         *cobra.Command
	audience, from, until, replaces string
	confidential                    bool
}

func reachFlags(c *cobra.Command) *reaching {
	r := &reaching{command: c}
	c.Flags().StringVar(&r.audience, "for", "", text.Say("cli.flag_item_for"))
	c.Flags().StringVar(&r.from, "valid-from", "", text.Say("cli.flag_item_from"))
	c.Flags().StringVar(&r.until, "valid-until", "", text.Say("cli.flag_item_until"))
	c.Flags().StringVar(&r.replaces, "in-place-of", "", text.Say("cli.flag_item_replaces"))
	c.Flags().BoolVar(&r.confidential, "confidential", false, text.Say("cli.flag_item_confidential"))
	return r
}

// apply says whom an item is for, where any flag does; false: none does.
func (r *reaching) apply(ctx context.Context, ws *workspace.Workspace, id, reason, actor string) (review.Reviewed, bool, error) {
	given := r.command.Flags().Changed
	if !given("for") && !given("valid-from") && !given("valid-until") && !given("in-place-of") && !given("confidential") {
		return review.Reviewed{}, false, nil
	}
	v, err := ws.SharedItem(ctx, id, actor, rules.Caller{})
	if err != nil {
		return v, true, err
	}
	to := v.Reach()
	if given("for") {
		to.Audience = r.audience
	}
	if given("in-place-of") {
		to.Supersedes = r.replaces
	}
	if given("confidential") {
		to.Sensitivity = knowledge.Internal
		if r.confidential {
			to.Sensitivity = knowledge.Confidential
		}
	}
	for _, day := range []struct {
		flag, text string
		into       *time.Time
	}{{"valid-from", r.from, &to.From}, {"valid-until", r.until, &to.Until}} {
		if !given(day.flag) {
			continue
		}
		*day.into = time.Time{}
		if day.text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, day.text)
		if err != nil {
			return v, true, fault.New(fault.Invalid, "review", text.Say("cli.memory_no_day", "flag", "--"+day.flag, "day", day.text), text.Say("cli.memory_no_day_hint"))
		}
		*day.into = at
	}
	v, err = ws.DirectItem(ctx, id, to, reason, actor, rules.Caller{})
	return v, true, err
}

// sayReach says whom an item is for, where that is not everyone for ever.
func (p Program) sayReach(v review.Reviewed) {
	if v.Audience != "" {
		p.say(text.Say("cli.memory_for", "group", v.Audience))
	}
	if v.ValidFrom != nil {
		p.say(text.Say("cli.memory_from", "day", v.ValidFrom.Format(time.DateOnly)))
	}
	if v.ValidUntil != nil {
		p.say(text.Say("cli.memory_until", "day", v.ValidUntil.Format(time.DateOnly)))
	}
	if v.Supersedes != "" {
		p.say(text.Say("cli.memory_replaces", "item", v.Supersedes))
	}
	if v.Sensitivity == knowledge.Confidential {
		p.say(text.Say("cli.memory_confidential"))
	}
}
