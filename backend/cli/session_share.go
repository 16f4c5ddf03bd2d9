package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/backend/api"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// sessionShared is what `session share --json` says.
type sessionShared struct {
	memory.Share
	URLs []string `json:"urls"` // one for each port that the workspace is served on
}

func (p Program) sessionShare() *cobra.Command {
	var choice workspace.ShareChoice
	var frames string
	var asJSON bool
	c := &cobra.Command{Use: "share ID", Short: text.Say("cli.session_share_short"), Long: text.Say("cli.session_share_long"), Args: exactly(1, 1, "cli.no_session")}
	c.Flags().IntVar(&choice.Turn, "turn", 0, text.Say("cli.flag_share_turn"))
	c.Flags().StringVar(&frames, "frames", string(session.FramesWhole), text.Say("cli.flag_share_frames"))
	c.Flags().IntVar(&choice.Days, "days", workspace.ShareDays, text.Say("cli.flag_share_days"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		ports, err := servedAt(ws.Dir())
		if err != nil {
			return err
		}
		if len(ports) == 0 { // an address that nobody answers would be no address
			return fault.New(fault.Unavailable, "share session", text.Say("cli.share_not_served", "name", ws.Name()), text.Say("cli.share_not_served_hint"))
		}
		choice.Frames = session.Frames(frames)
		made, token, err := ws.ShareSession(ctx, args[0], choice)
		if err != nil {
			return err
		}
		shared := sessionShared{Share: made}
		for _, port := range ports {
			shared.URLs = append(shared.URLs, address(port)+api.SharedPath+token)
		}
		if asJSON {
			return writeJSON(p.Stdout, shared)
		}
		for _, url := range shared.URLs {
			p.say(url)
		}
		p.say(text.Say("cli.session_shared", "id", made.ID, "turn", made.Turn, "expires", made.Expires.Format("2006-01-02 15:04")))
		return nil
	})
	return c
}

// servedAt are the ports on which this person's programs serve a workspace now.
func servedAt(workspaceDir string) ([]int, error) {
	dir, err := servedFolder()
	if err != nil {
		return nil, err
	}
	var ports []int
	for _, s := range allServed(dir) {
		if s.Dir == workspaceDir {
			ports = append(ports, s.Port)
		}
	}
	return ports, nil
}

// sessionShares is what `session shares --json` says.
type sessionShares struct {
	Shares []memory.Share `json:"shares"`
}

func (p Program) sessionShares() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "shares [ID]", Short: text.Say("cli.session_shares_short"), Args: exactly(0, 1, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		all, err := ws.Memory().Shares(ctx, append(args, "")[0])
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, sessionShares{all})
		}
		for _, s := range all {
			stands := "open"
			switch {
			case s.Revoked != nil:
				stands = "revoked"
			case !ws.Now().Before(s.Expires):
				stands = "expired"
			}
			p.say(text.Say("cli.session_share_"+stands, "id", s.ID, "session", s.SessionID, "turn", s.Turn, "expires", s.Expires.Format("2006-01-02 15:04"), "opened", s.Opened))
		}
		return nil
	})
	return c
}
