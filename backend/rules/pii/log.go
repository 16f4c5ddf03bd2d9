package pii

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
)

// Redact drops the personal values and the secrets of a text for good: "[email]" stands where one was. It is for logs, which
// nobody restores.
func (p Policy) Redact(s string) string {
	spans := joined(p.Find(s))
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	last := 0
	for _, x := range spans {
		b.WriteString(s[last:x.Start])
		b.WriteString(dropped(x.Kind))
		last = x.End
	}
	b.WriteString(s[last:])
	return b.String()
}

func dropped(k Kind) string { return "[" + string(k) + "]" }

// Redactor is a slog.Handler before another one that gets neither personal values nor secrets: in messages, keys and values of
// every type, within groups, errors and whatever a value prints itself as. A value under a key that names a secret or a
// personal thing goes as a whole.
type Redactor struct {
	policy Policy
	next   slog.Handler
}

// NewRedactor puts a redactor before a handler.
func NewRedactor(next slog.Handler, p Policy) *Redactor { return &Redactor{policy: p, next: next} }

// Enabled asks the handler behind.
func (r *Redactor) Enabled(ctx context.Context, level slog.Level) bool {
	return r.next.Enabled(ctx, level)
}

// Handle gives the record on without what must not be in it.
func (r *Redactor) Handle(ctx context.Context, record slog.Record) error {
	clean := slog.NewRecord(record.Time, record.Level, r.policy.Redact(record.Message), record.PC)
	record.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(r.attr(a))
		return true
	})
	return r.next.Handle(ctx, clean)
}

// WithAttrs gives a redactor whose records have these attributes.
func (r *Redactor) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = r.attr(a)
	}
	return &Redactor{r.policy, r.next.WithAttrs(clean)}
}

// WithGroup gives a redactor whose attributes stand in a group.
func (r *Redactor) WithGroup(name string) slog.Handler {
	return &Redactor{r.policy, r.next.WithGroup(r.policy.Redact(name))}
}

func (r *Redactor) attr(a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	if kind := r.kindOf(a.Key); kind != "" && says(a.Value) && !(kind == Address && !strings.Contains(a.Value.String(), " ")) { // the address of a server
		return slog.String(r.policy.Redact(a.Key), dropped(kind))
	}
	return slog.Attr{Key: r.policy.Redact(a.Key), Value: r.value(a.Value)}
}

// kindOf says what stands under a key.
func (r *Redactor) kindOf(key string) Kind {
	if SecretKey(key) {
		return Secret
	}
	if k := r.policy.Of(Column{Name: key}); k != None {
		return k
	}
	return ""
}

// says is false for what names nobody: true, false, nothing.
func says(v slog.Value) bool {
	switch v.Kind() {
	case slog.KindBool:
		return false
	case slog.KindAny:
		return v.Any() != nil
	case slog.KindString:
		return v.String() != ""
	default:
		return true
	}
}

func (r *Redactor) value(v slog.Value) slog.Value {
	switch v.Kind() {
	case slog.KindString:
		return slog.StringValue(r.policy.Redact(v.String()))
	case slog.KindGroup:
		var clean []slog.Attr
		for _, a := range v.Group() {
			clean = append(clean, r.attr(a))
		}
		return slog.GroupValue(clean...)
	case slog.KindAny:
		return slog.AnyValue(r.any(v.Any()))
	case slog.KindInt64, slog.KindUint64:
		if s := v.String(); r.policy.Redact(s) != s { // the number of a card
			return slog.StringValue(r.policy.Redact(s))
		}
	default:
	}
	return v
}

// any gives what a value of any type may be logged as: its text, or its JSON with the same done to every part.
func (r *Redactor) any(x any) any {
	switch x := x.(type) {
	case nil:
		return nil
	case error:
		return r.policy.Redact(x.Error())
	case fmt.Stringer:
		return r.policy.Redact(x.String())
	case []byte:
		return r.policy.Redact(string(x))
	}
	raw, err := json.Marshal(x)
	if err != nil {
		return r.policy.Redact(fmt.Sprintf("%+v", x))
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		return r.policy.Redact(string(raw))
	}
	return r.tree(plain)
}

func (r *Redactor) tree(x any) any {
	switch x := x.(type) {
	case string:
		return r.policy.Redact(x)
	case float64:
		if s := digitsOf(x); r.policy.Redact(s) != s {
			return r.policy.Redact(s)
		}
		return x
	case []any:
		for i := range x {
			x[i] = r.tree(x[i])
		}
		return x
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, y := range x {
			if kind := r.kindOf(k); kind != "" && y != nil && y != false && y != true {
				out[r.policy.Redact(k)] = dropped(kind)
				continue
			}
			out[r.policy.Redact(k)] = r.tree(y)
		}
		return out
	}
	return x
}
