package tool

import (
	"context"

	"assay/backend/frameql"
)

// Facts is what the tools of one actor look up in the data. It is safe for concurrent use.
type Facts struct {
	Profile      func(ctx context.Context, entity, column string) (Profile, error)
	Dependencies func(ctx context.Context, entity string, columns []string) (Dependencies, error)
	Level        func() Attested
	Search       func(ctx context.Context, words string, most int) ([]Value, error)
	Served       func(q *frameql.Query) string
	Personal     func(dimension string) bool
}
