package analyst

import (
	"context"
	"math/big"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// tolerance is how far two sums of doubles may lie apart, relative to their size: they depend on the order in which the
// engine adds (engine design, 0.9). Whole numbers and decimals must be equal.
const tolerance = 1e-9

// prove does for OPTIONS (verify = 'AAA') what only the numbers can tell: the frame is computed a second time by another
// statement, with every rewrite off, its branches in the other order and no stored frame, and what adds up is added up and
// compared with a total of its own. A refusal says which number differs; nil: the answer is AAA, or nobody asked.
func (r *run) prove(ctx context.Context) (*Refused, error) {
	if r.plan.Verify != "AAA" {
		return nil, nil
	}
	var refused *Refused
	_, err := r.step(ctx, "reproduce", func(s *session.Step) error {
		f := r.answer.Frame
		s.Input = r.shows
		defer func() { s.Output = session.Hash(r.answer.Verification.Level) }()
		failed := func(code, words string) {
			refused = &Refused{Code: "ATTESTATION_TOO_LOW", Message: text.Say("frameql.verify_lacks", "verify", "AAA", "lack", words), Repairs: r.plan.LowerVerify()}
			s.Note = code
		}
		if r.selfReviewed() {
			failed("SELF_REVIEWED", text.Say("analyst.self_reviewed"))
			return nil
		}
		if r.readByModel() {
			failed("READ_BY_MODEL", text.Say("analyst.read_by_model"))
			return nil
		}
		words, err := r.reproduced(ctx, f)
		if err != nil || words != "" {
			failed("REPRODUCED", words)
			return err
		}
		r.checks = append(r.checks, Check{Code: "REPRODUCED", Status: "passed", Message: text.Say("analyst.check_reproduced")})
		conserved, err := r.conserved(ctx, f)
		if err != nil || conserved.Status == "finding" {
			failed("CONSERVED", conserved.Message)
			return err
		}
		r.checks = append(r.checks, conserved)
		r.answer.Verification.Level = "AAA"
		return nil
	})
	return refused, err
}

// reproduced computes the frame on a second path and says where it differs; empty: nowhere.
func (r *run) reproduced(ctx context.Context, f *frameql.Frame) (string, error) {
	again, err := r.alone(ctx, r.plan.SecondPath(), r.sql.MaxRows)
	if err != nil {
		return "", err
	}
	if len(again.Rows) != len(f.Rows) {
		return text.Say("analyst.differs_rows", "first", frameview.Grouped(int64(len(f.Rows))), "second", frameview.Grouped(int64(len(again.Rows)))), nil
	}
	for k, row := range f.Rows {
		for i, c := range f.Columns {
			if i < len(again.Rows[k]) && !equalCells(c, row[i], again.Rows[k][i]) {
				return text.Say("analyst.differs_cell", "column", frameview.Label(c), "row", k+1, "first", frameview.Figure(row[i], c), "second", frameview.Figure(again.Rows[k][i], c)), nil
			}
		}
	}
	return "", nil
}

// conserved adds up the parts of every number that adds up and compares them with the whole.
func (r *run) conserved(ctx context.Context, f *frameql.Frame) (Check, error) {
	out := Check{Code: "CONSERVED", Status: "not_applicable", Message: text.Say("analyst.check_conserved_not")}
	q, columns := r.plan.Whole()
	if q == nil || f.Truncated != nil || len(f.Rows) == 0 {
		return out, nil
	}
	whole, err := r.alone(ctx, q, 1)
	if err != nil || len(whole.Rows) != 1 {
		return out, err
	}
	for n, i := range columns {
		c, sum := f.Columns[i], new(big.Rat)
		for _, row := range frameview.Members(f).Rows {
			if x, ok := frameview.Number(row[i]); ok {
				sum.Add(sum, x)
			}
		}
		total, ok := frameview.Number(whole.Rows[0][n])
		if !ok {
			total = new(big.Rat)
		}
		if !equalNumbers(c.Type == "float", sum, total) {
			out.Status, out.Message = "finding", text.Say("analyst.differs_total", "column", frameview.Label(c), "parts", sum.FloatString(4), "whole", total.FloatString(4))
			return out, nil
		}
	}
	out.Status, out.Message = "passed", text.Say("analyst.check_conserved")
	return out, nil
}

// alone runs a query as its plain steps, over the base data.
func (r *run) alone(ctx context.Context, q *compile.Query, maxRows int) (*frameql.Frame, error) {
	program, err := compile.Compile(q, compile.Options{Dialect: r.sql.Dialect, Without: []string{"all"}})
	if err != nil {
		return nil, err
	}
	if len(program.LeafFrames) > 0 {
		return nil, fault.New(fault.Invalid, "reproduce", text.Say("analyst.internal"), text.Say("analyst.internal_hint"))
	}
	st := frameql.Statement{SQL: program.SQL, Dialect: r.sql.Dialect, MaxRows: maxRows}
	for _, name := range program.Columns {
		st.Columns = append(st.Columns, frameql.Column{Name: name})
	}
	return r.a.deps.Engine.Query(ctx, st)
}

// equalCells compares two cells of a column: what is no number must be the same.
func equalCells(c frameql.Column, a, b any) bool {
	x, isNumber := frameview.Number(a)
	y, alsoNumber := frameview.Number(b)
	if !frameview.Numeric(c) || !isNumber || !alsoNumber {
		return a == b
	}
	return equalNumbers(c.Type == "float", x, y)
}

func equalNumbers(float bool, a, b *big.Rat) bool {
	if a.Cmp(b) == 0 {
		return true
	}
	x, y := ratFloat(a), ratFloat(b)
	return float && max(x-y, y-x) <= tolerance*max(x, -x, y, -y, 1)
}
