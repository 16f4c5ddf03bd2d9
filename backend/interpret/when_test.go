package interpret

import "testing"

func TestWhen(t *testing.T) {
	asks(t, "school", []struct{ question, query string }{
		{"when did Mia Fox enroll in Botany", "SELECT enrollment.enrolled_on WHERE student.name = 'Mia Fox' AND course.title = 'Botany'"},
		{"return the dates when Tom Reed enrolled", "SELECT enrollment.enrolled_on WHERE student.name = 'Tom Reed'"},
		{"when was the first enrollment", "SELECT enrollment.enrollment_id, enrollment.enrolled_on AT enrollment ORDER BY enrollment.enrolled_on LIMIT 1"},
		{"when was Algebra invented", ""},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"when was the concert in Balmoor", "SELECT concert.title, concert.held_on AT concert WHERE stadium.name = 'Balmoor'"},
		{"when was the concert with the theme Wide Awake held", "SELECT concert.title, concert.held_on AT concert WHERE concert.theme = 'Wide Awake'"},
		{"the dates when concerts were held in Perth", "SELECT concert.title, concert.held_on AT concert WHERE stadium.city = 'Perth'"},
		{"when did Joe Sharp retire", ""},
	})
	asks(t, "traders", []struct{ question, query string }{
		{"when was order 10250 shipped", "SELECT orders.order_id, orders.shipped_date AT orders WHERE orders.order_id = 10250"},
		{"when was order 10250 placed", "SELECT orders.order_id, orders.order_date AT orders WHERE orders.order_id = 10250"},
		{"when was Nancy Davolio born", "SELECT employees.birth_date WHERE employees.first_name = 'Nancy' AND employees.last_name = 'Davolio'"},
		{"when is the birthday of Nancy Davolio", "SELECT employees.birth_date WHERE employees.first_name = 'Nancy' AND employees.last_name = 'Davolio'"},
	})
	asks(t, "village", []struct{ question, query string }{
		{"when was the game with the most spectators", "SELECT game.game_id, game.spectators, game.played_on AT game ORDER BY game.spectators DESC LIMIT 1"},
		{"when were the games in which the Rovers were the winner", "SELECT game.game_id, game.played_on AT game WHERE winner.name = 'Rovers'"},
	})
}

func TestTimes(t *testing.T) {
	asks(t, "ferries", []struct{ question, query string }{
		{"for each pilot, the number of times they reported a fault", "SELECT reported_by.name, fault_count AT reported_by"},
		{"how many times did Ada Quill report a fault", "SELECT fault_count WHERE reported_by.name = 'Ada Quill'"},
		{"names of pilots and the number of times they have reported faults", "SELECT reported_by.name, fault_count AT reported_by"},
	})
	asks(t, "village", []struct{ question, query string }{
		{"number of times each team has won", "SELECT winner.name, game_count AT winner"},
		{"how many times did the Rovers win", "SELECT game_count WHERE winner.name = 'Rovers'"},
		{"which team won the most times", "SELECT winner.name, game_count AT winner TOP 1 winner BY game_count"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"how many times did Mia Fox enroll", "SELECT enrollment_count WHERE student.name = 'Mia Fox'"},
		{"how many times did Mia Fox dance", ""},
		{"the student who was praised the most times among the students younger than 20", ""},
	})
}
