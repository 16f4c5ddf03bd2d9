package cli

import (
	"bytes"
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/text"
	"assay/backend/workspace"
)

// memoryBundle exchanges what was taught with colleagues who share no server.
func (p Program) memoryBundle() *cobra.Command {
	return group("bundle", text.Say("cli.bundle_short"), p.bundleKey(), p.bundleWrite(), p.bundleRead(), p.bundleExchange())
}

func (p Program) bundleKey() *cobra.Command {
	c := &cobra.Command{Use: "key", Short: text.Say("cli.bundle_key_short"), Args: exactly(0, 0, "")}
	c.RunE = on(p.target(c, false), func(_ context.Context, ws *workspace.Workspace, _ []string) error {
		key, err := ws.BundleKey()
		if err == nil {
			p.say(key)
		}
		return err
	})
	return c
}

func (p Program) bundleWrite() *cobra.Command {
	var actor string
	c := &cobra.Command{Use: "write FILE", Short: text.Say("cli.bundle_write_short"), Args: exactly(1, 1, "cli.no_bundle_file")}
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		var out bytes.Buffer
		said, left, err := ws.WriteBundle(ctx, &out, actor, rules.Caller{})
		if err != nil {
			return err
		}
		err = workspace.WriteWhole(args[0], func(f *os.File) error { return errors.Join(f.Chmod(0o644), second(f.Write(out.Bytes()))) })
		if err != nil {
			return fault.Wrap(fault.Unavailable, "write bundle", text.Say("workspace.bundle_broken", "file", args[0]), text.Say("workspace.bundle_broken_hint"), err)
		}
		p.say(text.Count("cli.bundle_written", int64(said), "n", said, "file", args[0], "left", left))
		return nil
	})
	return c
}

func second(_ int, err error) error { return err }

// broughtList is what `memory bundle read --json` says.
type broughtList struct {
	Brought []workspace.Brought `json:"brought"`
}

func (p Program) bundleRead() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "read FILE...", Short: text.Say("cli.bundle_read_short"), Args: exactly(1, 1000, "cli.no_bundle_file")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		all, err := ws.BringFiles(ctx, args)
		return p.sayBrought(all, asJSON, err)
	})
	return c
}

func (p Program) bundleExchange() *cobra.Command {
	var asJSON bool
	var actor, remote string
	c := &cobra.Command{Use: "exchange [FOLDER]", Short: text.Say("cli.bundle_exchange_short"), Long: text.Say("cli.bundle_exchange_long"), Args: exactly(0, 1, "cli.no_bundle_folder")}
	c.Flags().StringVar(&remote, "remote", "", text.Say("cli.flag_remote"))
	c.Flags().StringVar(&actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		folders, err := absolute(args)
		if err != nil {
			return err
		}
		var done workspace.Exchanged
		if len(folders) == 0 {
			done, err = ws.ExchangeShared(ctx, actor, rules.Caller{})
		} else {
			done, err = ws.Exchange(ctx, workspace.Place{Folder: folders[0], Remote: remote}, actor, rules.Caller{})
		}
		if asJSON && err == nil {
			return writeJSON(p.Stdout, done)
		}
		if done.Remote != "" {
			p.say(text.Say("cli.bundle_fetched", "address", done.Remote))
		}
		err = p.sayBrought(done.Brought, false, err)
		if done.Wrote && done.Remote != "" {
			p.say(text.Say("cli.bundle_pushed", "address", done.Remote))
		}
		return err
	})
	return c
}

// sayBrought says what was taken, also before what could not be.
func (p Program) sayBrought(all []workspace.Brought, asJSON bool, err error) error {
	if asJSON && err == nil {
		return writeJSON(p.Stdout, broughtList{all})
	}
	for _, b := range all {
		if b.Problem != "" {
			p.say(text.Say("cli.bundle_refused", "file", b.File, "problem", b.Problem))
			continue
		}
		p.say(text.Count("cli.bundle_brought", int64(b.Statements), "file", b.File, "author", b.Author, "n", b.Statements, "new", b.New))
	}
	return err
}
