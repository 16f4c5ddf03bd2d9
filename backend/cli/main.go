// Package cli is the command line: what contract.md promises, one file a command. It holds no analysis; every question
// enters through workspace.Ask as from any other door.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
	"assay/backend/workspace"
)

// Program is what the command line is given from outside. Zero streams are the process's own.
type Program struct {
	Version string
	Page    fs.FS                                    // the page that serve shows
	Window  func(context.Context, WindowStart) error // nil: built without a window
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Now     func() time.Time
	Frames  store.FramesOptions // of the frame cache: zero are its defaults

	Terminal func(io.Reader) bool // whether somebody sits at a stream, who can be asked; nil: by what it is
}

// Exit statuses.
const (
	exitOK    = 0 // an outcome was reached: answer, clarify, confirm, refuse
	exitFault = 1 // the machine failed
	exitUsage = 2 // wrong usage
)

// Main runs one command line and gives the exit status.
func Main(args []string, p Program) int {
	if status, asked := store.Work(args); asked { // this process is a child of another one of this program
		return status
	}
	p = p.withDefaults()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(p.Stderr, sentence(err))
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFault
}

// usageError is a wrong flag or argument.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// sentence is what a person reads of an error: never a chain of operations.
func sentence(err error) string {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return f.Error()
	case fault.CodeOf(err) == fault.Canceled:
		return text.Say("cli.canceled")
	default:
		return err.Error()
	}
}

func (p Program) withDefaults() Program {
	if p.Stdin == nil {
		p.Stdin = os.Stdin
	}
	if p.Stdout == nil {
		p.Stdout = os.Stdout
	}
	if p.Stderr == nil {
		p.Stderr = os.Stderr
	}
	if p.Terminal == nil {
		p.Terminal = terminal
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	return p
}

func (p Program) root() *cobra.Command {
	root := &cobra.Command{
		Use: "assay", Short: text.Say("cli.root_short"), Long: text.Say("cli.root_long"), SilenceErrors: true, SilenceUsage: true,
		Args: cobra.ArbitraryArgs,
	}
	p.windowed(root)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_flag", "problem", strings.TrimSuffix(err.Error(), ".")), text.Say("cli.bad_flag_hint", "command", c.CommandPath()))}
	})
	root.AddCommand(p.askCommand(), p.frameCommand(), p.compileCommand(), p.gateCommand(), p.sqlCommand(), p.auditCommand(), p.requestCommand(), p.inboxCommand(), p.riskCommand(), p.importCommand(), p.profileCommand(), p.modelCommand(), p.periodCommand(),
		p.sessionCommand(), p.memoryCommand(), p.reportCommand(), p.serveCommand(), p.mindCommand(), p.keyCommand(), p.versionCommand())
	return root
}

func unknownCommand(name string) error {
	return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.unknown_command", "name", name), text.Say("cli.unknown_command_hint"))}
}

// group is a command that only holds others: alone it shows them.
func group(use, short string, members ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(args[0])
			}
			return c.Help()
		},
	}
	c.AddCommand(members...)
	return c
}

// opener opens what the flags of a command name. A brief command answers and ends: it makes frames for the cache only when it
// has answered.
type opener func(ctx context.Context, brief bool) (*workspace.Workspace, error)

// target adds the flags that name what to open to a command that ends soon, and gives the function that opens it.
func (p Program) target(c *cobra.Command, create bool) func(ctx context.Context) (*workspace.Workspace, error) {
	open := p.targetOf(c, create)
	return func(ctx context.Context) (*workspace.Workspace, error) { return open(ctx, true) }
}

// targetOf is target for a command that may last.
func (p Program) targetOf(c *cobra.Command, create bool) opener {
	t := targetFlags(c, create)
	return func(ctx context.Context, brief bool) (*workspace.Workspace, error) {
		return p.open(ctx, *t, brief, "", "")
	}
}

// targetFlags adds the flags that name what to open.
func targetFlags(c *cobra.Command, create bool) *workspace.Target {
	t := &workspace.Target{Create: create}
	c.Flags().StringVar(&t.Dir, "workspace", "", text.Say("cli.flag_workspace"))
	c.Flags().StringArrayVar(&t.Data, "data", nil, text.Say("cli.flag_data"))
	c.Flags().StringVar(&t.Sample, "sample", "", text.Say("cli.flag_sample"))
	return t
}

// open opens a workspace in which a mind thinks, empty: the one that the settings say, as an actor, empty: the first that is bound to who runs this.
func (p Program) open(ctx context.Context, t workspace.Target, brief bool, mind, actor string) (*workspace.Workspace, error) {
	frames := p.Frames
	frames.Brief = brief
	ws, err := workspace.Open(ctx, t, workspace.Options{Now: p.Now, Progress: p.progress(), Frames: frames, Version: p.Version, Mind: mind, Actor: actor})
	if err == nil {
		p.noteProblems(ws.Problems())
	}
	return ws, err
}

// noteProblems says on standard error what of a workspace could not be read.
func (p Program) noteProblems(all []workspace.Trouble) {
	if len(all) == 0 {
		return
	}
	for _, problem := range all[:min(len(all), 3)] {
		_, _ = fmt.Fprintln(p.Stderr, problem.String())
	}
	_, _ = fmt.Fprintln(p.Stderr, text.Say("cli.problems", "n", len(all)))
}

// on runs a command over the workspace that its flags name, and closes it.
func on(open func(context.Context) (*workspace.Workspace, error), do func(ctx context.Context, ws *workspace.Workspace, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		ws, err := open(c.Context())
		if err != nil {
			return err
		}
		defer ws.Close()
		return do(c.Context(), ws, args)
	}
}

// exactly is cobra's argument check with a sentence of ours.
func exactly(low, high int, missing string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < low {
			return usageError{fault.New(fault.Invalid, "command line", text.Say(missing), text.Say("cli.usage_hint", "usage", c.UseLine()))}
		}
		if high >= 0 && len(args) > high {
			return usageError{fault.New(fault.Invalid, "command line", text.Say("cli.too_many", "arg", args[high]), text.Say("cli.usage_hint", "usage", c.UseLine()))}
		}
		return nil
	}
}

// parseNow reads the --now flag; empty gives the zero time.
func parseNow(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_now", "now", s), text.Say("cli.bad_now_hint"))}
}
