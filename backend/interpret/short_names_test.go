package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// workshop has mechanics who do repairs and write invoices, and branches with their tools.
func workshop() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("mechanic", 20, "mechanic_id integer", "mechanic_first_name text", "mechanic_middle_name text", "mechanic_last_name text", "mechanic_phone text", "address_line_1 text", "city text"),
			bare("branch", 8, "branch_id integer", "name text", "opening_year integer", "refitted_on date", "country text"),
			bare("invoice", 90, "invno integer", "mechanic_id -> mechanic", "branch_id -> branch", "total decimal"),
			bare("repair", 90, "repair_id integer", "repair_start_date date", "repair_end_date date", "mechanic_id -> mechanic", "cost decimal"),
			bare("branch_tool", 60, "row_id integer", "branch_id -> branch", "weight decimal"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("branch", "country", "Norway", "Spain"), valuesOf("branch", "name", "North Gate", "South Gate"), valuesOf("mechanic", "city", "Oslo", "Rome"),
		}
}

func TestShortNames(t *testing.T) {
	m, values := workshop()
	reads(t, NewIndex(m, values), frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}, []struct{ question, query string }{
		// a phone is called by its number, whosever name stands before it
		{"phone numbers of all mechanics", "SELECT mechanic.full_name, mechanic.mechanic_phone AT mechanic"},
		{"city and phone number of each mechanic", "SELECT mechanic.full_name, mechanic.city, mechanic.mechanic_phone AT mechanic"},
		// the first line of an address is the address
		{"addresses of the mechanics", "SELECT mechanic.full_name, mechanic.address_line_1 AT mechanic"},
		// a key that is a number written short
		{"invoice numbers of invoices with a total above 100", "SELECT invoice.invno, invoice.total AT invoice WHERE invoice.total > 100"},
		{"how many invoices are there", "SELECT invoice_count"},
		{"number of invoices per mechanic", "SELECT mechanic.full_name, invoice_count AT mechanic"},
		// names that share their last word
		{"id, first and last names of all mechanics", "SELECT mechanic.full_name, mechanic.mechanic_id, mechanic.mechanic_first_name, mechanic.mechanic_last_name AT mechanic"},
		{"first, middle, and last names of mechanics in Oslo", "SELECT mechanic.full_name, mechanic.mechanic_first_name, mechanic.mechanic_middle_name, mechanic.mechanic_last_name AT mechanic WHERE mechanic.city = 'Oslo'"},
		{"repair start and end dates of all repairs", "SELECT repair.repair_id, repair.repair_start_date, repair.repair_end_date AT repair"},
		// a superlative of time before the year that it ranks by, where members have a date too
		{"which branch has the latest opening year", "SELECT branch.name, branch.opening_year AT branch ORDER BY branch.opening_year DESC LIMIT 1"},
		{"name of the branch with the earliest opening year", "SELECT branch.name, branch.opening_year AT branch ORDER BY branch.opening_year LIMIT 1"},
		// what is denied before the name of its column
		{"branches not in the country Spain", "SELECT branch.name AT branch WHERE branch.country <> 'Spain'"},
		{"names of branches that are not located in the country Spain", "SELECT branch.name AT branch WHERE branch.country <> 'Spain'"},
		{"branches in the country Spain", "SELECT branch.name AT branch WHERE branch.country = 'Spain'"},
		// rows that there are, by a part of what they are called
		{"how many branches have tools", "SELECT branch_count WHERE ANY branch_tool"},
		{"which branches have some tools", "SELECT branch.name AT branch WHERE ANY branch_tool"},
		{"which mechanics make repairs", "SELECT mechanic.full_name AT mechanic WHERE ANY repair"},
		{"mechanics sorted by their billed", ""},
	})
}
