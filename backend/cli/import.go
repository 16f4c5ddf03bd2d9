package cli

import (
	"cmp"
	"fmt"
	"os"
	"strconv"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
)

func (p Program) importCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "import [flags] [FILE...]", Short: text.Say("cli.import_short"), Args: filesOrWorkspace}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	open := p.target(c, true)
	c.RunE = func(c *cobra.Command, files []string) error {
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		if len(files) == 0 { // opening has imported what workspace.yaml names
			return p.printSources(ws.Sources(), asJSON)
		}
		var requests []store.ImportRequest
		for _, file := range files {
			requests = append(requests, store.ImportRequest{Path: file, Progress: p.progress()})
		}
		var failed error
		err = ws.ImportAll(c.Context(), requests, func(_ int, source *store.Source, err error) bool {
			switch {
			case err != nil:
				failed = err
			case asJSON:
				failed = writeJSON(p.Stdout, source)
			default:
				p.printSource(source)
			}
			return failed == nil
		})
		return cmp.Or(failed, err)
	}
	return c
}

// filesOrWorkspace asks for a file where no workspace is named that may list some.
func filesOrWorkspace(c *cobra.Command, args []string) error {
	if c.Flags().Changed("workspace") {
		return nil
	}
	return exactly(1, -1, "cli.no_file")(c, args)
}

// printSources says what a workspace has; it fails when that is nothing.
func (p Program) printSources(all []store.Source, asJSON bool) error {
	if len(all) == 0 {
		return fault.New(fault.Invalid, "import", text.Say("cli.no_file"), text.Say("cli.no_file_hint"))
	}
	for i := range all {
		if !asJSON {
			p.printSource(&all[i])
		} else if err := writeJSON(p.Stdout, &all[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p Program) printSource(s *store.Source) {
	for _, t := range s.Tables {
		fmt.Fprintln(p.Stdout, text.Count("cli.imported", t.Rows, "table", t.Name, "rows", grouped(t.Rows), "columns", len(t.Columns)))
		if t.Rejected > 0 {
			fmt.Fprintln(p.Stdout, "  "+text.Say("cli.rejected", "lines", grouped(t.Rejected), "table", t.RejectTable))
		}
	}
	for _, note := range s.Notes {
		fmt.Fprintln(p.Stdout, "  "+note)
	}
}

// progress shows a bar on a terminal and nothing elsewhere.
func (p Program) progress() func(store.Progress) {
	f, ok := p.Stderr.(*os.File)
	if !ok || !isTerminal(f) {
		return nil
	}
	var bar *progressbar.ProgressBar
	var shown string
	return func(s store.Progress) {
		if s.BytesTotal < 8<<20 {
			return // gone before it could be read
		}
		if now := s.File + s.Stage; now != shown {
			shown = now
			bar = progressbar.NewOptions64(s.BytesTotal, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(s.File+" "+s.Stage),
				progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set64(s.BytesDone)
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// grouped writes 1234567 as 1,234,567.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
