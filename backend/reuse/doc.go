// Package reuse decides which stored frame answers which branch of a query, by proof and never by guess.
//
//	Branch ──▶ Index: fact, leaves ──▶ the nine clauses, cheapest frame first ──▶ Served: columns, residual conditions,
//	                                        │                                      ranges that the base must add
//	                                        └──▶ Reason: the clause that fails, as a sentence
//
// A frame is a branch that was computed once and kept: groups, leaves, conditions and a period. It answers another branch
// when
//
//  1. definitions, fact and joins are the same, and every table has the epoch that the frame was made at   identity.go
//  2. each leaf is in it and can be reduced again, or the groups are the same groups                       leaf.go
//  3. each key can be computed from its keys                                                               rewrite.go
//  4. the grain of time is derivable: a week never feeds a month                                           grain.go
//  5. time zone, start of the week and calendar agree                                                      grain.go zone.go
//  6. the period begins and ends where its grain does, and lies within its range                           period.go
//  7. the conditions of the branch imply those of the frame                                                implies.go domain.go
//  8. the conditions that are left over speak of its keys only                                             rewrite.go
//  9. the same rows may be seen, and a distinct count finds the counted values among its keys              identity.go leaf.go
//
// What cannot be proved is not served. The package is pure: it opens nothing and reads no clock.
package reuse
