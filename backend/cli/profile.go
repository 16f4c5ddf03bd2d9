package cli

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/profile"
	"assay/backend/text"
	"assay/backend/workspace"
)

// profileCommand tells what the window tells of a table, of all tables without a name, or of a file.
func (p Program) profileCommand() *cobra.Command {
	var asJSON bool
	var sample int64
	c := &cobra.Command{Use: "profile [flags] [TABLE|FILE]", Short: text.Say("cli.profile_short"), Example: text.Say("cli.profile_example"), Args: exactly(0, 1, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.Flags().Int64Var(&sample, "sample-rows", 0, text.Say("cli.flag_sample_rows"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 && !targeted(c) && isFile(args[0]) { // a file by itself is its own target
			if err := c.Flags().Set("data", args[0]); err != nil {
				return err
			}
			args = nil
		}
		return on(open, func(ctx context.Context, ws *workspace.Workspace, args []string) error {
			if err := ws.RequireData(); err != nil {
				return err
			}
			for _, table := range tablesOf(ws, args) {
				t, err := ws.Profile(ctx, table, sample, func(int, int) {})
				if err != nil {
					return err
				}
				if asJSON {
					err = writeJSON(p.Stdout, t)
				} else {
					p.printProfile(t)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})(c, args)
	}
	return c
}

func targeted(c *cobra.Command) bool {
	return c.Flags().Changed("workspace") || c.Flags().Changed("data") || c.Flags().Changed("sample")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// tablesOf gives the named table, by its name or its alias, or all of them.
func tablesOf(ws *workspace.Workspace, args []string) (names []string) {
	for _, s := range ws.Sources() {
		for _, t := range s.Tables {
			if len(args) == 0 || strings.EqualFold(args[0], t.Alias) {
				names = append(names, t.Name)
			}
		}
	}
	if len(names) == 0 {
		return args
	}
	return names
}

func (p Program) printProfile(t *workspace.TableProfile) {
	fmt.Fprintln(p.Stdout, text.Say("cli.profile_of", "table", t.Table, "rows", grouped(t.Rows)))
	if t.Looked < t.Rows {
		fmt.Fprintln(p.Stdout, "  "+text.Say("cli.profile_sampled", "rows", grouped(t.Looked)))
	}
	if len(t.Key) > 0 {
		fmt.Fprintln(p.Stdout, "  "+text.Say("cli.profile_key", "columns", strings.Join(t.Key, ", ")))
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		fmt.Fprintf(p.Stdout, "  %s  %s  %s\n", c.Name, c.Type, strings.Join(factsOf(c, t.Looked), ", "))
	}
	for _, d := range t.Determines {
		fmt.Fprintln(p.Stdout, "  "+text.Say("cli.profile_determines", "from", d.From, "to", d.To))
	}
}

// factsOf says in parts what was measured of a column of so many rows.
func factsOf(c *profile.ColumnProfile, rows int64) []string {
	distinct := "cli.profile_distinct"
	if c.About {
		distinct = "cli.profile_about"
	}
	facts := []string{text.Say("cli.profile_nulls", "percent", percent(c.Nulls, rows)), text.Say(distinct, "n", grouped(c.Distinct))}
	if c.Personal != "" {
		return append(facts, text.Say("cli.profile_personal", "kind", c.Personal))
	}
	if c.Min != nil && c.Max != nil {
		facts = append(facts, text.Say("cli.profile_range", "min", *c.Min, "max", *c.Max))
	}
	if c.Mean != nil {
		facts = append(facts, text.Say("cli.profile_mean", "mean", strconv.FormatFloat(*c.Mean, 'g', 6, 64)))
	}
	var values []string
	for _, v := range c.Top[:min(3, len(c.Top))] {
		values = append(values, fmt.Sprintf("%s (%s)", v.Value, percent(v.Count, rows-c.Nulls)))
	}
	if len(values) > 0 {
		facts = append(facts, text.Say("cli.profile_top", "values", strings.Join(values, ", ")))
	}
	return facts
}

func percent(n, of int64) string {
	if of == 0 {
		return "0%"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + "%"
}
