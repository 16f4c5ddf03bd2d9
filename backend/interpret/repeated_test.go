package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// goalScorers is a model of players of clubs and their goals.
func goalScorers() (*semantic.Model, []ValueSet) {
	text, integer := semantic.Text, semantic.Integer
	m := &semantic.Model{Name: "scorers", Version: "sha256:test"}
	m.Entities = []semantic.Entity{
		entity("clubs", "Clubs", []string{"club_id"}, "club_name", "", dim("club_id", integer), dim("club_name", text), dim("founding_year", integer)),
		entity("players", "Players", []string{"player_id"}, "player_name", "",
			dim("player_id", integer), dim("player_name", text), dim("club_id", integer), dim("birth_town", text), dim("shirt_number", integer), dim("height", integer)),
		entity("goals", "Goals", []string{"goal_id"}, "", "", dim("goal_id", integer), dim("player_id", integer), dim("manner", text), dim("minute", integer)),
	}
	m.Joins = []semantic.Join{link("players", "clubs", "club_id"), link("goals", "players", "player_id")}
	return m, []ValueSet{
		{Entity: "players", Dimension: "birth_town", Values: []string{"Arlon", "Wick"}, Complete: true},
		{Entity: "players", Dimension: "player_name", Values: []string{"Ada Lund", "Ben Marsh"}, Complete: true},
		{Entity: "goals", Dimension: "manner", Values: []string{"header", "volley"}, Complete: true},
	}
}

func asksScorers(t *testing.T, cases []struct{ question, query string }) {
	t.Helper()
	m, values := goalScorers()
	reads(t, NewIndex(m, values), frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}, cases)
}

func TestWordsThatOnlyRepeat(t *testing.T) {
	asksScorers(t, []struct{ question, query string }{
		{"show the names of players and the names of the clubs they play for", "SELECT players.player_name, clubs.club_name AT players"},
		{"what are the names of the 3 players with the most goals", "SELECT players.player_name, COUNT(*) AT players FROM goals TOP 3 players BY COUNT(*)"},
		{"how many goals does each player have? list the number and the player", "SELECT players.player_name, COUNT(*) AT players FROM goals"},
		{"list the players from Arlon town", "SELECT players.player_name AT players WHERE players.birth_town = 'Arlon'"},
		{"show the names of players and the names of the stewards they met", ""},
	})
}

func TestALineForEachRow(t *testing.T) {
	asksScorers(t, []struct{ question, query string }{
		{"show the names of players and the manners of their goals", "SELECT players.player_name, goals.manner AT goals"},
		{"show the names of players and the manners of their lanterns", ""},
	})
}

func TestSearchForAnUnknownWord(t *testing.T) {
	asksScorers(t, []struct{ question, query string }{
		{"which players have a name that contains Zorb", "SELECT players.player_name AT players WHERE players.player_name CONTAINS 'Zorb'"},
	})
}
