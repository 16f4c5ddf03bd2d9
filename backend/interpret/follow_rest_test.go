package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
)

// facultyTalks runs dialogues over the model of bare tables.
func facultyTalks(t *testing.T, dialogues [][]said) {
	t.Helper()
	m := faculty()
	converse(t, m, facultyValues(), frameql.Env{Model: m, Now: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)}, dialogues)
}

// "The others" are those whom the last answer left out, of the same whole.
func TestTheRest(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"what about the others?", "SELECT student.name AT student WHERE student.hometown <> 'Leeds'"},
			{"how many are there?", "SELECT student_count WHERE student.hometown <> 'Leeds'"},
		},
		{
			{"students older than 20", "SELECT student.name, student.age AT student WHERE student.age > 20"},
			{"only those from York", "SELECT student.name, student.age AT student WHERE student.age > 20 AND student.hometown = 'York'"},
			{"show the other students", "SELECT student.name AT student WHERE student.age > 20 AND student.hometown <> 'York'"},
		},
		{
			{"which departments have students?", "SELECT department.dept_name AT department WHERE ANY student"},
			{"which ones don't?", "SELECT department.dept_name AT department WHERE NO student"},
		},
		{
			{"how many students are in each department?", "SELECT department.dept_name, student_count AT department"},
			{"what about the others?", "refused"},
		},
	})
}
