package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/api"
	"assay/backend/memory"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) sessionTree() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "tree [ID]", Short: text.Say("cli.session_tree_short"), Long: text.Say("cli.session_tree_long"), Args: exactly(0, 1, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		tree, err := treeOf(ctx, ws, args)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, api.SessionTree{Sessions: tree})
		}
		if len(tree) == 0 {
			p.say(text.Say("cli.tree_none"))
		}
		for _, b := range tree {
			p.say(strings.Repeat("  ", b.Depth) + branchWords(b))
		}
		return nil
	})
	return c
}

// treeOf gives the family of the session that is named, or all of them, one behind the other.
func treeOf(ctx context.Context, ws *workspace.Workspace, args []string) ([]memory.Branch, error) {
	if len(args) > 0 {
		return ws.Memory().Tree(ctx, args[0])
	}
	trees, err := ws.Memory().Trees(ctx)
	return slices.Concat(append(trees, []memory.Branch{})...), err
}

// branchWords is the line of a session in its tree.
func branchWords(b memory.Branch) string {
	line := text.Say("cli.tree_gone", "title", b.Title, "id", b.ID)
	if !b.Gone {
		line = text.Count("cli.tree_line", int64(b.Turns), "title", b.Title, "id", b.ID, "turns", b.Turns, "updated", b.Updated.Format("2006-01-02 15:04"))
	}
	switch {
	case b.Artifact != "":
		line += " " + text.Say("cli.tree_artifact", "artifact", b.Artifact)
	case b.Turn > 0:
		line += " " + text.Say("cli.tree_turn", "turn", b.Turn)
	}
	return line
}
