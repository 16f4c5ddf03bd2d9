package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/review"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// sharedList is what `memory candidates --json` says.
type sharedList struct {
	Items []review.Reviewed `json:"items"`
}

// memoryCandidates lists what waits for a decision, or all shared knowledge.
func (p Program) memoryCandidates() *cobra.Command {
	var asJSON, all bool
	var actor string
	c := &cobra.Command{Use: "candidates", Short: text.Say("cli.memory_candidates_short"), Long: text.Say("cli.memory_candidates_long"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&all, "all", false, text.Say("cli.flag_candidates_all"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		items, err := ws.Shared(ctx, actor, rules.Caller{})
		if err != nil {
			return err
		}
		list := sharedList{Items: []review.Reviewed{}}
		for _, v := range items {
			if all || v.Stands == knowledge.Pending {
				list.Items = append(list.Items, v)
			}
		}
		if asJSON {
			return writeJSON(p.Stdout, list)
		}
		if len(list.Items) == 0 {
			p.say(text.Say("cli.memory_no_candidates"))
		}
		for _, v := range list.Items {
			p.sayItem(v)
		}
		return nil
	})
	return c
}

func (p Program) sayItem(v review.Reviewed) {
	words := v.Title
	if v.Term != "" {
		words = v.Term + " = " + v.Means
	}
	confidence := fmt.Sprintf("%.2f", v.Confidence)
	if v.Needed == 0 {
		p.say(text.Say("cli.memory_item_alone", "id", v.ID, "words", words, "status", string(v.Stands), "confidence", confidence))
		return
	}
	p.say(text.Count("cli.memory_item", int64(v.People), "id", v.ID, "words", words, "status", string(v.Stands), "n", v.People, "seniors", v.Seniors, "needed", v.Needed, "confidence", confidence))
}

// memoryOffer puts what somebody taught before the stewards.
func (p Program) memoryOffer() *cobra.Command {
	var asJSON bool
	var actor string
	c := &cobra.Command{Use: "offer ID", Short: text.Say("cli.memory_offer_short"), Args: exactly(1, 1, "cli.no_correction_id")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		defer ws.AwaitJudging(ctx) // the model that is on may compare it, once what was asked is done and said
		v, err := ws.OfferCorrection(ctx, args[0], actor, rules.Caller{})
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, v)
		}
		p.sayItem(v)
		return nil
	})
	return c
}

// reviewed is what `memory review --json` says.
type reviewed struct {
	review.Reviewed
	Blast *review.Blast `json:"blast"` // null: a decision was given
}

// memoryReview shows a piece of shared knowledge with what would come of it, or decides about it.
func (p Program) memoryReview() *cobra.Command {
	var asJSON, judge, yes bool
	var actor, reason string
	chosen := map[knowledge.Verdict]*bool{}
	c := &cobra.Command{Use: "review ID", Short: text.Say("cli.memory_review_short"), Long: text.Say("cli.memory_review_long"), Example: `  assay memory review ID
  assay memory review ID --judge
  assay memory review ID --approve
  assay memory review ID --approve --yes --for sales --valid-until 2027-06-30
  assay memory review ID --reject --reason "the board counts gross revenue"`, Args: exactly(1, 1, "cli.no_item_id")}
	for _, v := range []knowledge.Verdict{knowledge.Approve, knowledge.Order, knowledge.Reject, knowledge.Revoke, knowledge.Endorse, knowledge.Hide, knowledge.Offer} {
		chosen[v] = c.Flags().Bool(strings.ReplaceAll(string(v), "_", "-"), false, text.Say("cli.flag_"+string(v)))
	}
	reach := reachFlags(c)
	c.Flags().BoolVar(&judge, "judge", false, text.Say("cli.flag_judge"))
	c.Flags().BoolVar(&yes, "yes", false, text.Say("cli.flag_approve_yes"))
	c.Flags().StringVar(&reason, "reason", "", text.Say("cli.flag_reason"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		var verdicts []knowledge.Verdict
		for v, is := range chosen {
			if *is {
				verdicts = append(verdicts, v)
			}
		}
		if len(verdicts) > 1 {
			return fault.New(fault.Invalid, "review", text.Say("cli.memory_one_verdict"), "")
		}
		defer ws.AwaitJudging(ctx) // as of what is offered
		if judge {
			if _, err := ws.JudgeItem(ctx, args[0], actor, rules.Caller{}); err != nil {
				return err
			}
		}
		v, directed, err := reach.apply(ctx, ws, args[0], reason, actor)
		switch {
		case err != nil:
			return err
		case len(verdicts) == 0 && !directed:
			return p.showItem(ctx, ws, args[0], actor, asJSON)
		case len(verdicts) == 1:
			item, err := ws.SharedItem(ctx, args[0], actor, rules.Caller{})
			if err != nil {
				return err
			}
			// What this person cannot decide is refused below.
			if comes := verdicts[0] == knowledge.Approve || verdicts[0] == knowledge.Order; comes && slices.Contains(item.May, verdicts[0]) {
				blast, err := ws.LookAhead(ctx, args[0], actor, rules.Caller{})
				if err != nil {
					return err
				}
				shown := p
				if asJSON { // what is asked and shown is not the answer
					shown.Stdout = p.Stderr
				}
				shown.sayBlast(blast)
				if agreed, err := shown.agreed(yes, "cli.memory_approve_ask", args[0]); err != nil || !agreed {
					return err
				}
			}
			if v, err = ws.Decide(ctx, args[0], verdicts[0], reason, actor, rules.Caller{}); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(p.Stdout, reviewed{Reviewed: v})
		}
		p.sayItem(v)
		p.sayReach(v)
		return nil
	})
	return c
}

