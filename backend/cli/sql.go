package cli

import (
	"github.com/spf13/cobra"

	"assay/backend/text"
)

// sqlCommand runs a SELECT that a person wrote, through the gate, the rules and the audit log.
func (p Program) sqlCommand() *cobra.Command {
	var flags askFlags
	c := &cobra.Command{Use: "sql [flags] SQL|-", Short: text.Say("cli.sql_short"), Example: text.Say("cli.sql_example"), Args: exactly(1, -1, "cli.no_sql")}
	flags.add(c)
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		request, err := flags.request()
		if err != nil {
			return err
		}
		if request.SQL, err = p.queryText(args); err != nil {
			return err
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		return p.answer(c.Context(), ws, request, flags)
	}
	return c
}
