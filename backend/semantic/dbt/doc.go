// Package dbt reads what a dbt project says about its data into a semantic model: semantic models and metrics in YAML
// (MetricFlow's documents and dbt's lists), or a manifest.json with, besides them, the project's nodes, tests, sources,
// exposures and groups. It reads from an fs.FS and runs nothing.
//
//	folder of YAML ----\
//	                    > tree > project > entities, joins, metrics, calendars, lineage > Result
//	manifest, catalog -/                     (each file of this package is one of them)
//
// What a project says and a semantic model cannot is never dropped in silence: every key that nothing has read, and
// every object that cannot be carried, is a Note with its place and the reason. An object that is only partly
// understood is left out rather than imported with another meaning: a metric whose filter cannot be said would be a
// wrong number.
//
// Mapping, in short:
//
//	semantic model          entity; its primary entity is the key, and each of its entities a dimension of that name
//	foreign -> primary      join; two semantic models that share a primary or unique entity join one to one
//	partition dimensions    part of the key, and of every join whose two sides have one of the same name
//	measure + simple metric leaf metric; EmptyIs is null unless fill_nulls_with says 0, which is what MetricFlow does
//	ratio, derived          ratio when nothing is attached to its parts, else derived with Inputs
//	a cumulative metric     the same over a leaf, hidden when no metric of the project says the same
//	time spine              an entity, and a calendar when it has custom granularities
package dbt
