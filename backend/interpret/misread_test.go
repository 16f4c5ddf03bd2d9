package interpret

import (
	"testing"

	"assay/backend/semantic"
)

// kitchen has dishes with spices, whose table is keyed by what they are called and named otherwise, and cooks who cook them.
func kitchen() (*semantic.Model, []ValueSet) {
	group := bare("spice_group", 14, "spice text", "family text")
	link := bare("has_spice", 60, "row_id integer", "dish_id -> dish", "spice text")
	link.ForeignKeys = append(link.ForeignKeys, semantic.ForeignKey{Columns: []string{"spice"}, RefTable: "spice_group", RefColumns: []string{"spice"}})
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			group, link,
			bare("dish", 30, "dish_id integer", "name text", "serving_type_code text", "price decimal"),
			bare("cook", 8, "cook_no integer", "name text"),
			bare("chef", 9, "chef_id integer", "name text", "age integer", "height integer"),
			bare("head_chef", 4, "head_chef_id integer", "chef_id -> chef", "stars integer"),
			bare("visitor", 200, "visitor_id integer", "chef_id -> chef", "amount_tips decimal", "guests integer"),
			bare("sous_chef", 4, "chef_id -> chef", "stars integer"),
			bare("crew", 30, "crew_id integer", "guild_id -> guild", "year integer", "crew decimal"),
			bare("apprentice", 12, "apprentice_id integer", "name text", "home_town text", "mentor text"),
			bare("tea", 25, "tea_id integer", "name text", "origin text", "freshness_rate decimal"),
			bare("guild", 6, "guild_id integer", "name text"),
			bare("regular_of_guild", 90, "regular_of_guild_id integer", "guild_id -> guild", "chef_id -> chef"),
			bare("recipe_card", 40, "recipe_card_id integer", "recipe_name text"),
			bare("trial", 70, "trial_id integer", "recipe_card_id -> recipe_card", "outcome text"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("spice_group", "spice", "Cumin", "Clove"), valuesOf("spice_group", "family", "seed", "root"), valuesOf("apprentice", "name", "Ines Ward", "Otto Lum"), valuesOf("tea", "origin", "Assam"), valuesOf("guild", "name", "Ladle", "Whisk"), valuesOf("dish", "name", "Pea Soup", "Plum Pie"),
		}
}

// Each of these was read as something that it does not say.

func TestMisread(t *testing.T) {
	asks(t, "kitchen", []struct{ question, query string }{
		{"how many spices are there", "SELECT spice_group_count"},
		{"what are the spices and their families", "SELECT spice_group.spice, spice_group.family AT spice_group"},
		{"which spice is most common", "SELECT spice_group.spice, has_spice_count TOP 1 spice_group.spice BY has_spice_count"},
		{"how many dishes have a spice", "SELECT dish_count WHERE ANY has_spice"},
		{"which dish type code appears most often", "SELECT dish.serving_type_code, dish_count TOP 1 dish.serving_type_code BY dish_count"},
		{"what is the code of the serving type that is most common", "SELECT dish.serving_type_code, dish_count TOP 1 dish.serving_type_code BY dish_count"},
		{"list the height of the head chefs who have stars above 2 or an age above 60", "SELECT head_chef.head_chef_id, chef.height, head_chef.stars, chef.age AT head_chef WHERE head_chef.stars > 2 OR chef.age > 60"},
		{"what are the ids of the cooks", "SELECT cook.name, cook.cook_no AT cook"},
		{"show the outcome of recipes along with the number of recipes in each outcome", "SELECT trial.outcome, COUNT(DISTINCT recipe_card.recipe_card_id) FROM trial"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"names of the students older than 20 in descending alphabetical order", "SELECT student.name, student.age AT student WHERE student.age > 20 ORDER BY student.name DESC"},
		{"names of the students older than 20 in alphabetical order", "SELECT student.name, student.age AT student WHERE student.age > 20 ORDER BY student.name"},
		{"what is the name of each student and which course they take", "SELECT student.name, course.title AT enrollment"},
		{"names of the students and the courses that they take", "SELECT student.name, course.title AT enrollment"},
		{"teachers and which courses they teach", "SELECT teacher.name, course.title AT course"},
		{"what is the name of the student that owns the pet with the largest weight", "SELECT pet.pet_id, pet.weight, student.name AT pet ORDER BY pet.weight DESC LIMIT 1"},
		{"which course is taken by the student with the name Mia Fox", "SELECT course.title AT course WHERE ANY enrollment (student.name = 'Mia Fox')"},
		{"what are the different courses given by either the teacher Ada Quill or students older than 30", "SELECT course.title AT course WHERE teacher.name = 'Ada Quill' OR ANY enrollment (student.age > 30)"},
	})
	asks(t, "skies", []struct{ question, query string }{
		{"what is the name of the airline with the most flights", "SELECT airline.name, flight_count AT airline TOP 1 airline BY flight_count"},
	})
}

