package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/workspace"
)

// askFlags are the flags of ask and frame.
type askFlags struct {
	json, batch      bool
	now, mind        string
	session, actor   string
	insteadOf        string // of ask and frame alone
	criticality      string
	confirm, noCache bool
	accept           bool
	level            int
	maxRows          int
}

func (f *askFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.json, "json", false, text.Say("cli.flag_json"))
	c.Flags().StringVar(&f.now, "now", "", text.Say("cli.flag_now"))
	c.Flags().StringVar(&f.session, "session", "", text.Say("cli.flag_session"))
	c.Flags().StringVar(&f.insteadOf, "instead-of", "", text.Say("cli.flag_instead_of"))
	c.Flags().StringVar(&f.actor, "actor", "", text.Say("cli.flag_actor"))
	c.Flags().BoolVar(&f.confirm, "confirm", false, text.Say("cli.flag_confirm"))
	c.Flags().IntVar(&f.maxRows, "max-rows", 10_000, text.Say("cli.flag_max_rows"))
	c.Flags().BoolVar(&f.accept, "accept", false, text.Say("cli.flag_accept"))
	c.Flags().IntVar(&f.level, "level", 0, text.Say("cli.flag_level"))
	c.Flags().BoolVar(&f.noCache, "no-cache", false, text.Say("cli.flag_no_cache"))
}

// request makes the request that the flags describe.
func (f *askFlags) request() (analyst.Request, error) {
	now, err := parseNow(f.now)
	if err != nil {
		return analyst.Request{}, err
	}
	if f.mind != "" {
		if err := checkMind(f.mind); err != nil {
			return analyst.Request{}, err
		}
	}
	if f.maxRows < 1 {
		return analyst.Request{}, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_max_rows"), text.Say("cli.bad_max_rows_hint"))}
	}
	if f.level < 0 || f.level > 5 {
		return analyst.Request{}, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_level"), text.Say("cli.bad_level_hint"))}
	}
	switch f.criticality {
	case "", "low", "normal", "high":
	default:
		return analyst.Request{}, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.bad_criticality", "value", f.criticality), text.Say("cli.bad_criticality_hint"))}
	}
	return analyst.Request{
		Now: now, SessionID: f.session, Actor: f.actor, Confirm: f.confirm, MaxRows: f.maxRows, NoCache: f.noCache, Criticality: f.criticality, Level: f.level, Mind: f.mind, InsteadOf: f.insteadOf,
	}, nil
}

func (p Program) askCommand() *cobra.Command {
	var flags askFlags
	c := &cobra.Command{Use: "ask [flags] QUESTION", Short: text.Say("cli.ask_short"), Example: text.Say("cli.ask_example")}
	flags.add(c)
	c.Flags().BoolVar(&flags.batch, "batch", false, text.Say("cli.flag_batch"))
	c.Flags().StringVar(&flags.mind, "mind", "", text.Say("cli.flag_mind"))
	c.Flags().StringVar(&flags.criticality, "criticality", "normal", text.Say("cli.flag_criticality"))
	open := p.targetOf(c, false)
	c.Args = func(c *cobra.Command, args []string) error {
		if flags.batch {
			return exactly(0, 0, "cli.no_question")(c, args)
		}
		return exactly(1, -1, "cli.no_question")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		request, err := flags.request()
		if err != nil {
			return err
		}
		ws, err := open(c.Context(), !flags.batch)
		if err != nil {
			return err
		}
		defer ws.Close()
		if err := ws.RequireData(); err != nil {
			return err
		}
		if flags.batch {
			return p.askBatch(c.Context(), ws, request, flags)
		}
		request.Question = strings.Join(args, " ")
		return p.answer(c.Context(), ws, request, flags)
	}
	return c
}