func (p Program) sayBlast(blast review.Blast) {
	p.say(text.Count("cli.memory_blast", int64(blast.Looked), "looked", blast.Looked, "changed", len(blast.Changed), "others", blast.Others, "left", blast.Left, "apart", blast.Apart))
	for _, m := range blast.Changed {
		p.say(text.Say("cli.memory_moved", "kind", m.Kind, "question", m.Question, "words", m.Words))
	}
}

func (p Program) showItem(ctx context.Context, ws *workspace.Workspace, id, actor string, asJSON bool) error {
	v, err := ws.SharedItem(ctx, id, actor, rules.Caller{})
	if err != nil {
		return err
	}
	blast, err := ws.LookAhead(ctx, id, actor, rules.Caller{})
	switch {
	case err != nil:
		return err
	case asJSON:
		return writeJSON(p.Stdout, reviewed{Reviewed: v, Blast: &blast})
	}
	p.sayItem(v)
	p.sayReach(v)
	if len(v.Entities) > 0 {
		p.say(text.Say("cli.memory_about", "entities", strings.Join(v.Entities, ", "), "tags", cmp.Or(strings.Join(v.Tags, ", "), "-")))
	}
	if v.Checked.Says != "" {
		p.say(text.Say("cli.memory_says", "says", v.Checked.Says))
	}
	for _, note := range v.Checked.Notes {
		p.say("  " + note)
	}
	if x := v.Checked.Project; x != nil {
		p.say(text.Say("cli.memory_project", "from", x.From, "note", x.Note))
		if x.There != "" {
			p.say(text.Say("cli.memory_project_there", "says", x.There, "place", x.Place))
			p.say(text.Say("cli.memory_project_here", "says", x.Here))
		}
	}
	for _, e := range v.Evidence {
		p.say(text.Say("cli.memory_evidence", "actor", e.Actor, "day", e.At.Format("2006-01-02"), "how", e.Detection.Says(), "quote", e.Quote))
	}
	for _, x := range v.Conflicts {
		p.sayConflict(x)
	}
	if v.Judged != nil {
		p.say("  " + v.Judged.Text)
	}
	p.sayBlast(blast)
	for _, d := range v.History {
		p.say(text.Say("cli.memory_decision", "day", d.At.Format("2006-01-02"), "verdict", strings.ReplaceAll(string(d.Verdict), "_", " "), "actor", d.By, "reason", d.Reason))
	}
	return nil
}

// sayConflict says what does not go together with a piece; what a model says is marked as its words.
func (p Program) sayConflict(x review.Conflict) {
	suggestion := strings.ReplaceAll(cmp.Or(x.Suggestion, text.Say("cli.memory_suggests_nothing")), "_", " ")
	key := "cli.memory_conflict"
	switch {
	case x.Relation != knowledge.Contrary:
	case x.Why != "":
		key = "cli.memory_conflict_of_model"
	default:
		key = "cli.memory_conflict_unsaid"
	}
	p.say(text.Say(key, "relation", string(x.Relation), "term", x.Term, "means", x.Means, "suggestion", suggestion, "model", x.By, "why", x.Why))
}

// memoryPropose writes the context file of what was approved.
func (p Program) memoryPropose() *cobra.Command {
	var asJSON, direct bool
	var actor string
	c := &cobra.Command{Use: "propose ID", Short: text.Say("cli.memory_propose_short"), Long: text.Say("cli.memory_propose_long"), Args: exactly(1, 1, "cli.no_item_id")}
	c.Flags().BoolVar(&direct, "direct", false, text.Say("cli.flag_direct"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		out, err := ws.ProposeFile(ctx, args[0], direct, actor, rules.Caller{})
		switch {
		case err != nil:
			return err
		case asJSON:
			return writeJSON(p.Stdout, out)
		case direct:
			p.say(text.Say("cli.memory_written", "file", out.File))
			return nil
		}
		p.say(text.Say("cli.memory_proposed", "file", out.File, "branch", out.Branch, "commit", out.Commit))
		p.say(out.Patch)
		return nil
	})
	return c
}
