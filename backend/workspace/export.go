package workspace

import (
	"bytes"
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"assay/backend/analyst"
	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/store"
	"assay/backend/text"
)

// Export writes all rows of the answer to a request, with what is needed to trace them, and gives a name for the file.
//
// Faults: those of OpenAnswer and of export.Write, and Canceled.
func (w *Workspace) Export(ctx context.Context, requestID string, f export.Format, out io.Writer) (name string, err error) {
	if f.MediaType() == "" {
		return "", export.Write(out, f, export.Table{})
	}
	answer, asked, err := w.answerTo(ctx, requestID)
	if err != nil {
		return "", err
	}
	x, err := w.openAnswer(ctx, requestID, openedExport)
	if err != nil {
		return "", err
	}
	title := answer.Question
	if answer.Understood != nil && answer.Understood.Reading != "" {
		title = answer.Understood.Reading
	}
	t := export.Table{Title: title, Columns: x.Columns, Records: w.recordsOf(ctx, x), Provenance: w.provenanceOf(answer, asked, title, x)}
	if err := export.Write(out, f, t); err != nil {
		if ctx.Err() != nil {
			return "", fault.Wrap(fault.Canceled, "export", text.Say("workspace.export_canceled"), "", ctx.Err())
		}
		return "", err
	}
	return fileName(title) + "." + string(f), nil
}

// recordsOf gives all rows of a result, window by window, their texts in full. Where texts are so long that a window would be too large
// the windows get smaller.
func (w *Workspace) recordsOf(ctx context.Context, x store.Result) iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		rows := store.WindowRows
		for at := int64(0); at < x.Rows; {
			var raw bytes.Buffer
			err := w.results.Rows(ctx, x.ID, store.Window{Offset: at, Limit: rows, Whole: true}, &raw)
			if fault.CodeOf(err) == fault.Limit && rows > 1 {
				rows = max(1, rows/8)
				continue
			}
			if err != nil {
				yield(nil, err)
				return
			}
			more, err := yieldRecords(&raw, yield)
			if err != nil {
				yield(nil, fault.Wrap(fault.Internal, "export", text.Say("workspace.export_broke"), "", err))
				return
			}
			if !more {
				return
			}
			at += int64(rows)
		}
	}
}

// yieldRecords hands on the records of a window; more is false when nobody wants another one.
func yieldRecords(raw io.Reader, yield func(arrow.RecordBatch, error) bool) (more bool, err error) {
	r, err := ipc.NewReader(raw)
	if err != nil {
		return false, err
	}
	defer r.Release()
	for r.Next() {
		if !yield(r.RecordBatch(), nil) {
			return false, nil
		}
	}
	return true, r.Err()
}

// provenanceOf says where the rows of an answer come from, in the order in which the provenance card does.
func (w *Workspace) provenanceOf(a analyst.Answer, asked time.Time, title string, x store.Result) []export.Fact {
	var all []export.Fact
	say := func(key, value string) {
		if value != "" {
			all = append(all, export.Fact{Name: text.Say(key), Value: value})
		}
	}
	f := a.Frame
	say("workspace.export_question", a.Question)
	say("workspace.export_reading", title)
	say("workspace.export_asked", asked.UTC().Format(time.RFC3339))
	say("workspace.export_made", w.opts.Now().UTC().Format(time.RFC3339))
	if a.Verification != nil {
		say("workspace.export_grade", a.Verification.Level)
	}
	say("workspace.export_frame_ql", f.FrameQL)
	say("workspace.export_sql", f.SQL)
	for _, table := range slices.Sorted(maps.Keys(f.SourceEpochs)) {
		say("workspace.export_source", text.Say("workspace.export_epoch", "table", table, "epoch", f.SourceEpochs[table]))
	}
	if f.Span != nil && f.Span.Covered != nil {
		say("workspace.export_span", text.Say("workspace.export_span_of", "column", f.Span.On, "from", f.Span.Covered.From, "to", f.Span.Covered.To))
	}
	if a.Verification != nil {
		for _, c := range a.Verification.Checks {
			say("workspace.export_check", c.Code+", "+c.Status+": "+c.Message)
		}
	}
	if a.Risk != nil {
		say("workspace.export_risk", text.Say("workspace.export_risk_line", "likelihood", a.Risk.ErrorLikelihood, "level", a.Risk.AutonomyLevel))
	}
	say("workspace.export_rows", strconv.FormatInt(x.Rows, 10))
	if x.Changed {
		say("workspace.export_changed", text.Say("workspace.export_changed_since"))
	}
	say("workspace.export_model", w.Knowledge().Model.Version)
	say("workspace.export_request", a.RequestID)
	return all
}

// fileName makes a name of a title that every file system takes.
func fileName(title string) string {
	var b strings.Builder
	for _, r := range title {
		switch {
		case r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	name := strings.Trim(strings.Join(strings.Fields(b.String()), " "), ". ")
	if runes := []rune(name); len(runes) > 80 {
		name = strings.TrimSpace(string(runes[:80]))
	}
	if name == "" {
		return "result"
	}
	return name
}
