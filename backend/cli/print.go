package cli

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	gotext "github.com/jedib0t/go-pretty/v6/text"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// rowsOnTerminal are shown of a frame; the rest is named. --json has them all.
const rowsOnTerminal = 40

// printAnswer shows an answer to a person: the sentence, the frame, where it came from, what may be asked next.
func (p Program) printAnswer(a *analyst.Answer) error {
	if a.Supposed != "" {
		p.say(a.Supposed)
	}
	if a.Narration != nil && a.Narration.Text != "" {
		p.say(a.Narration.Text)
	}
	if a.Frame != nil {
		p.printFrame(a.Frame)
	}
	if a.Explanation != nil {
		p.printExplanation(a.Explanation)
	}
	for _, f := range a.Findings {
		if f.Status == "finding" {
			p.say("  " + f.Message)
		}
	}
	if c := a.Clarification; c != nil {
		if a.Learned != nil { // that was all that was said: what to use it for is asked back
			p.say(a.Learned.Words)
		}
		p.say(c.Question)
		if c.BestGuess != nil {
			p.say("  1. " + choiceWords(c.BestGuess.Label, c.BestGuess.Returns))
		}
		for i, o := range c.Options {
			p.say(fmt.Sprintf("  %d. %s", i+2, choiceWords(o.Label, o.Returns)))
		}
	}
	if r := a.Refusal; r != nil {
		p.say(r.Message)
		for _, repair := range r.Repairs {
			p.say("  " + text.Say("cli.repair", "label", repair.Label, "query", repair.FrameQL))
		}
	}
	if a.Outcome == analyst.OutcomeConfirm {
		p.printWaiting(a)
	}
	if a.Learned != nil && a.Clarification == nil {
		p.say("")
		p.say(a.Learned.Words)
		if c := a.Learned.Correction; c != nil {
			p.say(text.Say("cli.narrow", "id", c.ID))
		}
	}
	if a.Suggested != nil {
		p.say("")
		p.say(text.Say("cli.suggested", "words", a.Suggested.Words, "id", a.Suggested.ID))
	}
	if u := a.Understood; u != nil && a.Frame != nil {
		p.say("")
		p.say(text.Say("cli.read_as", "query", u.FrameQL))
		for _, assumption := range u.Assumptions {
			p.say(text.Say("cli.assumed", "assumption", assumption))
		}
		if a.Verification != nil {
			p.say(text.Count("cli.grade", int64(a.Frame.RowCount), "level", a.Verification.Level, "rows", grouped(int64(a.Frame.RowCount)), "ms", fmt.Sprintf("%.0f", a.Timings.Total)))
		}
		p.printServed(a.Frame)
	}
	if a.Status == "pending_acceptance" {
		p.say(text.Say("cli.accept_it", "level", a.Risk.AutonomyLevel, "request", a.RequestID))
	}
	for _, f := range a.Followups {
		p.say(text.Say("cli.followup", "question", f.Question))
	}
	p.printSent(a.Sent)
	return nil
}

// printSent says what left the machine, and for what; nothing where nothing did.
func (p Program) printSent(all []session.Sent) {
	for _, line := range analyst.SentAway(all) {
		p.say(text.Say("cli.sent", "to", line.Label, "what", line.Text))
	}
}

// printWaiting shows what would run, why it does not yet, and how it goes on.
func (p Program) printWaiting(a *analyst.Answer) {
	p.say(text.Say("cli.waits_" + a.Status))
	if a.Understood != nil && a.Understood.FrameQL != "" {
		p.say(text.Say("cli.read_as", "query", a.Understood.FrameQL))
	}
	if a.SQL != "" {
		p.say(a.SQL)
	}
	if c := a.Plan; c != nil {
		p.say(text.Count("cli.plan", c.Rows, "rows", grouped(c.Rows), "mb", fmt.Sprintf("%.1f", float64(c.Bytes)/1e6), "ms", fmt.Sprintf("%.0f", c.MS), "basis", c.Basis))
	}
	if a.Risk != nil {
		for _, reason := range a.Risk.Reasons {
			p.say("  " + reason)
		}
	}
	if e := a.Escalation; e != nil {
		p.say(e.Reason)
	} else {
		p.say(text.Say("cli.go_on", "request", a.RequestID))
	}
}

// choiceWords is what a choice means and, where that was measured, what it would give.
func choiceWords(label, returns string) string {
	if returns == "" {
		return label
	}
	return text.Say("cli.choice", "label", label, "returns", returns)
}

// printServed says which stored frames gave the numbers, when some did.
func (p Program) printServed(f *frameql.Frame) {
	if len(f.ServedBy) == 0 {
		return
	}
	var frames []string
	for _, s := range f.ServedBy {
		frames = append(frames, s.Frame)
	}
	key := "cli.served_in_part"
	if f.ServedFrom == "engine_cache" {
		key = "cli.served"
	}
	p.say(text.Say(key, "frames", strings.Join(frames, ", ")))
}

