// Package frameql is the query language: parse -> resolve -> plan -> SQL.
//
//	text ──Parse──▶ Query ──Resolve(model)──▶ Plan ──Statement(dialect)──▶ SQL ──(store)──▶ Frame
//	JSON ──decode─▶   │                        └─▶ []Refusal, each with repairs that resolve
//	                  └─String()──▶ canonical text, whose hash is the identity of the query
//
// It owns Query, Refusal, Statement and Frame. It is pure: no engine, no file, no clock but the one it is given.
//
// Where things are: scan.go and parse*.go read text, print*.go writes it, json*.go is the other form; resolve.go walks
// a query in the order of its clauses, bind_*.go binds one kind of thing each, refuse_*.go holds one family of
// refusals with its repairs; period.go is the calendar; sql*.go writes statements and dialect_*.go spells them.
//
// Meanings that the grammar leaves open:
//   - A bare name is a metric in SELECT, HAVING and sort keys when there is a metric of that name; then an entity, a
//     role of a join, a dimension, a time grain. In AT, WHERE, TOP and ON it is never a metric. Canonical text
//     qualifies every dimension, so that it means the same when the model grows.
//   - CONTAINS and STARTS WITH ignore case; LIKE, = and IN do not.
//   - Comparisons are three-valued as in SQL: a row whose value is missing passes neither = nor <>.
//   - HAVING is applied before TOP; a member of TOP is ranked by its value over all its rows.
//   - FROM date without TO is open at its end.
package frameql
