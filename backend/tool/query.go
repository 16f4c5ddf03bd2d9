package tool

import (
	"context"
	"errors"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// parsed reads a query as a mind wrote it.
func parsed(w written) (*frameql.Query, *Problem) {
	source := strings.TrimSpace(w.text)
	var q *frameql.Query
	var err error
	if strings.HasPrefix(source, "{") {
		q, err = frameql.ParseJSON([]byte(source))
	} else {
		q, err = frameql.Parse(source)
	}
	if err == nil {
		return q, nil
	}
	p := &Problem{Kind: "refusal", RefusalKind: "SYNTAX", Message: clean(err.Error(), 2*longestText), FrameQL: shown(source)}
	var f *fault.Error
	if errors.As(err, &f) {
		p.Message, p.Suggestion = clean(f.Message, 2*longestText), clean(f.Hint, longestText)
	}
	return nil, p
}

// refused says every refusal of a query, and all that would run instead.
func refused(kind, source string, all []frameql.Refusal) *Problem {
	p := &Problem{Kind: kind, FrameQL: shown(source)}
	var said []string
	for i, r := range all {
		if i == 0 {
			p.RefusalKind = r.Code
		}
		if i < 5 {
			said = append(said, clean(r.Message, 2*longestText))
		}
		for _, repair := range r.Repairs {
			if p.Suggestion == "" {
				p.Suggestion = clean(repair.Label, longestText)
			}
			p.Repairs = append(p.Repairs, repair.FrameQL)
		}
	}
	p.Message = strings.Join(said, " ")
	return p
}

// shown is a query to be seen and not to be run: of a long one the beginning.
func shown(source string) string { return clean(source, 600) }

// failed makes of an error what a mind can go on from, where it can: the statement was too slow, not allowed, or over nothing that is there.
// A failure of the machine, and the end of the request, stay errors.
func failed(err error) (Result, error) {
	var f *fault.Error
	if !errors.As(err, &f) || errors.Is(err, context.Canceled) {
		return Result{}, err
	}
	switch f.Code {
	case fault.Limit, fault.Invalid, fault.NotFound, fault.Unauthorized, fault.Conflict:
		return Result{Problem: &Problem{Kind: "failed", Message: clean(f.Message, 2*longestText), Suggestion: clean(f.Hint, longestText)}}, nil
	default:
		return Result{}, err
	}
}

// absent is the problem of a tool whose work cannot be done here.
func absent(what string) (Result, error) {
	return Result{Problem: &Problem{Kind: "unavailable", Message: text.Say("tool.absent", "what", what)}}, nil
}

func problem(p *Problem) (Result, error) { return Result{Problem: p}, nil }

// Ask runs a query for a tool that is made elsewhere: a frame, or the problem that a mind gets. An error is as of Tool.Do.
func Ask(ctx context.Context, d *Desk, source string) (*Problem, *Ran, error) {
	if d.Run == nil {
		r, err := absent("frame")
		return r.Problem, nil, err
	}
	q, p := parsed(written{source})
	if p != nil {
		return p, nil, nil
	}
	ran, err := d.Run(ctx, q)
	if err != nil {
		r, err := failed(err)
		return r.Problem, nil, err
	}
	r, err := d.given(ran, q.String())
	switch {
	case err != nil || r.Problem != nil:
		return r.Problem, nil, err
	case ran.Frame == nil:
		return &Problem{Kind: "waits_for_person", Message: clean(ran.Waits, longestText), FrameQL: shown(q.String())}, nil, nil
	}
	ran.Frame = d.marked(ran.Frame)
	return nil, &ran, nil
}
