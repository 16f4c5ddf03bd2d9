package cli

import (
	"github.com/spf13/cobra"

	"assay/backend/analyst"
	"assay/backend/text"
)

// sqlCommand runs a SELECT that a person wrote, through the gate, the rules and the audit log.
func (p Program) sqlCommand() *cobra.Command {
	explain := false
	c := p.given(&cobra.Command{Use: "sql [flags] SQL|-", Short: text.Say("cli.sql_short"), Example: text.Say("cli.sql_example"), Args: exactly(1, -1, "cli.no_sql")},
		func(r *analyst.Request, statement string) { r.SQL, r.Explain = statement, explain })
	c.Flags().BoolVar(&explain, "explain", false, text.Say("cli.flag_explain_sql"))
	return c
}
