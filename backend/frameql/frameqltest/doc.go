// Package frameqltest knows the right answer. It holds an evaluator of Frame-QL that computes every number by its
// definition, with nested loops over tables in memory and exact arithmetic; generators of models, tables and queries; and
// a comparison of frames with a readable difference. It shares no code with the resolver and the compiler beyond the types
// of a query and of a model, so that a mistake would have to be made twice to go unnoticed.
//
// It is support for tests: nothing that ships imports it.
//
//	World                 a model, its tables and the present moment
//	World.Answer          the result of a query, by the definitions
//	DrawWorld, DrawQuery  random worlds and well-formed queries over them
//	Script                the tables as SQL
//	Diff                  what is different between two results
package frameqltest
