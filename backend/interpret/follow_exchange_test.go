package interpret

import "testing"

// A question with what was asked back and the answer to it: behind a yes, what was asked back is the question.
func TestAnExchangeInOneLine(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"pupils of Leeds? | Did you mean the names of the students from Leeds? | yes", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"how many are there?", "SELECT student_count WHERE student.hometown = 'Leeds'"},
		},
		{{"which student is the oldest? | Do you want his age? | yes please", "SELECT student.name, student.age AT student ORDER BY student.age DESC LIMIT 1"}},
		{{"show the courses | Here they are. | How many students are from York?", "SELECT student_count WHERE student.hometown = 'York'"}},
		{{"show the courses | Did you mean the zorps of a course? | yes", "refused"}},
	})
}