func (p Program) printFrame(f *frameql.Frame) {
	if len(f.Columns) == 0 {
		return
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Format.Header = gotext.FormatDefault
	header := table.Row{}
	var aligned []table.ColumnConfig
	marks := flagsOf(f)
	for _, c := range f.Columns {
		if c.Role == frameql.RoleFlag {
			continue
		}
		name := c.Label
		if name == "" {
			name = c.Name
		}
		if c.Unit != "" {
			name += " (" + c.Unit + ")"
		}
		header = append(header, name)
		if isNumber(c.Type) {
			aligned = append(aligned, table.ColumnConfig{Number: len(header), Align: gotext.AlignRight, AlignHeader: gotext.AlignRight})
		}
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(aligned)
	for i, row := range f.Rows {
		if i == rowsOnTerminal {
			break
		}
		cells := table.Row{}
		mark := marks.of(row)
		for j, v := range row {
			switch c := f.Columns[j]; {
			case c.Role == frameql.RoleFlag:
			case v == nil && mark != "" && c.Role == frameql.RoleDimension:
				cells, mark = append(cells, mark), " " // the first one says it
			default:
				cells = append(cells, cell(v, c))
			}
		}
		t.AppendRow(cells)
	}
	p.say(t.Render())
	switch {
	case f.Truncated != nil:
		p.say(text.Say("cli.truncated", "shown", grouped(int64(min(len(f.Rows), rowsOnTerminal))), "total", grouped(int64(f.Truncated.TotalRows))))
	case len(f.Rows) > rowsOnTerminal:
		p.say(text.Say("cli.more_rows", "shown", rowsOnTerminal, "total", grouped(int64(len(f.Rows)))))
	}
}

// flags are the columns that say that a row is no member; -1: there is none.
type flags struct{ other, total int }

func flagsOf(f *frameql.Frame) flags {
	out := flags{-1, -1}
	for i, c := range f.Columns {
		switch {
		case c.Role != frameql.RoleFlag:
		case c.Name == "is_other":
			out.other = i
		case c.Name == "is_total":
			out.total = i
		}
	}
	return out
}

// of is what stands in place of the member; empty: the row has its own.
func (m flags) of(row []any) string {
	switch {
	case m.total >= 0 && row[m.total] == true:
		return text.Say("cli.total_row")
	case m.other >= 0 && row[m.other] == true:
		return text.Say("cli.other_row")
	}
	return ""
}

func isNumber(typ string) bool { return typ == "integer" || typ == "decimal" || typ == "float" }

// cell shows a value: numbers grouped and rounded for the eye only, dates as long as their grain, nulls visible.
func cell(v any, c frameql.Column) string {
	if c.Format == "percent" {
		if fraction, ok := new(big.Rat).SetString(fmt.Sprint(v)); ok {
			return text.Say("cli.percent", "n", percentage(fraction))
		}
	}
	switch x := v.(type) {
	case nil:
		return text.Say("cli.null")
	case int64:
		if c.Role == frameql.RoleDimension { // a number that names something
			return strconv.FormatInt(x, 10)
		}
		return grouped(x)
	case float64:
		return groupDecimal(strconv.FormatFloat(x, 'f', decimalsShown, 64))
	case json.Number:
		return groupDecimal(rounded(string(x)))
	case string:
		if isNumber(c.Type) { // more digits than a JSON number keeps
			return groupDecimal(x)
		}
		return strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(atGrain(x, c.Grain))
	default:
		return fmt.Sprint(x)
	}
}

// decimalsShown on a terminal; --json has every digit.
const decimalsShown = 2

// percentage writes a fraction in hundredths: one decimal place, two significant digits below a tenth.
func percentage(fraction *big.Rat) string {
	r := new(big.Rat).Mul(fraction, big.NewRat(100, 1))
	places := 1
	for least := big.NewRat(1, 10); places < 12 && r.Sign() != 0 && new(big.Rat).Abs(r).Cmp(least) < 0; places++ {
		least.Mul(least, big.NewRat(1, 10))
	}
	if places > 1 {
		places++
	}
	return groupDecimal(r.FloatString(places))
}

// rounded cuts a decimal to the digits shown, half away from zero.
func rounded(s string) string {
	exact, ok := new(big.Rat).SetString(s)
	if _, fraction, _ := strings.Cut(s, "."); !ok || len(fraction) <= decimalsShown {
		return s
	}
	return exact.FloatString(decimalsShown)
}

// atGrain writes the first day of a month or year as the month or year.
func atGrain(s, grain string) string {
	switch {
	case grain == "year" && len(s) >= 4:
		return s[:4]
	case grain == "month" && len(s) >= 7:
		return s[:7]
	default:
		return s
	}
}

func groupDecimal(s string) string {
	if strings.ContainsAny(s, "IN") { // Infinity, NaN
		return s
	}
	whole, fraction, ok := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if !ok {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

func (p Program) printRefusals(refusals []frameql.Refusal) {
	for _, r := range refusals {
		p.say(r.Message)
		for _, repair := range r.Repairs {
			p.say("  " + text.Say("cli.repair", "label", repair.Label, "query", repair.FrameQL))
		}
	}
}

func (p Program) say(line string) { fmt.Fprintln(p.Stdout, line) }
