package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/profile"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

type columnProfileArguments struct {
	Schema string `json:"schema" doc:"The entity" most:"200"`
	Column string `json:"column" doc:"Its dimension" most:"200"`
	Show   bool   `json:"show,omitempty" doc:"Show the person a card of it, too"`
}

type profileBody struct {
	Name        string   `json:"name"`
	Schema      string   `json:"schema"`
	Type        string   `json:"dtype"`
	Distinct    int64    `json:"nunique"`
	Rows        int64    `json:"n_rows"`
	NullRate    float64  `json:"null_rate"`
	Cardinality string   `json:"cardinality_class"`
	Hint        string   `json:"kind_hint"`
	Min         any      `json:"min,omitempty"`
	Max         any      `json:"max,omitempty"`
	Top         [][2]any `json:"top_values"`
	Personal    bool     `json:"personal,omitempty"`
	CardID      string   `json:"card_id,omitempty"`
	Note        string   `json:"note,omitempty"`
}

func columnProfile() Tool {
	return define("column_profile", true, func(ctx context.Context, d *Desk, a columnProfileArguments) (Result, error) {
		e, dim, p := dimensionOf(d.Model, a.Schema, a.Column)
		if p != nil {
			return problem(p)
		}
		if d.Profile == nil {
			return absent("column_profile")
		}
		found, err := d.Profile(ctx, e.Name, dim.Name)
		if err != nil {
			return unmeasured(err, e.Name+"."+dim.Name)
		}
		b := &profileBody{
			Name: name(dim.Name), Schema: name(e.Name), Type: found.Type, Distinct: found.Distinct, Rows: found.Rows, NullRate: found.NullRate, Cardinality: found.Cardinality,
			Hint: found.Hint, Min: d.cell(found.Min), Max: d.cell(found.Max), Top: [][2]any{}, Personal: d.personal(e, dim),
		}
		r := Result{}
		if b.Personal {
			b.Min, b.Max, found.Top = nil, nil, nil
		}
		for _, v := range found.Top {
			b.Top = append(b.Top, [2]any{d.cell(v.Value), v.Rows})
		}
		if len(b.Top) > 0 {
			r.Columns, r.Rows = []string{e.Name + "." + dim.Name}, len(b.Top)
		}
		if a.Show && d.Show != nil {
			id, err := d.Show(session.KindQMCard, dim.Label, cardOf(found, dim, b.Personal))
			if err != nil {
				return failed(err)
			}
			b.CardID, r.Made = id, made(id)
		}
		r.Body = fitted(b, MostBytes, text.Say("tool.narrow_member"))
		return r, nil
	})
}

// cardOf is a profile as the card that a person sees.
func cardOf(p Profile, dim *semantic.Dimension, personal bool) profile.QMCard {
	nulls := p.Rows - int64(float64(p.Rows)*(1-p.NullRate)+0.5)
	c := profile.QMCard{Table: p.Entity, Rows: p.Rows, Looked: p.Rows, FrameQL: dim.Expr, Column: profile.ColumnProfile{
		Name: p.Column, Type: p.Type, Nulls: nulls, Distinct: p.Distinct, Personal: dim.PII, Histogram: []profile.Bucket{}, Top: []profile.TopValue{},
	}}
	if personal {
		return c
	}
	say := func(x any) *string {
		if x == nil {
			return nil
		}
		s := fmt.Sprint(x)
		return &s
	}
	c.Column.Min, c.Column.Max = say(p.Min), say(p.Max)
	for _, v := range p.Top {
		c.Column.Top = append(c.Column.Top, profile.TopValue{Value: fmt.Sprint(v.Value), Count: v.Rows, Share: float64(v.Rows) / float64(max(p.Rows-nulls, 1))})
	}
	return c
}

// dimensionOf finds a dimension of an entity, by its name or by that of its column, or says what there is.
func dimensionOf(m *semantic.Model, entity, column string) (*semantic.Entity, *semantic.Dimension, *Problem) {
	e := m.Entity(strings.TrimSpace(entity))
	if e == nil {
		return nil, nil, unknown("unknown_family", "tool.no_entity", entity, entityNames(m))
	}
	column = strings.TrimSpace(column)
	if dim := e.Dimension(column); dim != nil {
		return e, dim, nil
	}
	i := slices.IndexFunc(e.Dimensions, func(d semantic.Dimension) bool { return d.Physical() != "" && strings.EqualFold(d.Physical(), column) })
	if i >= 0 {
		return e, &e.Dimensions[i], nil
	}
	return nil, nil, unknown("unknown_column", "tool.no_dimension", column, dimensionNames(e))
}

func entityNames(m *semantic.Model) (all []string) {
	for i := range m.Entities {
		all = append(all, m.Entities[i].Name)
	}
	return all
}

func dimensionNames(e *semantic.Entity) (all []string) {
	for i := range e.Dimensions {
		all = append(all, e.Dimensions[i].Name)
	}
	return all
}

// unmeasured says that there is nothing to measure, or what went wrong.
func unmeasured(err error, what string) (Result, error) {
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.NotFound {
		return problem(&Problem{Kind: "not_profiled", Message: clean(f.Message, 2*longestText), Name: name(what), Suggestion: clean(f.Hint, longestText)})
	}
	return failed(err)
}
