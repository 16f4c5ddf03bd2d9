package interpret

import "testing"

func TestAnOrderIsSaidByItsEnds(t *testing.T) {
	asks(t, "league", []struct{ question, query string }{
		{"list the pupils from youngest to oldest", "SELECT pupil.name, pupil.age AT pupil ORDER BY pupil.age"},
		{"names of the pupils sorted by age from the oldest to the youngest", "SELECT pupil.name, pupil.age AT pupil ORDER BY pupil.age DESC"},
		{"pupils sorted by age from old to young", "SELECT pupil.name, pupil.age AT pupil ORDER BY pupil.age DESC"},
	})
	asks(t, "traders", []struct{ question, query string }{
		{"employees from oldest to youngest", "SELECT employees.last_name, employees.birth_date AT employees ORDER BY employees.birth_date"},
		{"employees sorted by birth date from young to old", "SELECT employees.last_name, employees.birth_date AT employees ORDER BY employees.birth_date DESC"},
	})
}
