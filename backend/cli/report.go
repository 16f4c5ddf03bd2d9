package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// reportFile is what --from reads: the body of POST /api/reports.
type reportFile struct {
	RequestID string                 `json:"request_id"`
	Format    string                 `json:"format"`
	Title     string                 `json:"title"`
	Frames    string                 `json:"frames"`
	Items     []workspace.ReportItem `json:"items"`
}

// largestInput is what a file of a report, or of one of its texts, may have.
const largestInput = 16 << 20

func (p Program) reportCommand() *cobra.Command {
	var title, out, format, frames, from string
	var asJSON bool
	c := &cobra.Command{Use: "report [ITEM...] [-o FILE.html|.pdf|.xlsx]", Short: text.Say("cli.report_short"), Long: text.Say("cli.report_long"), Example: text.Say("cli.report_example"), Args: cobra.ArbitraryArgs}
	c.Flags().StringVar(&title, "title", "", text.Say("cli.flag_report_title"))
	c.Flags().StringVarP(&out, "output", "o", "", text.Say("cli.flag_session_output"))
	c.Flags().StringVar(&format, "format", "", text.Say("cli.flag_report_format"))
	c.Flags().StringVar(&frames, "frames", "", text.Say("cli.flag_report_frames"))
	c.Flags().StringVar(&from, "from", "", text.Say("cli.flag_report_from"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	open := p.target(c, false)
	c.RunE = func(c *cobra.Command, args []string) error {
		b, err := p.reportOf(from, args)
		if err != nil {
			return err
		}
		for _, one := range []struct {
			said string
			into *string
		}{{title, &b.Title}, {frames, &b.Frames}, {format, &b.Format}} {
			if one.said != "" {
				*one.into = one.said
			}
		}
		if b.Format == "" {
			b.Format = formatOf(out)
		}
		if len(b.Items) == 0 {
			return usageError{fault.New(fault.Invalid, "command line", text.Say("workspace.report_empty"), text.Say("cli.usage_hint", "usage", c.UseLine()))}
		}
		return on(open, func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
			return p.saveMade(out, asJSON, func(to io.Writer) (string, error) {
				return ws.Report(ctx, workspace.ReportChoice{Format: workspace.ReportFormat(b.Format), Title: b.Title, Frames: session.Frames(b.Frames), Items: b.Items}, to)
			})
		})(c, args)
	}
	return c
}

// formatOf is the format that the ending of a file names; a page where it names none.
func formatOf(file string) string {
	if f := strings.ToLower(strings.TrimPrefix(filepath.Ext(file), ".")); workspace.ReportFormat(f).MediaType() != "" {
		return f
	}
	return string(workspace.ReportHTML)
}

// reportOf reads a report from its file, and from what stands behind the command.
func (p Program) reportOf(from string, args []string) (b reportFile, err error) {
	if from != "" {
		raw, err := p.readInput(from)
		if err != nil {
			return b, err
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err = d.Decode(&b); err == nil && d.More() {
			err = errors.New("something follows it")
		}
		if err != nil {
			return b, fault.Wrap(fault.Invalid, "read report", text.Say("cli.report_odd", "file", from, "problem", strings.TrimPrefix(err.Error(), "json: ")), text.Say("cli.report_odd_hint"), err)
		}
	}
	for _, arg := range args {
		item, err := p.itemOf(arg)
		if err != nil {
			return b, err
		}
		b.Items = append(b.Items, item)
	}
	return b, nil
}

// itemOf reads one argument: an artifact, a request, session:ID, heading:WORDS, text:WORDS, or @FILE with a text.
func (p Program) itemOf(arg string) (workspace.ReportItem, error) {
	kind, rest, parted := strings.Cut(arg, ":")
	switch {
	case strings.HasPrefix(arg, "@"):
		raw, err := p.readInput(arg[1:])
		return workspace.ReportItem{Kind: workspace.ReportText, Text: string(raw)}, err
	case parted && (kind == workspace.ReportText || kind == workspace.ReportHeading):
		return workspace.ReportItem{Kind: kind, Text: rest}, nil
	case parted && kind == workspace.ReportSession:
		return workspace.ReportItem{Kind: kind, ID: rest}, nil
	case strings.HasPrefix(arg, "art_"):
		return workspace.ReportItem{Kind: workspace.ReportArtifact, ID: arg}, nil
	}
	return workspace.ReportItem{Kind: workspace.ReportAnswer, ID: arg}, nil
}

// readInput reads a file that a person named, or standard input for "-".
func (p Program) readInput(file string) ([]byte, error) {
	var in io.Reader = p.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			key := "cli.input_unread"
			if errors.Is(err, fs.ErrNotExist) {
				key = "cli.input_missing"
			}
			return nil, fault.Wrap(fault.NotFound, "read file", text.Say(key, "file", file), text.Say("cli.input_hint"), err)
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, largestInput+1))
	switch {
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, "read file", text.Say("cli.input_unread", "file", file), text.Say("cli.input_hint"), err)
	case len(raw) > largestInput:
		return nil, fault.New(fault.Limit, "read file", text.Say("cli.input_large", "file", file), text.Say("cli.input_large_hint"))
	}
	return bytes.TrimPrefix(raw, []byte("\ufeff")), nil
}

func (p Program) sessionWorkbook() *cobra.Command {
	var out, frames string
	var asJSON bool
	c := &cobra.Command{Use: "workbook ID [-o FILE.xlsx]", Short: text.Say("cli.session_workbook_short"), Example: text.Say("cli.session_workbook_example"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().StringVarP(&out, "output", "o", "", text.Say("cli.flag_session_output"))
	c.Flags().StringVar(&frames, "frames", string(session.FramesWhole), text.Say("cli.flag_report_frames"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return p.saveMade(out, asJSON, func(to io.Writer) (string, error) {
			title, err := ws.SessionTitle(ctx, args[0])
			if err != nil {
				return "", err
			}
			items := []workspace.ReportItem{{Kind: workspace.ReportSession, ID: args[0]}}
			return ws.Report(ctx, workspace.ReportChoice{Format: workspace.ReportXLSX, Title: title, Frames: session.Frames(frames), Items: items}, to)
		})
	})
	return c
}
