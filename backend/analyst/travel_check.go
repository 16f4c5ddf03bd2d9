package analyst

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"assay/backend/chart"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/prose"
	"assay/backend/session"
)

// misfit is what does not fit in an answer that came from elsewhere, for the log.
func misfit(what string) error { return errors.New(what) }

func newClarification() *interpret.Clarification { return &interpret.Clarification{} }

const (
	mostColumns  = 2000
	mostTables   = 1000 // that an answer reads
	longestTable = 400
	mostCells    = 1_000_000 // of a frame: 10,000 rows of 100 columns
)

var (
	travelName = regexp.MustCompile(`^[A-Za-z0-9:._-]{0,200}$`)
	oneWord    = regexp.MustCompile(`^[A-Za-z0-9_]{0,64}$`)

	checkStatuses = []string{"passed", "finding", "not_applicable", "could_not_check"}
	severities    = []string{"info", "caution", "critical"}
	grades        = []string{"none", "A", "AA", "AAA", "contradicted"}
	columnRoles   = []frameql.Role{frameql.RoleDimension, frameql.RoleMetric, frameql.RoleComparison, frameql.RoleFlag}
	columnTypes   = []string{"text", "integer", "decimal", "float", "boolean", "date", "timestamp", "time", "json"}
	servedFrom    = []string{"", "engine_cache", "backend"}
	dialects      = []frameql.Dialect{"", frameql.DuckDB, frameql.Postgres, frameql.MySQL, frameql.ClickHouse}
	additivities  = []string{"", "additive", "semi", "none"}
)

// checkSaid reads what a turn leaves behind for the ones after it, and holds its query to the grammar.
func checkSaid(t *session.Turn, o Arrival) error {
	if t.FrameQL != "" && !o.Masked {
		if _, err := frameql.Parse(t.FrameQL); err != nil {
			return fmt.Errorf("frame_ql: %w", err)
		}
	}
	if len(t.Said) == 0 || bytes.Equal(t.Said, null) {
		t.Said = nil
		return nil
	}
	var left said
	if err := session.DecodeStrict(t.Said, &left, "said"); err != nil {
		return err
	}
	if len(left.Tables) > mostTables || slices.ContainsFunc(left.Tables, func(name string) bool { return utf8.RuneCountInString(name) > longestTable }) {
		return misfit("said: tables")
	}
	if err := checkSpans(left.Spans, t.Question, o); err != nil {
		return fmt.Errorf("said: %w", err)
	}
	raw, err := json.Marshal(left)
	t.Said = raw
	return err
}

// checkColumns holds the columns of a frame, and what it says of itself, to their words.
func checkColumns(f *frameql.Frame) error {
	if len(f.Columns) > mostColumns || !travelName.MatchString(f.ID) || !slices.Contains(dialects, f.Dialect) || !slices.Contains(servedFrom, f.ServedFrom) {
		return misfit("columns, id, dialect or served_from")
	}
	seen := map[string]bool{}
	for i, c := range f.Columns {
		switch {
		case seen[c.Name]:
			return fmt.Errorf("columns[%d]: %.40q twice", i, c.Name)
		case !slices.Contains(columnRoles, c.Role), !slices.Contains(columnTypes, c.Type), !slices.Contains(servedFrom, c.ServedFrom),
			!slices.Contains(additivities, c.Additivity), c.Format != "" && c.Format != "percent":
			return fmt.Errorf("columns[%d]", i)
		}
		seen[c.Name] = true
	}
	if t := f.Truncated; t != nil && (t.Cap < 0 || t.TotalRows < f.RowCount) || f.RowCount < 0 {
		return misfit("row_count")
	}
	return nil
}

