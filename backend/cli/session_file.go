package cli

import (
	"context"
	"errors"
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

// sessionSaved is what `session export --json` says.
type sessionSaved struct {
	File     string                    `json:"file"`
	Bytes    int64                     `json:"bytes"`
	Contains workspace.SessionContents `json:"contains"`
}

func (p Program) sessionExport() *cobra.Command {
	var out, frames, signer string
	var model, sign, contents, asJSON bool
	c := &cobra.Command{Use: "export ID [-o FILE]", Short: text.Say("cli.session_export_short"), Example: text.Say("cli.session_export_example"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().StringVarP(&out, "output", "o", "", text.Say("cli.flag_session_output"))
	c.Flags().StringVar(&frames, "frames", string(session.FramesWhole), text.Say("cli.flag_session_frames"))
	c.Flags().BoolVar(&model, "model", false, text.Say("cli.flag_session_model"))
	c.Flags().BoolVar(&sign, "sign", false, text.Say("cli.flag_session_sign"))
	c.Flags().StringVar(&signer, "signer", "", text.Say("cli.flag_session_signer"))
	c.Flags().BoolVar(&contents, "contents", false, text.Say("cli.flag_session_contents"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		choice := workspace.SessionChoice{Frames: session.Frames(frames), Model: model, Sign: sign || signer != "", Signer: signer}
		if contents {
			return p.showContents(ctx, ws, args[0], choice, asJSON)
		}
		saved, err := saveSession(ctx, ws, args[0], choice, out)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, saved)
		}
		p.say(text.Say("cli.session_saved", "file", saved.File, "bytes", grouped(saved.Bytes)))
		p.sayContents(saved.Contains, choice.Frames)
		return nil
	})
	return c
}

// saveSession writes the file of a session where a person wants it; no name: under its own in this folder, where nothing is replaced.
func saveSession(ctx context.Context, ws *workspace.Workspace, id string, choice workspace.SessionChoice, out string) (sessionSaved, error) {
	var saved sessionSaved
	var err error
	if saved.Contains, err = ws.SessionContents(ctx, id, choice); err != nil {
		return saved, err
	}
	if saved.File = out; out == "" {
		if saved.File, err = ws.SessionFileName(ctx, id); err != nil {
			return saved, err
		}
		if _, err := os.Lstat(saved.File); !errors.Is(err, fs.ErrNotExist) {
			return saved, fault.New(fault.Conflict, "export session", text.Say("cli.file_there", "file", saved.File), text.Say("cli.file_there_hint"))
		}
	}
	err = workspace.WriteWhole(saved.File, func(f *os.File) error {
		if _, err := ws.ExportSession(ctx, id, choice, f); err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			saved.Bytes = info.Size()
		}
		return err
	})
	return saved, api.SavingFault(filepath.Base(saved.File), err)
}
