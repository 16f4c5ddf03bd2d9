package semantic

import (
	"github.com/goccy/go-yaml/ast"
)

// calendar reads one fiscal calendar of workspace.yaml. Whether it is whole is checked with the model; a calendar that
// a calendar of months lacks its month is found here, so that workspace.yaml alone says so too.
func (r *reading) calendar(file string, n ast.Node) (Calendar, bool) {
	f, ok := r.mapping(file, objectName("semantic.object_calendar", n, "name"), n, "name", "start_month", "label_year", "pattern", "year_ends",
		"table", "date_column", "units")
	if !ok {
		return Calendar{}, false
	}
	c := Calendar{
		Name: f.name("name"), StartMonth: f.integer("start_month"), LabelYear: f.choice("label_year", LabelStart, LabelEnd),
		Pattern: f.text("pattern"), YearEnds: f.text("year_ends"),
		Table: f.text("table"), DateColumn: f.text("date_column"), Pos: f.pos,
	}
	_, c.Units = f.pairs("units")
	for _, p := range calendarProblems(&c, f.has("start_month")) {
		f.fail(p.key, p.message, p.hint)
	}
	return c, true
}
