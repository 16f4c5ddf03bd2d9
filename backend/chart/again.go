package chart

import (
	"encoding/json"
	"slices"

	"assay/backend/frameql"
	"assay/backend/session"
)

// Types are the types that the intent of a chart may have.
func Types() []string {
	return []string{Bar, Line, Area, Scatter, Pie, Histogram, Box, Stacked, Grouped, Heatmap, BigNumber, None}
}

// Again writes the specification of a chart whose intent is known, over the frame that it is of: a specification itself never travels. It is null where
// this program would not draw that intent of that frame.
func Again(f *frameql.Frame, intent session.Chart) json.RawMessage {
	for _, asked := range []Asked{{}, {Type: intent.Type, Named: true}, {Type: intent.Type}} {
		if c := For(f, asked); c.Type == intent.Type && c.X == intent.X && c.Color == intent.Color && slices.Equal(c.Y, intent.Y) {
			return c.VegaLite
		}
	}
	return json.RawMessage("null")
}
