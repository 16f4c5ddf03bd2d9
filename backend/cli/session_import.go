package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/workspace"
)

// sessionImport shows what a session file holds, and takes it in when somebody says so: at a terminal, or by --yes.
func (p Program) sessionImport() *cobra.Command {
	var preview, asJSON, yes bool
	c := &cobra.Command{
		Use: "import FILE", Short: text.Say("cli.session_import_short"), Long: text.Say("cli.session_import_long"), Example: text.Say("cli.session_import_example"),
		Args: exactly(1, 1, "cli.no_session_file"),
	}
	c.Flags().BoolVar(&preview, "preview", false, text.Say("cli.flag_session_preview"))
	c.Flags().BoolVar(&yes, "yes", false, text.Say("cli.flag_session_yes"))
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		seen, err := ws.PreviewSession(ctx, args[0])
		if err != nil {
			return err
		}
		if preview && asJSON {
			return writeJSON(p.Stdout, seen)
		}
		shown := p
		if asJSON { // standard output has the one object
			shown.Stdout = p.Stderr
		}
		shown.sayPreview(seen)
		if preview {
			return nil
		}
		if taken, err := shown.agreed(yes, "cli.session_import_ask", args[0]); err != nil || !taken {
			return err
		}
		arrived, err := ws.ImportSession(ctx, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(p.Stdout, arrived)
		}
		p.say(text.Say("cli.session_imported", "id", arrived.SessionID, "title", arrived.Title))
		if len(seen.Brings) > 0 {
			p.say(text.Say("cli.session_model_next", "id", arrived.SessionID))
		}
		return nil
	})
	return c
}

// agreed says whether what was shown is to be done: yes says so, or whoever sits at the terminal. Fault Invalid: nobody can be asked.
func (p Program) agreed(yes bool, question, file string) (bool, error) {
	if yes {
		return true, nil
	}
	if !p.Terminal(p.Stdin) {
		return false, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.needs_yes"), text.Say("cli.needs_yes_hint"))}
	}
	fmt.Fprint(p.Stdout, text.Say(question, "file", file)+" ")
	line, err := bufio.NewReader(io.LimitReader(p.Stdin, 1000)).ReadString('\n')
	if said := strings.ToLower(strings.TrimSpace(line)); err == nil && (said == "y" || said == "yes") {
		return true, nil
	}
	p.say(text.Say("cli.nothing_done"))
	return false, nil
}

// terminal says whether somebody sits at a stream.
func terminal(in io.Reader) bool {
	f, is := in.(*os.File)
	return is && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

func (p Program) sayPreview(s workspace.SessionPreview) {
	p.say(s.Title)
	for _, t := range s.Turns {
		line := text.Say("cli.session_preview_turn", "n", t.Turn, "question", t.Question, "outcome", t.Outcome, "grade", t.Grade, "rows", t.Rows)
		if t.Elsewhere {
			line += " " + text.Say("cli.turn_elsewhere_there")
		}
		p.say(line)
	}
	p.say(text.Say("cli.session_preview", "workspace", s.Workspace, "program", s.Program, "frames", s.Frames, "rows", grouped(s.Rows)))
	if s.Origin != nil {
		p.say(text.Say("cli.session_origin", "title", s.Origin.Title, "turn", s.Origin.Turn))
	}
	p.saySignature(s)
	for _, l := range []struct {
		key   string
		names []string
	}{
		{"cli.session_missing", s.Missing}, {"cli.session_differ", s.Differ}, {"cli.session_brings", s.Brings}, {"cli.session_others", s.Others}, {"cli.session_already", s.Already},
	} {
		if len(l.names) > 0 {
			p.say(text.Say(l.key, "names", strings.Join(l.names, ", "), "n", len(l.names)))
		}
	}
	if s.Unread != "" {
		p.say(text.Say("cli.session_model_unread", "why", s.Unread))
	}
}

// saySignature says who signed a file, whether that key is known here, and which answers it says nothing of.
func (p Program) saySignature(s workspace.SessionPreview) {
	line := text.Say("cli.session_signature_"+string(s.Signature), "name", s.Signer, "key", s.Fingerprint)
	if s.Signature == session.SignatureValid {
		switch {
		case s.Own:
			line += " " + text.Say("cli.session_key_own")
		case len(s.Known) > 0:
			line += " " + text.Say("cli.session_key_known", "titles", strings.Join(s.Known, ", "))
		default:
			line += " " + text.Say("cli.session_key_new")
		}
	}
	if s.Elsewhere > 0 {
		line += " " + text.Count("cli.session_elsewhere", int64(s.Elsewhere), "n", s.Elsewhere)
	}
	p.say(line)
}
