package interpret

import (
	"testing"

	"assay/backend/semantic"
)

// league is a small model as bare tables give it: tables that are named after a subject instead of their rows, columns that leave
// out what sort of thing they hold.
func league() (*semantic.Model, []ValueSet) {
	text, integer := semantic.Text, semantic.Integer
	m := &semantic.Model{Name: "league", Version: "sha256:test"}
	m.Entities = []semantic.Entity{
		entity("town_fire_safety", "Town fire safety", []string{"town_id"}, "name", "",
			dim("town_id", integer), dim("name", text), dim("alarms", integer, measured)),
		entity("guild", "Guild", []string{"guild_id"}, "title", "", dim("guild_id", integer), dim("title", text), dim("phone", text), dim("town_id", integer), dim("headquarters", text), dim("open_year", integer)),
		entity("pupil", "Pupil", []string{"pupil_id"}, "name", "", dim("pupil_id", integer), dim("name", text), dim("age", integer), dim("sex", text)),
		entity("lesson", "Lesson", []string{"lesson_id"}, "", "lesson_date",
			dim("lesson_id", integer), dim("pupil_id", integer), dim("guild_id", integer), dim("lesson_date", semantic.Date), dim("address", text)),
		entity("fellow_of_guild", "Fellow of guild", []string{"entry_id"}, "", "",
			dim("entry_id", integer), dim("guild_id", integer), dim("craft", integer), dim("dexterity", integer, measured), dim("seat_count", integer, measured)),
	}
	m.Joins = []semantic.Join{link("guild", "town_fire_safety", "town_id"), link("fellow_of_guild", "guild", "guild_id"), link("lesson", "pupil", "pupil_id"), link("lesson", "guild", "guild_id")}
	return m, []ValueSet{
		{Entity: "guild", Dimension: "title", Values: []string{"Bakers", "Smiths"}, Complete: true},
		{Entity: "pupil", Dimension: "sex", Values: []string{"M", "F"}, Complete: true},
		{Entity: "pupil", Dimension: "name", Values: []string{"Ada", "Bob"}, Complete: true},
	}
}

func TestWordsThatSayWhatAColumnOrARowIs(t *testing.T) {
	asks(t, "league", []struct{ question, query string }{
		{"how many towns are there", "SELECT COUNT(*) FROM town_fire_safety"},
		{"how many fellows does the guild Bakers have", "SELECT COUNT(*) FROM fellow_of_guild WHERE guild.title = 'Bakers'"},
		{"phone numbers of the guilds", "SELECT guild.title, guild.phone AT guild"},
		{"what is the average dexterity score", "SELECT AVG(fellow_of_guild.dexterity)"},
		{"average number of seats", "SELECT AVG(fellow_of_guild.seat_count)"},
		{"minimum and maximum number of seats", "SELECT MIN(fellow_of_guild.seat_count), MAX(fellow_of_guild.seat_count)"},
		{"how many pupils are 9 years old", "SELECT COUNT(*) FROM pupil WHERE pupil.age = 9"},
		{"names of pupils who are at least 9 years old", "SELECT pupil.name, pupil.age AT pupil WHERE pupil.age >= 9"},
		{"list the pupils aged 12 or younger", "SELECT pupil.name, pupil.age AT pupil WHERE pupil.age <= 12"},
		{"how many female pupils (sex is F)", "SELECT COUNT(*) FROM pupil WHERE pupil.sex = 'F'"},
		{"where is the guild Bakers", "SELECT guild.title, guild.headquarters AT guild WHERE guild.title = 'Bakers'"},
		{"the pupil who took a lesson most recently", "SELECT pupil.name, MAX(lesson.lesson_date) AT pupil TOP 1 pupil BY MAX(lesson.lesson_date)"},
		{"the 2 pupils who took a lesson most recently", "SELECT pupil.name, MAX(lesson.lesson_date) AT pupil TOP 2 pupil BY MAX(lesson.lesson_date)"},
		{"which lesson was recorded most recently", "SELECT lesson.lesson_id, lesson.lesson_date, lesson.address AT lesson ORDER BY lesson.lesson_date DESC LIMIT 1"},
		{"the title and opening year of each guild", `SELECT guild.title, guild.open_year AT guild`},
		{"how many fellows with craft 7", "SELECT COUNT(*) FROM fellow_of_guild WHERE fellow_of_guild.craft = 7"},
	})
}
