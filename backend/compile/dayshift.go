package compile

import (
	"slices"
	"strings"
)

// sameDay gives a leaf that is moved by whole months as it stands on an axis of days: every day looks back on the one day so
// many months before it, and the last days of a long month on the last one of a shorter. On coarser axes, and without one, the
// rows themselves are moved, each once, so that a month holds what the month before held.
func (l *lowering) sameDay(leaf Leaf, ctx int) Leaf {
	axis := l.c.finest(l.grain)
	if leaf.Map.Kind != "shift" || leaf.Pick != nil || axis < 0 || !l.c.contexts[ctx].warm.IsZero() {
		return leaf
	}
	unit := strings.TrimPrefix(leaf.Map.Unit, "fiscal_")
	if cut := l.c.key(axis).Cut; len(cut.Buckets) > 0 || cut.Text != "day" && cut.Text != "hour" || !slices.Contains([]string{"month", "quarter", "year"}, unit) {
		return leaf
	}
	leaf.Map = TimeMap{Kind: "same_day", Offset: leaf.Map.N, OffsetUnit: unit}
	return leaf
}
