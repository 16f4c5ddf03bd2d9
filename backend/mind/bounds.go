package mind

import "time"

// Bounds end what would go on for ever. The zero value stands for DefaultBounds.
type Bounds struct {
	Turns    int           // moves for one question, without the last words
	Repeats  int           // among so many calls before it, the same call is refused
	Nudge    int           // after so many calls that made nothing for the person, the mind is told
	Parallel int           // tools at once; further calls of a move are refused
	Tool     time.Duration // of one call
	Window   float64       // share of the context window of the model that a request may fill
	Result   int           // bytes of one result
	Reply    int           // tokens of one reply
}

// DefaultBounds are those of every request.
func DefaultBounds() Bounds {
	return Bounds{Turns: 8, Repeats: 3, Nudge: 5, Parallel: 4, Tool: 30 * time.Second, Window: 0.8, Result: 16 << 10, Reply: 2048}
}

func (b Bounds) orDefault() Bounds {
	if b == (Bounds{}) {
		return DefaultBounds()
	}
	return b
}
