package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// ferries has harbours that ferries sail between, and pilots of whom one reports a fault and one mends it.
func ferries() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("harbour", 20, "harbour_id integer", "name text", "town text", "depth integer"),
			bare("company", 6, "company_id integer", "name text"),
			bare("sailing", 300, "sailing_id integer", "origin_harbour_id -> harbour", "dest_harbour_id -> harbour", "company_id -> company", "miles integer"),
			bare("pilot", 12, "pilot_id integer", "name text", "age integer"),
			bare("fault", 80, "fault_id integer", "title text", "reported_by_pilot_id -> pilot", "mended_by_pilot_id -> pilot", "cost decimal"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("harbour", "name", "Dockside", "Longpier"), valuesOf("harbour", "town", "Rostock", "Malmo"), valuesOf("company", "name", "Blue Line", "Nordsail"),
			valuesOf("pilot", "name", "Ada Quill", "Ben Stone"),
		}
}

// village has people who befriend each other, and games between teams.
func village() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("person", 40, "person_id integer", "name text", "age integer"),
			bare("friend", 90, "row_id integer", "person_id -> person", "friend_id -> person"),
			bare("team", 8, "team_id integer", "name text", "town text"),
			bare("game", 60, "game_id integer", "home_team_id -> team", "away_team_id -> team", "winner_id -> team", "played_on date", "spectators integer"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("person", "name", "Mia Fox", "Tom Reed"), valuesOf("team", "name", "Rovers", "Wanderers"), valuesOf("team", "town", "Lyon", "Turin"),
		}
}

