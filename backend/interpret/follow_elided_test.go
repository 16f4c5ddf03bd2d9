package interpret

import "testing"

// What the last turn said may be left out: the rows that are counted, and the column that a number is taken over.
func TestWhatIsLeftOutIsThatOfTheLastTurn(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"which departments have no students?", "SELECT department.dept_name AT department WHERE NO student"},
			{"which ones have at least two?", "SELECT department.dept_name AT department WHERE (student_count AT department) >= 2"},
			{"how about more than 5?", "SELECT department.dept_name AT department WHERE (student_count AT department) > 5"},
		},
		{
			{"list the credits of the courses in Physics", "SELECT course.title, course.credits AT course WHERE department.dept_name = 'Physics'"},
			{"what are the maximum and the minimum of these values?", "SELECT MAX(course.credits), MIN(course.credits) WHERE department.dept_name = 'Physics'"},
		},
		{
			{"which courses are in Physics?", "SELECT course.title AT course WHERE department.dept_name = 'Physics'"},
			{"only those with 4 credits", "SELECT course.title AT course WHERE department.dept_name = 'Physics' AND course.credits = 4"},
		},
		{
			{"students older than 20", "SELECT student.name, student.age AT student WHERE student.age > 20"},
			{"show me the age and hometown of these students", "SELECT student.name, student.age, student.hometown AT student WHERE student.age > 20"},
		},
		{
			{"what is the most common hometown of students?", "SELECT student.hometown, student_count TOP 1 student.hometown BY student_count"},
			{"what about the least common?", "SELECT student.hometown, student_count TOP 1 student.hometown BY student_count ASC"},
		},
		{
			{"what is the hometown of the student with the highest age?", "SELECT student.name, student.age, student.hometown AT student ORDER BY student.age DESC LIMIT 1"},
			{"what about the student with the lowest age?", "SELECT student.name, student.age, student.hometown AT student ORDER BY student.age LIMIT 1"},
		},
		{{"how many students are from the hometowns of Leeds and York?", "SELECT student_count WHERE student.hometown IN ('Leeds', 'York')"}},
		{{"sort the students by age descending", "SELECT student.name, student.age AT student ORDER BY student.age DESC"}},
		{{"students over the age of 20", "SELECT student.name, student.age AT student WHERE student.age > 20"}},
		{{"names of the students below age 20", "SELECT student.name, student.age AT student WHERE student.age < 20"}},
	})
}
