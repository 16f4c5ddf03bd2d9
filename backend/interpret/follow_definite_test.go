package interpret

import "testing"

// A noun with "the" in the singular is the one that was shown, or what belongs to it.
func TestTheOneThatWasShown(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"who is the oldest student?", "SELECT student.name, student.age AT student ORDER BY student.age DESC LIMIT 1"},
			{"what is the department?", "SELECT department.dept_name AT department WHERE ANY student (student IN TOP 1 BY MAX(student.age))"},
			{"what is the hometown of the student?", "SELECT student.name, student.hometown AT student ORDER BY student.age DESC LIMIT 1"},
			{"list the departments", "SELECT department.dept_name AT department"},
		},
		{
			{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"list the departments", "SELECT department.dept_name AT department"},
		},
	})
}

// Those who were shown, called by their name, may be all of them or just those: that is asked. Whoever says more begins anew.
func TestAllOfThemOrThose(t *testing.T) {
	facultyTalks(t, [][]said{
		{{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"}, {"what is the average age of the students?", "asked"}},
		{{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"}, {"list the students", "asked"}},
		{{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"}, {"who is the student with the highest age?", "asked"}},
		{
			{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"what is the average age of all the students?", "SELECT average_age"},
			{"list the students from York", "SELECT student.name AT student WHERE student.hometown = 'York'"},
		},
		{
			{"how many students are there?", "SELECT student_count"},
			{"what is the average age of the students?", "SELECT average_age"},
		},
	})
}

// A plural is not the one that a ranking picked, but those that it was picked from.
func TestThoseItWasPickedFrom(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"how many students are in each department?", "SELECT department.dept_name, student_count AT department"},
			{"which one has the fewest?", "SELECT department.dept_name, student_count AT department TOP 1 department BY student_count ASC"},
			{"only those with more than 10 students", "SELECT department.dept_name, student_count AT department HAVING student_count > 10"},
		},
		{
			{"list all departments", "SELECT department.dept_name AT department"},
			{"which one has the most students?", "SELECT department.dept_name, student_count AT department TOP 1 department BY student_count"},
			{"which are in the North building?", "SELECT department.dept_name AT department WHERE department.building = 'North'"},
		},
	})
}
