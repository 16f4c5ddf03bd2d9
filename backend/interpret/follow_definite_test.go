package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
)

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

// "Who" asks for people, and "each" at the end for each of those that were spoken of.
func TestWhoAndEachOfThem(t *testing.T) {
	talks(t, "school", [][]said{
		{
			{"list the teachers", "SELECT teacher.name AT teacher"},
			{"who has the most courses?", "SELECT teacher.name, course_count AT teacher TOP 1 teacher BY course_count"},
		},
		{
			{"which students are from Lyon?", "SELECT student.name AT student WHERE student.home_town = 'Lyon'"},
			{"how many pets does each have?", "SELECT student.name, pet_count AT student WHERE student.home_town = 'Lyon'"},
			{"who has the most?", "SELECT student.name, pet_count AT student WHERE student.home_town = 'Lyon' TOP 1 student BY pet_count"},
		},
		{
			{"list the students", "SELECT student.name AT student"},
			{"show the different home towns", "SELECT student.home_town"},
			{"the home towns of those older than 20", "SELECT student.name, student.home_town, student.age AT student WHERE student.age > 20"},
		},
	})
}

// talks holds conversations over one of the small worlds.
func talks(t *testing.T, world string, dialogues [][]said) {
	t.Helper()
	m, values := worlds[world]()
	converse(t, m, values, frameql.Env{Model: m, Now: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)}, dialogues)
}

// What a turn leaves out, or points at, is never passed over.
func TestOfThoseWhoWereShown(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"which departments are in the North building?", "SELECT department.dept_name AT department WHERE department.building = 'North'"},
			{"who are the students?", "asked"},
		},
		{
			{"students from Leeds", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"in which departments?", "SELECT department.dept_name AT department WHERE ANY student (student.hometown = 'Leeds')"},
		},
	})
	talks(t, "stage", [][]said{{
		{"which singer is the oldest?", "SELECT singer.name, singer.age AT singer ORDER BY singer.age DESC LIMIT 1"},
		{"how many songs are there by her?", "SELECT singer.name, song_count AT singer WHERE singer IN TOP 1 BY MAX(singer.age)"},
	}})
}
