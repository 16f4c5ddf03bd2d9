// Package frameql is the query language: parse -> resolve -> plan, which package compile writes as SQL.
//
//	text --Parse--> Query --Resolve(model)--> Plan --Bound--> compile.Query --compile--> SQL --(store)--> Frame
//	JSON --decode-->  |                        '--> []Refusal, each with repairs that resolve
//	                  '--String()--> canonical text, whose hash is the identity of the query
//
// It owns Query, Refusal, Statement and Frame. It is pure: no engine, no file, no clock but the one it is given.
//
// Where things are: scan.go and parse*.go read text, print*.go writes it, json*.go and schema*.go are the other form;
// resolve.go walks a query in the order of its clauses, each bind_*.go binds one of them, check_*.go honours what the
// model and the data say of the whole, refuse_*.go holds one family of refusals each with its repairs, calendar.go and
// period.go are the calendar, finish.go makes the plan. notice.go holds what is said with an answer; evidence.go and
// second_path.go are the queries about the same rows that say what the numbers rest on, and give them once more.
//
// How a query is bound. Each number belongs to a source: the entity of its metric, or of the columns that it reduces
// (bind_fact.go). A name is bound once for all sources, to a node of each (bind_dim.go). A time that is the metric time
// of every number is an axis, which is another column for each of them (bind_time.go). An expression is bound where it
// stands (bind_context.go): at a grain, in a period, under filters.
//
// Meanings that the grammar leaves open:
//   - A bare name is a definition of WITH or a metric in SELECT, HAVING and sort keys when there is one of that name; then
//     an entity, a role of a join, a dimension, a time grain. In AT, WHERE, TOP and ON it is never a metric. Canonical text
//     qualifies every dimension, so that it means the same when the model grows.
//   - CONTAINS and STARTS WITH ignore case; LIKE, = and IN do not.
//   - Comparisons are three-valued as in SQL: a row whose value is missing passes neither = nor <>.
//   - HAVING is applied before TOP; a member of TOP is ranked by its value over all its rows.
//   - FROM date without TO is open at its end.
//   - DURING ... ON d makes d the time of every number: of its period, its axis and its comparisons.
//   - COUNT of an entity counts its members, each once.
package frameql