// checkRows compares a frame with what it says of its rows.
func checkRows(f *frameql.Frame) error {
	if f.LetGo != nil && (len(f.Rows) > 0 || f.Truncated == nil) {
		return misfit("let_go")
	}
	if f.RowCount != len(f.Rows) {
		return fmt.Errorf("%d rows of %d", len(f.Rows), f.RowCount)
	}
	for _, r := range f.Reasons {
		if !hasColumn(f, r.Column) || slices.ContainsFunc(r.Rows, func(n int) bool { return n < 0 || n >= len(f.Rows) }) {
			return misfit("reasons")
		}
	}
	return nil
}

func hasColumn(f *frameql.Frame, name string) bool {
	return slices.ContainsFunc(f.Columns, func(c frameql.Column) bool { return c.Name == name })
}

// typedRows reads rows into the types that cells have here; see frameql.Frame. A number that would not be written again as it stands keeps its
// digits.
func typedRows(raw []byte, columns []frameql.Column) ([][]any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil, misfit("rows are no list")
	}
	rows, cells := [][]any{}, 0
	for d.More() {
		var row []any
		if err := d.Decode(&row); err != nil {
			return nil, err
		}
		if cells += len(row); len(row) != len(columns) || cells > mostCells {
			return nil, fmt.Errorf("row %d has %d cells", len(rows), len(row))
		}
		for i := range row {
			switch cell := row[i].(type) {
			case nil, bool, string:
			case json.Number:
				row[i] = typedNumber(cell, columns[i].Type)
			default:
				return nil, fmt.Errorf("row %d: a cell is a list or an object", len(rows))
			}
		}
		rows = append(rows, row)
	}
	if _, err := d.Token(); err != nil || d.More() {
		return nil, misfit("rows do not end")
	}
	return rows, nil
}

func typedNumber(n json.Number, columnType string) any {
	switch columnType {
	case "integer":
		if i, err := n.Int64(); err == nil && strconv.FormatInt(i, 10) == string(n) {
			return frameql.WholeCell(i)
		}
	case "float":
		if x, err := n.Float64(); err == nil {
			if raw, err := json.Marshal(x); err == nil && string(raw) == string(n) {
				return x
			}
		}
	}
	if frameql.LosesDigits(string(n)) {
		return string(n)
	}
	return n
}

