package interpret

import "testing"

// "None" is no row of what was counted.
func TestWhoHasNone(t *testing.T) {
	talks(t, "school", [][]said{
		{
			{"how many pets does each student have?", "SELECT student.name, pet_count AT student"},
			{"which ones have none?", "SELECT student.name AT student WHERE NO pet"},
		},
		{
			{"how many courses does each teacher have?", "SELECT teacher.name, course_count AT teacher"},
			{"which teachers have none?", "SELECT teacher.name AT teacher WHERE NO course"},
			{"how many is that?", "SELECT teacher_count WHERE NO course"},
		},
	})
}

// A condition that would say nothing beside the one that is carried takes its place.
func TestAboveBehindIs(t *testing.T) {
	talks(t, "school", [][]said{{
		{"students with age 20", "SELECT student.name AT student WHERE student.age = 20"},
		{"how many are older than 18?", "SELECT student_count WHERE student.age > 18"},
	}})
}
