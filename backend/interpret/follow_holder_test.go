package interpret

import "testing"

// A largest or smallest value belongs to somebody, who may be asked for.
func TestWhoHasTheLargestValue(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"what is the maximum age of students from Leeds?", "SELECT MAX(student.age) WHERE student.hometown = 'Leeds'"},
			{"which student is that?", "SELECT student.name AT student WHERE student.hometown = 'Leeds' ORDER BY student.age DESC LIMIT 1"},
		},
		{
			{"what is the minimum age of the students?", "SELECT MIN(student.age)"},
			{"who is it?", "SELECT student.name AT student ORDER BY student.age LIMIT 1"},
			{"what is their hometown?", "SELECT student.name, student.hometown AT student ORDER BY student.age LIMIT 1"},
		},
		{
			{"what is the minimum age of the students?", "SELECT MIN(student.age)"},
			{"what is the hometown of that student?", "SELECT student.name, student.hometown AT student ORDER BY student.age LIMIT 1"},
		},
	})
}

// Conditions of the last turn hold for the rows that belong to those who were shown.
func TestWhatThoseHave(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"which departments are in the North building?", "SELECT department.dept_name AT department WHERE department.building = 'North'"},
			{"which courses do they have?", "SELECT course.title AT course WHERE department.building = 'North'"},
			{"how many are there?", "SELECT course_count WHERE department.building = 'North'"},
		},
		{
			{"list the students from York", "SELECT student.name AT student WHERE student.hometown = 'York'"},
			{"show their building too", "SELECT student.name, department.building AT student WHERE student.hometown = 'York'"},
			{"which of them are older than 20?", "SELECT student.name, student.age, department.building AT student WHERE student.hometown = 'York' AND student.age > 20"},
		},
		{
			{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"which departments do they belong to?", "SELECT department.dept_name AT department WHERE ANY student (student.hometown = 'Leeds')"},
		},
		{
			{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"how many departments do not have these students?", "SELECT department_count WHERE NO student (student.hometown = 'Leeds')"},
		},
		{
			{"which hometown do most students come from?", "SELECT student.hometown, student_count TOP 1 student.hometown BY student_count"},
			{"what is the average age of the students from there?", "SELECT average_age WHERE student.hometown IN TOP 1 BY student_count"},
		},
	})
}

// What is said of the number that is shown keeps some of those that it is shown for.
func TestComparingWhatIsShown(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"how many students older than 20 are in each department?", "SELECT department.dept_name, student_count AT department WHERE student.age > 20"},
			{"which departments have more than 3?", "SELECT department.dept_name, student_count AT department WHERE student.age > 20 HAVING student_count > 3"},
			{"how about at least 5?", "SELECT department.dept_name, student_count AT department WHERE student.age > 20 HAVING student_count >= 5"},
			{"what about those with only 1?", "SELECT department.dept_name, student_count AT department WHERE student.age > 20 HAVING student_count = 1"},
		},
		{
			{"how many courses are in each of the departments?", "SELECT department.dept_name, course_count AT department"},
			{"which have at least 4?", "SELECT department.dept_name, course_count AT department HAVING course_count >= 4"},
		},
		{
			{"what is the average age of students from Leeds?", "SELECT average_age WHERE student.hometown = 'Leeds'"},
			{"and with hometown York?", "SELECT average_age WHERE student.hometown = 'York'"},
		},
	})
}

// A turn that names one by a value asks for more than that value.
func TestAValueIsNoAnswerToItself(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"students from York with an age over 20", "SELECT student.name, student.age AT student WHERE student.age > 20 AND student.hometown = 'York'"},
			{"limit the list to where the age is 22", "SELECT student.name, student.age AT student WHERE student.age = 22 AND student.hometown = 'York'"},
		},
		{
			{"show the age and hometown of the student 'Ada Moss'", "SELECT student.name, student.age, student.hometown AT student WHERE student.name = 'Ada Moss'"},
			{"same for 'Ben Hill', please", "SELECT student.name, student.age, student.hometown AT student WHERE student.name = 'Ben Hill'"},
		},
		{
			{"how many departments are there?", "SELECT department_count"},
			{"which are in the North building?", "SELECT department.dept_name AT department WHERE department.building = 'North'"},
			{"what about the ones without students?", "SELECT department.dept_name AT department WHERE department.building = 'North' AND NO student"},
		},
		{
			{"courses with more than 2 credits", "SELECT course.title, course.credits AT course WHERE course.credits > 2"},
			{"how about the ones with fewer credits?", "SELECT course.title, course.credits AT course WHERE course.credits < 2"},
		},
	})
}