func TestAttributesOfAKindOfMembers(t *testing.T) {
	asks(t, "kitchen", []struct{ question, query string }{
		{"average age of the head chefs", ""}, // one may be head of several kitchens
		{"average age of the sous chefs", "SELECT average_age WHERE ANY sous_chef"},
		{"which head chef has the largest height", "SELECT head_chef.head_chef_id, chef.height, head_chef.stars AT head_chef ORDER BY chef.height DESC LIMIT 1"},
		{"the highest amount of guests", "SELECT MAX(guests)"},
		{"which chef has the highest amount of visitors", "SELECT chef.name, visitor_count AT chef TOP 1 chef BY visitor_count"},
		{"total amount of visitors", ""},
		{"names of the guilds that have at least a regular whose height is above 180", "SELECT guild.name AT guild WHERE ANY regular_of_guild (chef.height > 180)"},
		{"chefs with at least a height of 180", "SELECT chef.name, chef.height AT chef WHERE chef.height >= 180"},
		{"dishes without a single spice", "SELECT dish.name AT dish WHERE NO has_spice"},
		{"which dishes have not a single spice", "SELECT dish.name AT dish WHERE NO has_spice"},
		{"what are the highest, lowest and average visitor tips of each chef", "SELECT chef.name, MAX(visitor.amount_tips), MIN(visitor.amount_tips), average_amount_tips AT chef"},
		{"average visitor tips", "SELECT average_amount_tips"},
		{"how many regulars in the guild Ladle are there whose height is above 180", "SELECT regular_of_guild_count WHERE chef.height > 180 AND guild.name = 'Ladle'"},
	})
}

func TestWhoseAttributesAreAsked(t *testing.T) {
	asks(t, "kitchen", []struct{ question, query string }{
		{"what is the home town of Ines Ward's mentor", ""}, // the mentor is a column and no person with a name
		{"what is Ines Ward's mentor", "SELECT apprentice.mentor WHERE apprentice.name = 'Ines Ward'"},
		{"show the names and ages without a visitor", "SELECT chef.name, chef.age AT chef WHERE NO visitor"},
		{"number of crew in 2001", `SELECT total_crew WHERE crew."year" = 2001`},
		{"which origin does the highest freshness rate come from", "SELECT tea.origin, MAX(tea.freshness_rate) TOP 1 tea.origin BY MAX(tea.freshness_rate)"},
		{"which origin has the highest freshness rate", "SELECT tea.origin, average_freshness_rate TOP 1 tea.origin BY average_freshness_rate"},
	})
}

func TestMaximumSaysWhichOne(t *testing.T) {
	asks(t, "kitchen", []struct{ question, query string }{
		{"show the id and name of the chef with maximum height", "SELECT chef.name, chef.height, chef.chef_id AT chef ORDER BY chef.height DESC LIMIT 1"},
		{"name and age of the chef with the minimum height", "SELECT chef.name, chef.height, chef.age AT chef ORDER BY chef.height LIMIT 1"},
		{"which chef has the maximum age", "SELECT chef.name, chef.age AT chef ORDER BY chef.age DESC LIMIT 1"},
		{"chefs with maximum visitor tips above 5", "SELECT chef.name, MAX(visitor.amount_tips) AT chef HAVING MAX(visitor.amount_tips) > 5 ORDER BY MAX(visitor.amount_tips) DESC"},
		{"maximum height of the chefs", "SELECT MAX(chef.height)"},
		{"what is the name and height of all chefs in order of height", "SELECT chef.name, chef.height AT chef ORDER BY chef.height"},
		{"show name and height for all chefs sorted by height descending", "SELECT chef.name, chef.height AT chef ORDER BY chef.height DESC"},
	})
}
