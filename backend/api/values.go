package api

import (
	"context"
	"net/http"
	"time"
)

// ValuesView is what is known of the values of a column.
type ValuesView struct {
	Table  string     `json:"table"`
	Column string     `json:"column"`
	State  string     `json:"state" enum:"fresh,stale,loading,capped,failed"`
	Values []string   `json:"values"` // sorted; empty when there is no exact list
	Loaded *time.Time `json:"loaded"` // null: never
}

func (s *Server) registerValues() {
	register(s, http.MethodGet, "/api/values", "values", "The values that a column may have, as far as they are known now",
		func(ctx context.Context, in *struct {
			Table  string `query:"table" required:"true" minLength:"1" maxLength:"300"`
			Column string `query:"column" required:"true" minLength:"1" maxLength:"300"`
		},
		) (*struct{ Body ValuesView }, error) {
			list, err := s.ws.Allowed(ctx, in.Table, in.Column)
			if err != nil {
				return nil, err
			}
			v := ValuesView{Table: in.Table, Column: in.Column, State: string(list.State), Values: append([]string{}, list.Values...)}
			if !list.Loaded.IsZero() {
				loaded := list.Loaded.UTC()
				v.Loaded = &loaded
			}
			return &struct{ Body ValuesView }{v}, nil
		})
}
