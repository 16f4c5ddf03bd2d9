package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) auditCommand() *cobra.Command {
	return group("audit", text.Say("cli.audit_short"), p.auditVerify(), p.auditShow(), p.auditRetire())
}

// auditVerify checks the chain. A log that does not hold is a failure of the machine, and the exit status says so.
func (p Program) auditVerify() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "verify", Short: text.Say("cli.audit_verify_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		v, err := ws.Memory().VerifyAudit(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			if err := writeJSON(p.Stdout, v); err != nil {
				return err
			}
		}
		switch {
		case !v.Valid:
			return fault.New(fault.Invalid, "verify audit log", v.Problem, text.Say("cli.audit_broken_hint"))
		case !asJSON:
			p.say(text.Count("cli.audit_valid", v.Entries, "n", grouped(v.Entries), "first", v.First, "last", v.Last))
		}
		return nil
	})
	return c
}

func (p Program) auditShow() *cobra.Command {
	var asJSON, raw bool
	var filter memory.AuditFilter
	c := &cobra.Command{Use: "show", Short: text.Say("cli.audit_show_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.Flags().BoolVar(&raw, "raw", false, text.Say("cli.flag_raw"))
	c.Flags().IntVar(&filter.Last, "last", 20, text.Say("cli.flag_last"))
	c.Flags().StringVar(&filter.RequestID, "request", "", text.Say("cli.flag_request"))
	c.Flags().StringVar(&filter.SessionID, "session", "", text.Say("cli.flag_session"))
	c.Flags().StringVar(&filter.Actor, "actor", "", text.Say("cli.flag_audit_actor"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		if raw {
			entries, err := ws.Memory().Audit(ctx, filter)
			if err != nil {
				return err
			}
			return writeJSON(p.Stdout, map[string]any{"entries": entries})
		}
		log, err := ws.Memory().QueryLog(ctx, filter)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{"log": log})
		}
		for _, e := range log {
			outcome := ""
			if e.Outcome != nil {
				outcome = e.Outcome.Outcome + " " + e.Outcome.Status
			}
			level := 0
			if e.Risk != nil {
				level = e.Risk.AutonomyLevel
			}
			p.say(text.Say("cli.audit_line", "at", e.At.Format("2006-01-02 15:04:05"), "request", e.RequestID, "actor", e.Actor, "level", level, "outcome", outcome, "question", e.Question))
		}
		return nil
	})
	return c
}

func (p Program) auditRetire() *cobra.Command {
	var before string
	c := &cobra.Command{Use: "retire --before DATE", Short: text.Say("cli.audit_retire_short"), Args: exactly(0, 0, "")}
	c.Flags().StringVar(&before, "before", "", text.Say("cli.flag_before"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, _ []string) error {
		at, err := parseNow(before)
		if err != nil {
			return err
		}
		if at.IsZero() {
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.no_before"), text.Say("cli.usage_hint", "usage", c.UseLine()))}
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		went, err := ws.Memory().RetireAudit(c.Context(), at)
		if err != nil {
			return err
		}
		p.say(text.Count("cli.audit_retired", went, "n", grouped(went)))
		return nil
	}
	return c
}
