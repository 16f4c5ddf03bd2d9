package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) frameCommand() *cobra.Command {
	return p.given(&cobra.Command{Use: "frame [flags] FRAME_QL|-", Short: text.Say("cli.frame_short"), Example: text.Say("cli.frame_example"), Args: exactly(1, -1, "cli.no_query")},
		func(r *analyst.Request, query string) { r.FrameQL = query })
}

// given is a command that runs what a person wrote in a query language, on the command line or on standard input.
func (p Program) given(c *cobra.Command, put func(r *analyst.Request, written string)) *cobra.Command {
	var flags askFlags
	flags.add(c)
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		request, err := flags.request()
		if err != nil {
			return err
		}
		written, err := p.queryText(args)
		if err != nil {
			return err
		}
		put(&request, written)
		return on(open, func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
			return p.answer(ctx, ws, request, flags)
		})(c, args)
	}
	return c
}

// longestQuery is more than a query may have in either form: what is cut there is refused, and never read in part.
const longestQuery = 8 << 20

// queryText is the query on the command line, or standard input for "-".
func (p Program) queryText(args []string) (string, error) {
	query := strings.Join(args, " ")
	if query != "-" {
		return query, nil
	}
	raw, err := io.ReadAll(io.LimitReader(p.Stdin, longestQuery))
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, "read query", text.Say("cli.no_stdin"), "", err)
	}
	return string(raw), nil
}

func (p Program) compileCommand() *cobra.Command {
	var dialect, now string
	var explain, asJSON bool
	c := &cobra.Command{Use: "compile [flags] FRAME_QL|-", Short: text.Say("cli.compile_short"), Example: text.Say("cli.compile_example"), Args: exactly(1, -1, "cli.no_query")}
	c.Flags().BoolVar(&explain, "explain", false, text.Say("cli.flag_explain"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.Flags().StringVar(&dialect, "dialect", string(frameql.DuckDB), text.Say("cli.flag_dialect"))
	c.Flags().StringVar(&now, "now", "", text.Say("cli.flag_now"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		clock, err := parseNow(now)
		if err != nil {
			return err
		}
		switch frameql.Dialect(dialect) {
		case frameql.DuckDB, frameql.Postgres, frameql.MySQL, frameql.ClickHouse:
		default:
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_dialect", "dialect", dialect), text.Say("cli.bad_dialect_hint"))}
		}
		query, err := p.queryText(args)
		if err != nil {
			return err
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		e, refusals, err := ws.Compile(c.Context(), query, frameql.Dialect(dialect), clock)
		if err != nil {
			return err
		}
		if len(refusals) > 0 {
			p.printRefusals(refusals)
			return nil
		}
		switch {
		case asJSON:
			return writeJSON(p.Stdout, e)
		case explain || strings.HasPrefix(strings.ToUpper(strings.TrimSpace(query)), "EXPLAIN"):
			p.printExplanation(&e)
		default:
			p.printSQL(&e)
		}
		return nil
	}
	return c
}

func (p Program) periodCommand() *cobra.Command {
	var now string
	var asJSON bool
	c := &cobra.Command{Use: "period PHRASE", Short: text.Say("cli.period_short"), Example: `  assay period "last quarter" --now 2026-01-15T09:00:00Z`, Args: exactly(1, -1, "cli.no_phrase")}
	c.Flags().StringVar(&now, "now", "", text.Say("cli.flag_now"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		clock, err := parseNow(now)
		if err != nil {
			return err
		}
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		period, err := ws.Period(strings.Join(args, " "), clock)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, period)
		}
		p.say(text.Say("cli.period_line", "start", orOpen(period.Start), "end", orOpen(period.End), "query", period.FrameQL))
		for _, assumption := range period.Assumptions {
			p.say(text.Say("cli.assumed", "assumption", assumption))
		}
		return nil
	}
	return c
}

// orOpen shows an end that a period does not have.
func orOpen(day string) string {
	if day == "" {
		return text.Say("cli.open_end")
	}
	return day
}
