package interpret

import "testing"

// A bare comparative turns the condition of the last turn, whose number it leaves out.
func TestTheOtherSide(t *testing.T) {
	facultyTalks(t, [][]said{
		{
			{"students older than 20", "SELECT student.name, student.age AT student WHERE student.age > 20"},
			{"how about younger?", "SELECT student.name, student.age AT student WHERE student.age < 20"},
		},
		{
			{"courses with more than 2 credits", "SELECT course.title, course.credits AT course WHERE course.credits > 2"},
			{"and less?", "SELECT course.title, course.credits AT course WHERE course.credits < 2"},
			{"what about at least?", "SELECT course.title, course.credits AT course WHERE course.credits >= 2"},
		},
		{
			{"students from Leeds", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"and younger?", "refused"},
			{"what are their ages?", "asked"},
		},
	})
}
