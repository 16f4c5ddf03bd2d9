package tool

import (
	"context"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

type searchValuesArguments struct {
	Words string `json:"words" doc:"What the person wrote: a name, or a part of one" most:"200"`
	Most  int    `json:"most,omitempty" doc:"Values at most, 8 by itself" min:"1" max:"20"`
}

type valuesBody struct {
	Values []valueBody `json:"values"` // the most alike first
	Note   string      `json:"note,omitempty"`
}

type valueBody struct {
	Dimension string  `json:"dimension"`
	Value     string  `json:"value"`
	Like      float64 `json:"like"`
	Condition string  `json:"condition,omitempty"` // as it stands in WHERE; none of a value that is no plain text
}

func searchValues() Tool {
	return define("search_values", false, func(ctx context.Context, d *Desk, a searchValuesArguments) (Result, error) {
		if d.Search == nil {
			return absent("search_values")
		}
		most := a.Most
		if most == 0 {
			most = 8
		}
		found, err := d.Search(ctx, clean(a.Words, 200), most)
		if err != nil {
			return failed(err)
		}
		b := &valuesBody{Values: []valueBody{}}
		r := Result{}
		for _, v := range found {
			entity, _, _ := strings.Cut(v.Dimension, ".")
			e, dim := d.Model.Entity(entity), d.Model.Dimension(v.Dimension)
			if e == nil || dim == nil || d.personal(e, dim) || len(b.Values) == most {
				continue
			}
			one := valueBody{Dimension: name(v.Dimension), Value: clean(v.Value, longestCell), Like: v.Like}
			if plainText(v.Value) {
				is := frameql.Pred{Dim: v.Dimension, Op: "eq", Val: &frameql.Value{Kind: frameql.String, Text: v.Value}}
				one.Condition = is.String()
			}
			b.Values = append(b.Values, one)
			r.Columns = append(r.Columns, v.Dimension)
		}
		if len(b.Values) == 0 {
			b.Note = text.Say("tool.no_values")
		}
		r.Body, r.Rows = fitted(b, MostBytes, text.Say("tool.narrow_values")), len(b.Values)
		return r, nil
	})
}