// checkAnswer holds an answer to its lists of words and to itself.
func checkAnswer(a *Answer, t *session.Turn, o Arrival) error {
	switch a.Outcome {
	case OutcomeClarify:
		if a.Clarification == nil || a.Clarification.BestGuess == nil {
			return misfit("clarification")
		}
	case OutcomeRefuse:
		if a.Refusal == nil {
			return misfit("refusal")
		}
	case OutcomeAnswer, OutcomeConfirm:
	}
	for _, check := range []func() error{
		func() error { return checkVerification(a) },
		func() error { return checkRisk(a.Risk) },
		func() error { return checkNarration(a, o) },
		func() error { return checkChart(a) },
		func() error { return checkCard(a.MetricCard) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	if u := a.Understood; u != nil {
		if u.FrameQL != t.FrameQL {
			return misfit("understood.frame_ql")
		}
		return checkSpans(u.Spans, a.Question, o)
	}
	return nil
}

func checkSpans(spans []interpret.Span, question string, o Arrival) error {
	for i, s := range spans {
		if s.Start < 0 || s.End < s.Start || s.Confidence < 0 || s.Confidence > 1 || !o.Masked && s.End > len(question) || !oneWord.MatchString(s.Method) || !oneWord.MatchString(s.Slot) {
			return fmt.Errorf("spans[%d]", i)
		}
	}
	return nil
}

func checkVerification(a *Answer) error {
	if v := a.Verification; v != nil {
		if !slices.Contains(grades, v.Level) {
			return misfit("verification.level")
		}
		for i, c := range v.Checks {
			if !slices.Contains(checkStatuses, c.Status) || !oneWord.MatchString(c.Code) {
				return fmt.Errorf("verification.checks[%d]", i)
			}
		}
	}
	for i, f := range a.Findings {
		if !slices.Contains(checkStatuses, f.Status) || !slices.Contains(severities, f.Severity) || !oneWord.MatchString(f.Code) {
			return fmt.Errorf("findings[%d]", i)
		}
	}
	return nil
}

func checkRisk(r *Risk) error {
	if r == nil {
		return nil
	}
	numbers := []float64{r.ErrorLikelihood, r.Cost}
	for _, x := range []*float64{r.Factors.Complexity, r.Factors.SourceRisk, r.Factors.Novelty, r.Factors.Ambiguity} {
		if x != nil {
			numbers = append(numbers, *x)
		}
	}
	if slices.ContainsFunc(numbers, func(x float64) bool { return x < 0 || x > 1 }) || r.AutonomyLevel < 0 || r.AutonomyLevel > 5 ||
		!oneWord.MatchString(r.Decision) || !oneWord.MatchString(r.ExpectedCost) {
		return misfit("risk")
	}
	return nil
}

// checkNarration looks that every citation is a piece of the text and of the frame.
func checkNarration(a *Answer, o Arrival) error {
	n := a.Narration
	if n == nil {
		return nil
	}
	if n.By != "template" && n.By != "model" {
		return misfit("narration.by")
	}
	for i, c := range n.Citations {
		inText := c.Start >= 0 && c.Start <= c.End && c.End <= len(n.Text) && boundary(n.Text, c.Start) && boundary(n.Text, c.End)
		f := a.Frame
		inFrame := f != nil && c.Frame == f.ID && checkCited(c, f, o)
		if !inText || !inFrame {
			return fmt.Errorf("narration.citations[%d]", i)
		}
	}
	return nil
}

// checkCited looks that a citation leads to a cell, to the number of rows, or to the cells of its formula.
func checkCited(c session.Citation, f *frameql.Frame, o Arrival) bool {
	known := func(row int, column string) bool {
		return row >= 0 && (o.without(f) || row < len(f.Rows)) && hasColumn(f, column)
	}
	if c.Formula == "" {
		return len(c.Cells) == 0 && (c.Row == -1 && c.Column == "" || known(c.Row, c.Column))
	}
	if len(c.Cells) == 0 || c.Cells[0] != (session.CitedCell{Row: c.Row, Column: c.Column}) {
		return false
	}
	for _, cell := range c.Cells {
		if cell.Row == -1 && !hasColumn(f, cell.Column) || cell.Row != -1 && !known(cell.Row, cell.Column) {
			return false
		}
	}
	if o.Masked { // names may have been replaced in it
		return true
	}
	formula, err := prose.ParseFormula(c.Formula, f, o.without(f))
	return err == nil && slices.Equal(formula.Cells(f), c.Cells)
}

func boundary(s string, at int) bool { return at == len(s) || utf8.RuneStart(s[at]) }

func checkChart(a *Answer) error {
	c := a.Chart
	if c == nil {
		return nil
	}
	if a.Frame == nil || c.Frame != a.Frame.ID || !slices.Contains(chart.Types(), c.Type) {
		return misfit("chart")
	}
	for _, name := range append([]string{c.X, c.Color}, c.Y...) {
		if name != "" && !hasColumn(a.Frame, name) {
			return fmt.Errorf("chart: no column %.40q", name)
		}
	}
	return nil
}

// checkCard looks that the cells of a card are cells.
func checkCard(c *MetricCard) error {
	if c == nil {
		return nil
	}
	cells := []any{c.Summary, c.Previous, c.DeltaPct}
	for _, p := range c.Timeseries {
		cells = append(cells, p.Date, p.Value)
	}
	for _, p := range c.Breakdown {
		cells = append(cells, p.Label, p.Value)
	}
	for _, cell := range cells {
		switch cell.(type) {
		case nil, bool, string, json.Number:
		default:
			return misfit("metric_card")
		}
	}
	return nil
}
