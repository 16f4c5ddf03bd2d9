package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/api"
	"assay/backend/memory"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) sessionSearch() *cobra.Command {
	var asJSON bool
	var most int
	c := &cobra.Command{
		Use: "search WORDS", Short: text.Say("cli.session_search_short"), Long: text.Say("cli.session_search_long"), Example: text.Say("cli.session_search_example"),
		Args: exactly(1, -1, "cli.no_words"),
	}
	c.Flags().IntVar(&most, "limit", 20, text.Say("cli.flag_search_limit"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		hits, err := ws.Memory().Search(ctx, strings.Join(args, " "), most)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, api.SessionHits{Hits: hits})
		}
		if len(hits) == 0 {
			p.say(text.Say("cli.search_nothing"))
		}
		session := ""
		for _, h := range hits {
			if h.SessionID != session {
				session = h.SessionID
				p.say(text.Say("cli.search_session", "title", h.Title, "id", h.SessionID))
			}
			if h.RequestID != "" {
				p.say("  " + hitWords(h))
			}
		}
		return nil
	})
	return c
}

func hitWords(h memory.Hit) string {
	return text.Say("cli.search_hit", "turn", h.Turn, "field", text.Say("cli.search_"+h.Field), "excerpt", h.Excerpt)
}
