package interpret

import "testing"

func TestEachDifferentValueHasOneLine(t *testing.T) {
	asks(t, "league", []struct{ question, query string }{
		{"show different sexes of pupils and the number of pupils of each", "SELECT pupil.sex, COUNT(*) FROM pupil"},
		{"show the sex of pupils and the average age of each sex", "SELECT pupil.sex, AVG(pupil.age)"},
		{"the different sexes of the pupils and the number of pupils in each", "SELECT pupil.sex, COUNT(*) FROM pupil"},
		{"how many pupils are there for each different sex", "SELECT pupil.sex, COUNT(*) FROM pupil"},
		{"different sexes of pupils and the corresponding number of pupils from each sex", "SELECT pupil.sex, COUNT(*) FROM pupil"},
		{"names of the pupils and the number of lessons of each", "SELECT pupil.name, COUNT(*) AT pupil FROM lesson"},
	})
	asks(t, "traders", []struct{ question, query string }{
		{"show different cities of employees and the number of employees of each", "SELECT employees.city, COUNT(*) FROM employees"},
		{"how many different cities are there for each country of the employees", "SELECT employees.country, COUNT(DISTINCT employees.city)"},
	})
}