func TestRoles(t *testing.T) {
	asks(t, "ferries", []struct{ question, query string }{
		{"how many sailings have the destination Dockside", "SELECT sailing_count WHERE destination.name = 'Dockside'"},
		{"sailings from Rostock to Malmo", "SELECT sailing.sailing_id, sailing.miles AT sailing WHERE origin.town = 'Rostock' AND destination.town = 'Malmo'"},
		{"sailings with destination Dockside and origin Longpier", "SELECT sailing.sailing_id, sailing.miles AT sailing WHERE destination.name = 'Dockside' AND origin.name = 'Longpier'"},
		{"number of sailings by destination", "SELECT destination.name, sailing_count AT destination"},
		{"number of sailings to Malmo", "SELECT sailing_count WHERE destination.town = 'Malmo'"},
		{"average miles of sailings that start in Malmo", "SELECT average_miles WHERE origin.town = 'Malmo'"},
		{"which harbour do the most sailings end at", "SELECT destination.name, sailing_count AT destination TOP 1 destination BY sailing_count"},
		{"name of the harbour that is the origin of the most sailings", "SELECT origin.name, sailing_count AT origin TOP 1 origin BY sailing_count"},
		{"harbours that are the origin of more than 5 sailings", "SELECT origin.name, sailing_count AT origin HAVING sailing_count > 5 ORDER BY sailing_count DESC"},
		{"number of different harbours which are destinations of Nordsail", "SELECT COUNT(DISTINCT destination.harbour_id) WHERE company.name = 'Nordsail'"},
		{"towns of the destination harbours of Blue Line sailings", "SELECT destination.name, destination.town AT destination WHERE company.name = 'Blue Line'"},
		{"which harbours have sailings to Malmo", "SELECT origin.name AT origin WHERE destination.town = 'Malmo'"},
		{"harbours in Rostock with sailings to Malmo", "SELECT origin.name AT origin WHERE origin.town = 'Rostock' AND destination.town = 'Malmo'"},
		{"companies with sailings to Malmo", "SELECT company.name AT company WHERE ANY sailing (destination.town = 'Malmo')"},
		{"depth of the harbour where sailing 12 starts", "SELECT origin.name, origin.depth AT origin WHERE sailing.sailing_id = 12"},
		{"what is the destination of sailing 12", "SELECT destination.name AT destination WHERE sailing.sailing_id = 12"},
		{"faults reported by Ada Quill", "SELECT fault.title AT fault WHERE reported_by.name = 'Ada Quill'"},
		{"how many faults were reported by the pilot Ada Quill", "SELECT fault_count WHERE reported_by.name = 'Ada Quill'"},
		{"which faults were reported by the pilots Ada Quill or Ben Stone", "SELECT fault.title AT fault WHERE reported_by.name IN ('Ada Quill', 'Ben Stone')"},
		{"titles of faults that Ada Quill reported and Ben Stone mended", "SELECT fault.title AT fault WHERE reported_by.name = 'Ada Quill' AND mended_by.name = 'Ben Stone'"},
		{"total cost of faults mended by Ben Stone", "SELECT cost WHERE mended_by.name = 'Ben Stone'"},
		{"number of faults reported by each pilot", "SELECT reported_by.name, fault_count AT reported_by"},
		{"list the pilots who reported faults", "SELECT reported_by.name AT reported_by"},
		{"pilots who mended faults with a cost above 100", "SELECT mended_by.name AT mended_by WHERE fault.cost > 100"},
		{"pilots who have not reported any fault", ""},
		{"harbours in Malmo", "SELECT harbour.name AT harbour WHERE harbour.town = 'Malmo'"},
		{"number of harbours", "SELECT harbour_count"},
	})
	asks(t, "village", []struct{ question, query string }{
		{"friends of Mia Fox", "SELECT friend.name WHERE person.name = 'Mia Fox'"},
		{"names of people that are friends of Tom Reed", "SELECT friend.name WHERE person.name = 'Tom Reed'"},
		{"people who are friends of Mia Fox and older than 30", "SELECT friend.name WHERE friend.age > 30 AND person.name = 'Mia Fox'"},
		{"ages of the friends of Mia Fox", "SELECT friend.name, friend.age WHERE person.name = 'Mia Fox'"},
		{"average age of the friends of Mia Fox", ""},
		{"how many friends does Mia Fox have", "SELECT friend_count WHERE person.name = 'Mia Fox'"},
		{"how many friends does each person have", "SELECT person.name, friend_count AT person"},
		{"people without friends", "SELECT person.name AT person WHERE NO friend"},
		{"number of games that the Rovers won", "SELECT game_count WHERE winner.name = 'Rovers'"},
		{"games with the home team Rovers", "SELECT game.game_id, game.played_on, game.spectators AT game WHERE home.name = 'Rovers'"},
		{"average spectators of games hosted by the Rovers", "SELECT average_spectators WHERE home.name = 'Rovers'"},
		{"number of games by home team", "SELECT home.name, game_count AT home"},
		{"number of games per winner", "SELECT winner.name, game_count AT winner"},
		{"which team has won the most games", "SELECT winner.name, game_count AT winner TOP 1 winner BY game_count"},
		{"teams that won games", "SELECT winner.name AT winner"},
		{"games won by the home team", ""},
		{"teams from Lyon", "SELECT team.name AT team WHERE team.town = 'Lyon'"},
	})
}

// What the question leaves open is asked, with the roles as the choices.
func TestRolesAsked(t *testing.T) {
	m, values := ferries()
	ix := NewIndex(m, values)
	for _, c := range []struct{ question, guess, other string }{
		{"number of sailings in Rostock", "SELECT sailing_count WHERE destination.town = 'Rostock'", "SELECT sailing_count WHERE origin.town = 'Rostock'"},
		{"number of faults by pilot", "SELECT mended_by.name, fault_count AT mended_by", "SELECT reported_by.name, fault_count AT reported_by"},
	} {
		r := ix.Read(Request{Question: c.question, Env: frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}})
		if r.Clarify == nil || r.Clarify.BestGuess.Value != c.guess || len(r.Clarify.Options) != 1 || r.Clarify.Options[0].Value != c.other {
			t.Errorf("%s: %s", c.question, outcome(r))
		}
	}
}
