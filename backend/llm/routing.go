package llm

import "context"

// Routes say which model does what. A task without a model of its own gets the default; a default of nil: there is no model for it.
type Routes struct {
	Default Model
	Tasks   map[Task]Model
}

// Select gives the model of a task; nil: there is none.
func (r Routes) Select(t Task) Model {
	if m := r.Tasks[t]; m != nil {
		return m
	}
	return r.Default
}

// Model is all of the routes as one model: each request goes to the model of its task. Its card is that of the default. Fault NotFound: a task
// has no model.
func (r Routes) Model() Model { return routed{r} }

type routed struct{ routes Routes }

func (m routed) Card() Card {
	if m.routes.Default == nil {
		return Card{}
	}
	return m.routes.Default.Card()
}

// Send is that of Model.
func (m routed) Send(ctx context.Context, r Request, hear func(Chunk)) (Response, error) {
	to := m.routes.Select(r.Task)
	if to == nil {
		return Response{}, Fail(NoneChosen, Card{}, 0, nil)
	}
	return to.Send(ctx, r, hear)
}
