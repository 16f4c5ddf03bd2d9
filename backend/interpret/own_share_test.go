package interpret

import (
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// A column that is called "share" is what its rows show, and a word that is a verb elsewhere is the last column of a list.
func TestColumnsCalledLikeOtherWords(t *testing.T) {
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		bare("episode", 20, "episode_id integer", "title text", "kind text", "share decimal", "aired_on date"),
		bare("car", 30, "car_id integer", "name text", "make text", "power integer"),
	}}, semantic.Settings{})
	ix := NewIndex(m, []ValueSet{valuesOf("episode", "kind", "Pilot", "Finale")})
	reads(t, ix, frameql.Env{Model: m}, []struct{ question, query string }{
		{"what are the shares of the episodes whose kind is not Pilot?", "SELECT episode.title, episode.share AT episode WHERE episode.kind <> 'Pilot'"},
		{"show the power, make of each car", "SELECT car.name, car.power, car.make AT car"},
	})
}
