package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/backend/api"
	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// fileSaved is what `session page --json` and `report --json` say.
type fileSaved struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

func (p Program) sessionPage() *cobra.Command {
	var out, frames string
	var turn int
	var asJSON bool
	c := &cobra.Command{Use: "page ID [-o FILE.html]", Short: text.Say("cli.session_page_short"), Example: text.Say("cli.session_page_example"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().StringVarP(&out, "output", "o", "", text.Say("cli.flag_session_output"))
	c.Flags().StringVar(&frames, "frames", string(session.FramesWhole), text.Say("cli.flag_session_frames"))
	c.Flags().IntVar(&turn, "turn", 0, text.Say("cli.flag_session_turn"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		return p.saveMade(out, asJSON, func(to io.Writer) (string, error) {
			return ws.SessionPage(ctx, args[0], workspace.PageChoice{Frames: session.Frames(frames), Turn: turn}, to)
		})
	})
	return c
}

// saveMade writes a file where a person wants it, and says where it is.
func (p Program) saveMade(out string, asJSON bool, make func(io.Writer) (name string, err error)) error {
	saved, err := saveWhole(out, make)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(p.Stdout, saved)
	}
	p.say(text.Say("cli.session_saved", "file", saved.File, "bytes", grouped(saved.Bytes)))
	return nil
}

// saveWhole writes a file whole or not at all. No name: under the one that what was made has, in this folder, where nothing is replaced.
func saveWhole(out string, make func(io.Writer) (name string, err error)) (fileSaved, error) {
	var made bytes.Buffer
	name, err := make(&made)
	if err != nil {
		return fileSaved{}, err
	}
	saved := fileSaved{File: out, Bytes: int64(made.Len())}
	if out == "" {
		saved.File = name
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return saved, fault.New(fault.Conflict, "save", text.Say("cli.file_there", "file", name), text.Say("cli.file_there_hint"))
		}
	}
	err = workspace.WriteWhole(saved.File, func(f *os.File) error {
		_, err := made.WriteTo(f)
		return err
	})
	return saved, api.SavingFault(filepath.Base(saved.File), err)
}