// answer asks once and prints the answer. Then the cache may keep what was asked: whoever reads the answer has it by now.
func (p Program) answer(ctx context.Context, ws *workspace.Workspace, r analyst.Request, f askFlags) error {
	answer, err := p.ask(ctx, ws, r, f)
	if err != nil {
		return err
	}
	print := p.printAnswer
	if f.json {
		print = func(a *analyst.Answer) error { return writeJSON(p.Stdout, a) }
	}
	if err := print(answer); err != nil {
		return err
	}
	if !r.NoCache && answer.Frame != nil {
		ws.Finish(ctx)
	}
	return nil
}

// ask asks once, and accepts the answer when the flags say so.
func (p Program) ask(ctx context.Context, ws *workspace.Workspace, r analyst.Request, f askFlags) (*analyst.Answer, error) {
	if r.InsteadOf != "" && r.SessionID == "" {
		s, err := ws.Memory().Standing(ctx, r.InsteadOf)
		if err != nil {
			return nil, err
		}
		r.SessionID = s.SessionID
	}
	answer, err := ws.Ask(ctx, r, nil)
	if err != nil || !f.accept || answer.Outcome != analyst.OutcomeAnswer || answer.Explanation != nil {
		return answer, err
	}
	if _, err := ws.Say(ctx, analyst.Word{RequestID: answer.RequestID, On: analyst.OnAccepted, Actor: r.Actor}); err != nil {
		return nil, err
	}
	answer.Status, answer.Acceptance = "completed", &analyst.Acceptance{}
	return answer, nil
}

// batchLine is one question on standard input.
type batchLine struct {
	ID       json.RawMessage `json:"id"`
	Question string          `json:"question"`
	Session  string          `json:"session"`
	Memo     string          `json:"memo"`
}

// maxBatchLine bounds one line of a batch.
const maxBatchLine = 16 << 20

// askBatch answers questions one a line, in order, each as soon as it is known. A line that cannot be read or a question
// on which the machine fails gets an object with "error" in its place; the batch goes on.
func (p Program) askBatch(ctx context.Context, ws *workspace.Workspace, base analyst.Request, f askFlags) error {
	lines := bufio.NewScanner(p.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxBatchLine)
	sessions := map[string]string{} // the caller's name of a conversation -> our id
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var line batchLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			if err := writeLine(p.Stdout, nil, nil, fault.Wrap(fault.Invalid, "read batch", text.Say("cli.bad_line"), text.Say("cli.bad_line_hint"), err)); err != nil {
				return err
			}
			continue
		}
		r := base
		r.Question, r.Memo = line.Question, line.Memo
		if line.Session != "" {
			r.SessionID = sessions[line.Session]
		}
		answer, err := p.ask(ctx, ws, r, f)
		if errors.Is(ctx.Err(), context.Canceled) {
			return ctx.Err()
		}
		if err == nil && line.Session != "" {
			sessions[line.Session] = answer.SessionID
		}
		if err := writeLine(p.Stdout, line.ID, answer, err); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fault.Wrap(fault.Invalid, "read batch", text.Say("cli.line_too_long"), text.Say("cli.bad_line_hint"), err)
	}
	if !base.NoCache {
		ws.Finish(ctx)
	}
	return nil
}

// writeLine writes {"id":…, the answer's fields…} or {"id":…,"error":{…}} on one line.
func writeLine(w io.Writer, id json.RawMessage, a *analyst.Answer, failure error) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	var line any
	if failure != nil {
		line = struct {
			ID    json.RawMessage `json:"id"`
			Error problem         `json:"error"`
		}{id, problemOf(failure)}
	} else {
		line = struct {
			ID json.RawMessage `json:"id"`
			*analyst.Answer
		}{id, a}
	}
	return writeJSON(w, line)
}

type problem struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint"`
}

func problemOf(err error) problem {
	var f *fault.Error
	if errors.As(err, &f) {
		return problem{f.Code, f.Message, f.Hint}
	}
	return problem{fault.CodeOf(err), sentence(err), ""}
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
