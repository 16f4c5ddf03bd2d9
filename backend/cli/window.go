package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/api"
	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/workspace"
)

// WindowStart is what a window is started with.
type WindowStart struct {
	Open      func() (*workspace.Workspace, error)
	Data      string   // the data folder of the person, where the window remembers how it stood
	Workspace string   // names the workspace: the same one has one window
	Words     []string // what it is to open, as the command line names it: files and links
	Safe      bool     // drawn without the graphics card
}

// windowed makes the root command `assay [flags] [FILE...]`: the window where there is a display, the same page in a browser where
// there is none. The first word is a file when it looks like one, and else a command that there is not.
func (p Program) windowed(root *cobra.Command) {
	t := workspace.Target{}
	safe := false
	root.Flags().StringVar(&t.Dir, "workspace", "", text.Say("cli.flag_workspace"))
	root.Flags().StringArrayVar(&t.Data, "data", nil, text.Say("cli.flag_data"))
	root.Flags().StringVar(&t.Sample, "sample", "", text.Say("cli.flag_sample"))
	root.Flags().BoolVar(&safe, "safe-mode", false, text.Say("cli.flag_safe_mode"))
	root.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 && !looksLikeFile(args[0]) {
			return unknownCommand(args[0])
		}
		return p.openWindow(c.Context(), t, safe, args)
	}
}

func (p Program) openWindow(ctx context.Context, t workspace.Target, safe bool, words []string) error {
	open := func(ctx context.Context) (*workspace.Workspace, error) {
		return workspace.Open(ctx, t, workspace.Options{Now: p.Now, Version: p.Version})
	}
	if p.Window != nil && hasDisplay() {
		data, err := workspace.DataFolder(workspace.Options{})
		if err != nil {
			return err
		}
		start := WindowStart{Open: func() (*workspace.Workspace, error) { return open(ctx) }, Data: data, Words: words, Safe: safe}
		if start.Workspace, err = nameOf(t); err != nil {
			return err
		}
		return p.Window(ctx, start)
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "assay:") {
		return fault.New(fault.Unavailable, "open link", text.Say("cli.link_needs_window"), text.Say("cli.link_needs_window_hint"))
	}
	if len(words) > 0 {
		return fault.New(fault.Unavailable, "open files", text.Say("cli.files_need_window"), text.Say("cli.files_need_window_hint", "file", words[0]))
	}
	if p.Window == nil {
		fmt.Fprintln(p.Stderr, text.Say("cli.no_window"))
	} else {
		fmt.Fprintln(p.Stderr, text.Say("cli.no_display"))
	}
	return p.serve(ctx, open, 0, false)
}

// looksLikeFile says whether a word on the command line means a file: it is there, it is a path, or it ends like a file that Assay knows.
func looksLikeFile(word string) bool {
	if _, err := os.Stat(word); err == nil {
		return true
	}
	return strings.ContainsRune(filepath.ToSlash(word), '/') || api.MayOpen(word)
}

// nameOf gives a target one name, however it was written.
func nameOf(t workspace.Target) (string, error) {
	switch {
	case t.Dir != "":
		dir, err := absolute([]string{t.Dir})
		if err != nil {
			return "", err
		}
		return "folder " + dir[0], nil
	case len(t.Data) > 0:
		files, err := absolute(t.Data)
		slices.Sort(files)
		return "data " + strings.Join(files, "\x00"), err
	case t.Sample != "":
		return "sample " + t.Sample, nil
	}
	return "sample " + workspace.DefaultSample, nil
}

func absolute(paths []string) ([]string, error) {
	all := make([]string, 0, len(paths))
	for _, path := range paths {
		a, err := filepath.Abs(path)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, "open files", text.Say("workspace.bad_path", "dir", path), "", err)
		}
		all = append(all, a)
	}
	return all, nil
}

func hasDisplay() bool {
	return runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
