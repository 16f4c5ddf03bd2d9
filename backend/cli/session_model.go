package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/text"
	"assay/backend/workspace"
)

// sessionModel shows what the model that came with a session would bring here, and writes it when asked to.
func (p Program) sessionModel() *cobra.Command {
	var write, asJSON bool
	c := &cobra.Command{
		Use: "model ID", Short: text.Say("cli.session_model_short"), Long: text.Say("cli.session_model_long"), Example: text.Say("cli.session_model_example"),
		Args: exactly(1, 1, "cli.no_session"),
	}
	c.Flags().BoolVar(&write, "write", false, text.Say("cli.flag_session_model_write"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		give := ws.SessionModel
		if write {
			give = ws.TakeSessionModel
		}
		o, err := give(ctx, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, o)
		}
		p.sayTravelled(o, write)
		return nil
	})
	return c
}

var travelledMarks = map[string]string{
	workspace.TravelledMissing: "+", workspace.TravelledDiffers: "~", workspace.TravelledInside: ".", workspace.TravelledRefused: "!",
}

func (p Program) sayTravelled(o workspace.SessionModel, written bool) {
	switch {
	case len(o.Came) == 0:
		p.say(text.Say("cli.travelled_none"))
		return
	case o.Unread != "":
		p.say(text.Say("cli.session_model_unread", "why", o.Unread))
		return
	}
	for _, d := range o.Definitions {
		line := "  " + travelledMarks[d.Here] + " " + d.Object
		if d.Why != "" {
			line += ": " + d.Why
		}
		p.say(line)
		for _, f := range d.Fields {
			p.say("      " + text.Say("cli.travelled_field", "field", f.Field, "here", shortened(f.Before), "there", shortened(f.After)))
		}
	}
	if o.Same > 0 {
		p.say(text.Count("cli.travelled_same", int64(o.Same), "n", o.Same))
	}
	if len(o.LeftOut) > 0 {
		p.say(text.Say("cli.travelled_left", "names", strings.Join(o.LeftOut, ", ")))
	}
	for _, problem := range o.Problems {
		p.say(text.Say("cli.travelled_problem", "problem", problem))
	}
	if len(o.Files) == 0 {
		p.say(text.Say("cli.travelled_nothing"))
		return
	}
	p.say(text.Say("cli.travelled_changes"))
	p.printChanges(o.Changes)
	if o.Also > 0 {
		p.say(text.Count("cli.travelled_also", int64(o.Also), "n", o.Also))
	}
	for _, f := range o.Files {
		key := "cli.travelled_file"
		if written {
			key = "cli.wrote_file"
		}
		p.say(text.Say(key, "file", f.Path))
	}
	if !written {
		p.say(text.Say("cli.travelled_hint"))
	}
}
