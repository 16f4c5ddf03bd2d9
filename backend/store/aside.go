package store

import (
	"context"

	"assay/backend/frameql"
)

// asideRows is the most that a result may have to be kept.
const asideRows = 100

// Aside is Query for what is asked beside an answer, such as how many rows a condition keeps: small, and the same for many
// questions. A result over the same state of the data may be one of before; it belongs to the store and must not be
// changed. Faults as of Query.
func (s *Store) Aside(ctx context.Context, st frameql.Statement) (*frameql.Frame, error) {
	defer s.foreground()()
	frame, err := s.asideOnce(ctx, st)
	if diedBeside(err) {
		frame, err = s.asideOnce(ctx, st)
	}
	return frame, err
}

func (s *Store) asideOnce(ctx context.Context, st frameql.Statement) (*frameql.Frame, error) {
	if _, err := s.Tables(ctx, st.SQL); err != nil {
		return nil, err
	}
	e, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer e.users.Done()
	if frame, ok := e.asides.get(st.SQL); ok {
		return frame, nil
	}
	// On this engine and no newer one, so that the result is kept with the data that it was read from.
	frame, err := s.query(ctx, st, func(context.Context) (*engine, error) {
		e.users.Add(1)
		return e, nil
	})
	if err == nil && frame.Truncated == nil && len(frame.Rows) <= asideRows {
		e.asides.put(st.SQL, frame)
	}
	return frame, err
}
