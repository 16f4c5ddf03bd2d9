package frameql_test

import (
	"slices"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// library lends copies of books: a copy is lent often, a loan has fines, a book has genres and moods. What its model says is at the
// borders of what a model may say: rules for a hierarchy and for time, levels whose time lies elsewhere, names that are nearly alike.
func library() Env {
	dim := func(name string, t semantic.Type) semantic.Dimension { return semantic.Dimension{Name: name, Type: t} }
	measure := func(name, unit string) semantic.Dimension {
		return semantic.Dimension{Name: name, Type: semantic.Decimal, Unit: unit, Measure: true}
	}
	entity := func(name, time string, key []string, dims ...semantic.Dimension) semantic.Entity {
		return semantic.Entity{Name: name, Source: semantic.Source{Table: name}, Key: key, DefaultTime: time, Dimensions: dims}
	}
	join := func(from, fk, to, key, role string) semantic.Join {
		return semantic.Join{From: from, To: to, On: []semantic.ColumnPair{{From: fk, To: key}}, Cardinality: "many_to_one", Role: role, Attested: &semantic.Attestation{Unique: true}}
	}
	integer, words, date := semantic.Integer, semantic.Text, semantic.Date
	m := &semantic.Model{
		Name: "library",
		Entities: []semantic.Entity{
			entity("fines", "fined_on", []string{"fine_id"}, dim("fine_id", integer), dim("loan_id", integer), dim("fined_on", date), dim("currency", words), measure("amount", "EUR")),
			entity("loans", "lent_on", []string{"loan_id"}, dim("loan_id", integer), dim("reader_id", integer), dim("copy_id", integer), dim("lent_on", date), dim("shelf", words),
				dim("game_at", semantic.Timestamp), measure("fee", "EUR"), semantic.Dimension{Name: "slow", Expr: "CASE WHEN fee > 1 THEN 'yes' ELSE 'no' END"}, dim("unknown", "")),
			entity("readers", "", []string{"reader_id"}, dim("reader_id", integer), dim("reader_name", words), dim("town", words), dim("county", words), dim("loan_kind", words),
				semantic.Dimension{Name: "email", Type: words, PII: "email"}, dim("house", integer), dim("currency", words), dim("branch_id", integer), dim("club_id", integer)),
			entity("branches", "", []string{"branch_id"}, dim("branch_id", integer), dim("branch_name", words), dim("district", words), dim("patron", words), dim("sponsor", words), dim("founder", words)),
			entity("clubs", "", []string{"club_id"}, dim("club_id", integer), dim("club_name", words), dim("captain", words)),
			entity("copies", "", []string{"copy_id"}, dim("copy_id", integer), dim("book_id", integer), dim("printer", words)),
			entity("books", "", []string{"book_id"}, dim("book_id", integer), dim("title", words)),
			entity("genres", "", []string{"genre_id"}, dim("genre_id", integer), dim("genre_name", words)),
			entity("book_genres", "", []string{"book_id", "genre_id"}, dim("book_id", integer), dim("genre_id", integer)),
			entity("loan_genres", "", nil, dim("loan_id", integer), dim("genre_id", integer)),
			entity("counts", "counted_on", []string{"counted_on", "branch_id"}, dim("counted_on", date), dim("branch_id", integer), dim("currency", words), measure("held", "")),
			entity("count_lines", "", []string{"line_id"}, dim("line_id", integer), dim("counted_on", date), dim("branch_id", integer), measure("held", "")),
			entity("visits", "came_at", nil, dim("reader_id", integer), dim("came_at", semantic.Timestamp), dim("mood", words), dim("branch_id", integer)),
		},
		Joins: []semantic.Join{
			join("fines", "loan_id", "loans", "loan_id", ""),
			join("loans", "reader_id", "readers", "reader_id", ""),
			join("loans", "copy_id", "copies", "copy_id", ""),
			join("copies", "book_id", "books", "book_id", ""),
			join("readers", "branch_id", "branches", "branch_id", "home"),
			join("readers", "club_id", "branches", "branch_id", "second"),
			join("readers", "club_id", "clubs", "club_id", ""),
			join("book_genres", "book_id", "books", "book_id", ""),
			join("book_genres", "genre_id", "genres", "genre_id", ""),
			join("loan_genres", "loan_id", "loans", "loan_id", ""),
			join("loan_genres", "genre_id", "genres", "genre_id", ""),
			join("counts", "branch_id", "branches", "branch_id", ""),
			join("visits", "reader_id", "readers", "reader_id", ""),
			join("visits", "branch_id", "branches", "branch_id", "home"),
		},
		Gotchas: []semantic.Gotcha{
			{Name: "two_places", AppliesTo: []string{"readers.town", "loans.shelf"}, Severity: "critical", Statement: "Shelves are named by town."},
		},
	}
	for i := range m.Joins {
		if m.Joins[i].Role == "second" { // known less well than the other role, which is a meaning and no doubt
			m.Joins[i].Attested = nil
		}
	}
	m.Entities[2].Hierarchies = []semantic.Hierarchy{{Name: "place", Path: []string{"town", "county"}, Steps: []*semantic.StepAttestation{{Members: 9, Pairs: 9}}}}
	m.Joins = append(m.Joins, semantic.Join{From: "count_lines", To: "counts", On: []semantic.ColumnPair{{From: "counted_on", To: "counted_on"}, {From: "branch_id", To: "branch_id"}}, Cardinality: "many_to_one"})
	leaf := func(name, entity, expr string, reducer semantic.Reducer, change func(*semantic.Metric)) {
		x := semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: reducer}
		if change != nil {
			change(&x)
		}
		m.Metrics = append(m.Metrics, x)
	}
	never := func(along string) func(*semantic.Metric) {
		return func(x *semantic.Metric) {
			x.Additivity = semantic.Additivity{Default: semantic.Additive, Per: map[string]string{along: semantic.NonAdditive}}
		}
	}
	level := func(time string) func(*semantic.Metric) {
		return func(x *semantic.Metric) {
			x.Additivity, x.Time = semantic.Additivity{Default: "semi(last)"}, time
		}
	}
	for _, name := range []string{"hidden_a", "hidden_b", "hidden_c", "hidden_d"} { // more than are looked at, before those that may be used
		leaf(name, "fines", "amount", semantic.Sum, func(x *semantic.Metric) { x.Family, x.Hidden = "money", true })
	}
	leaf("loans_made", "loans", "*", semantic.Count, nil)
	leaf("fees", "loans", "fee", semantic.Sum, func(x *semantic.Metric) { x.Unit, x.Family = "EUR", "money" })
	leaf("fined", "fines", "amount", semantic.Sum, func(x *semantic.Metric) { x.Unit, x.Family = "EUR", "money" })
	leaf("late_loans", "loans", "*", semantic.Count, func(x *semantic.Metric) { x.Filter = "fee > 1" })
	leaf("copies_lent", "loans", "copy_id", semantic.CountDistinct, nil)
	leaf("lending", "loans", "copy_id * 2", semantic.CountDistinct, nil)
	leaf("fees_of_the_keen", "loans", "fee", semantic.Sum, func(x *semantic.Metric) { x.Filter = "(hidden_loans AT readers) > 2" })
	leaf("hidden_loans", "loans", "*", semantic.Count, func(x *semantic.Metric) { x.Hidden = true })
	leaf("visits_made", "visits", "*", semantic.Count, nil)
	leaf("first_fine", "fines", "amount", semantic.First, func(x *semantic.Metric) { x.Time = "loans.lent_on" })
	leaf("last_fine", "fines", "amount", semantic.Last, func(x *semantic.Metric) { x.Time = "loans.lent_on" })
	leaf("fined_by_loan", "fines", "amount", semantic.Sum, func(x *semantic.Metric) { x.Time = "loans.lent_on" })
	leaf("held", "counts", "held", semantic.Sum, level(""))
	leaf("held_by_line", "count_lines", "held", semantic.Sum, level("counts.counted_on"))
	leaf("never_by_place", "loans", "fee", semantic.Sum, never("place"))
	leaf("never_by_time", "loans", "fee", semantic.Sum, never("time"))
	leaf("never_by_currency", "fines", "amount", semantic.Sum, never("currency"))
	leaf("never_by_full_currency", "fines", "amount", semantic.Sum, never("fines.currency"))
	leaf("never_by_club", "loans", "fee", semantic.Sum, never("club_name"))
	leaf("by_day_needed", "loans", "fee", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"loans.lent_on"} })
	leaf("by_bare_day_needed", "fines", "amount", semantic.Sum, func(x *semantic.Metric) { x.Required, x.Time = []string{"lent_on"}, "loans.lent_on" })
	leaf("by_month_needed", "loans", "fee", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"lent_on.month"} })
	leaf("by_reader_needed", "loans", "fee", semantic.Sum, func(x *semantic.Metric) { x.Required = []string{"readers"} })
	m.Metrics = append(m.Metrics,
		semantic.Metric{Name: "visits_per_loan", Kind: semantic.Ratio, Numerator: "visits_made", Denominator: "loans_made"},
		semantic.Metric{Name: "fined_so_far", Kind: semantic.Cumulative, Of: "fined_by_loan"},
		semantic.Metric{Name: "twice_made", Kind: semantic.Derived, Expr: "2 * loans_made"},
		semantic.Metric{Name: "fined_per_loan", Kind: semantic.Ratio, Numerator: "fined", Denominator: "loans_made"},
	)
	return Env{
		Model: m, Now: time.Date(2024, 5, 6, 12, 0, 0, 0, time.UTC),
		Unique: func(entity string, dimensions []string) (unique, known bool) {
			i := slices.IndexFunc(m.Entities, func(e semantic.Entity) bool { return e.Name == entity })
			return true, i >= 0 && slices.Equal(m.Entities[i].Key, dimensions)
		},
		Coverage: func(d string) (first, last time.Time, ok bool) {
			return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 4, 30, 0, 0, 0, 0, time.UTC), d == "loans.lent_on"
		},
		Values: func(d string) ([]string, bool) {
			values, complete := map[string][]string{
				"loans.shelf":       {"upstairs", "downstairs"},
				"loans.lent_on":     {"2024-01-01 00:00:00"},
				"readers.email":     {"Poe"},
				"readers.house":     {"Poe"},
				"readers.town":      {"Poe"},
				"readers.loan_kind": {"Poe"},
				"branches.district": {"Poe"},
				"clubs.club_name":   {"Poe"},
				"clubs.captain":     {"Poe"},
				"copies.printer":    {"Poe", "Verne"},
				"books.title":       {"Poe"},
				"visits.mood":       {"Verne"},
				"genres.genre_name": {"crime"},
			}[d]
			return values, complete && d != "copies.printer"
		},
	}
}
