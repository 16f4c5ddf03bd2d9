package interpret

import "testing"

// An adjective says which attribute comes first, and from which end.
func TestWhoComesFirst(t *testing.T) {
	asks(t, "school", []struct{ question, query string }{
		{"list the students, oldest first", "SELECT student.name, student.age AT student ORDER BY student.age DESC"},
		{"list the teachers sorted by age, youngest first", "SELECT teacher.name, teacher.age AT teacher ORDER BY teacher.age"},
		{"list the teachers starting with the oldest", "SELECT teacher.name, teacher.age AT teacher ORDER BY teacher.age DESC"},
		{"list the pets, heaviest first", "SELECT pet.pet_id, pet.weight, pet.kind AT pet ORDER BY pet.weight DESC"},
	})
	talks(t, "school", [][]said{{
		{"list the students", "SELECT student.name AT student"},
		{"oldest first", "SELECT student.name, student.age AT student ORDER BY student.age DESC"},
		{"starting with the youngest", "SELECT student.name, student.age AT student ORDER BY student.age"},
	}})
}
