package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/sqlgate"
	"assay/backend/store"
	"assay/backend/text"
)

// gateCommand is the gate alone: statements as JSON lines in, verdicts out, in order. Nothing runs.
func (p Program) gateCommand() *cobra.Command {
	var dialect string
	var schemas, tables []string
	var asJSON bool
	c := &cobra.Command{Use: "gate [flags]", Short: text.Say("cli.gate_short"), Long: text.Say("cli.gate_long"), Example: text.Say("cli.gate_example"), Args: exactly(0, 0, "")}
	c.Flags().StringVar(&dialect, "dialect", string(sqlgate.DuckDB), text.Say("cli.flag_gate_dialect"))
	c.Flags().StringSliceVar(&schemas, "schemas", nil, text.Say("cli.flag_schemas"))
	c.Flags().StringSliceVar(&tables, "tables", nil, text.Say("cli.flag_tables"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !slices.Contains(sqlgate.Dialects(), sqlgate.Dialect(dialect)) {
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_dialect", "dialect", dialect), text.Say("cli.bad_gate_dialect_hint"))}
		}
		var policy sqlgate.Policy
		if c.Flags().Changed("schemas") { // given and empty: nothing is allowed
			policy.Schemas = named(schemas)
		}
		if c.Flags().Changed("tables") {
			policy.Tables = named(tables)
		}
		parse, closing, err := store.OpenParser()
		if err != nil {
			return err
		}
		defer closing() //nolint:errcheck // it holds nothing
		return p.judgeLines(c.Context(), sqlgate.New(parse), sqlgate.Dialect(dialect), policy, asJSON)
	}
	return c
}

// named gives the names of a list without the spaces around them; it is never nil.
func named(list []string) []string {
	names := []string{}
	for _, name := range list {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// judgeLines writes a verdict for each line. One that is no statement gets an object with "error" and its number; the others
// go on.
func (p Program) judgeLines(ctx context.Context, gate *sqlgate.Gate, d sqlgate.Dialect, policy sqlgate.Policy, asJSON bool) error {
	lines := bufio.NewScanner(p.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxBatchLine)
	number := 0
	for lines.Scan() {
		number++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var line struct {
			ID  json.RawMessage `json:"id"`
			SQL *string         `json:"sql"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.SQL == nil {
			if err := p.writeBadLine(line.ID, number, asJSON); err != nil {
				return err
			}
			continue
		}
		verdict, err := gate.Check(ctx, d, *line.SQL, policy)
		if err != nil {
			return err
		}
		if err := p.writeVerdict(line.ID, verdict, asJSON); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fault.Wrap(fault.Invalid, "read statements", text.Say("cli.gate_line_too_long", "line", number+1), text.Say("cli.bad_statement_hint"), err)
	}
	return nil
}

func (p Program) writeBadLine(id json.RawMessage, number int, asJSON bool) error {
	bad := fault.New(fault.Invalid, "read statements", text.Say("cli.bad_statement", "line", number), text.Say("cli.bad_statement_hint"))
	if !asJSON {
		_, err := fmt.Fprintln(p.Stdout, bad.Error())
		return err
	}
	if id == nil {
		id = json.RawMessage("null")
	}
	return writeJSON(p.Stdout, struct {
		ID    json.RawMessage `json:"id"`
		Line  int             `json:"line"`
		Error problem         `json:"error"`
	}{id, number, problemOf(bad)})
}

func (p Program) writeVerdict(id json.RawMessage, v sqlgate.Verdict, asJSON bool) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	if !asJSON {
		said := text.Say("cli.gate_allowed", "id", string(id), "kind", v.SQLType)
		if !v.Allowed {
			said = text.Say("cli.gate_refused", "id", string(id), "rule", v.Rule, "reason", v.Reason)
		}
		_, err := fmt.Fprintln(p.Stdout, said)
		return err
	}
	return writeJSON(p.Stdout, struct {
		ID      json.RawMessage `json:"id"`
		Allowed bool            `json:"allowed"`
		SQLType string          `json:"sql_type"`
		Reason  *string         `json:"reason"`
		Rule    *string         `json:"rule"`
		Objects []string        `json:"objects"`
		Schemas []string        `json:"schemas"`
	}{id, v.Allowed, v.SQLType, orNull(v.Reason), orNull(v.Rule), list(v.Objects), list(v.Schemas)})
}

// orNull gives nil for nothing, which JSON writes as null.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// list is never nil, so that JSON writes [].
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
