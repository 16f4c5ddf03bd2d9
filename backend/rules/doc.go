// Package rules says who may do what, and with how much autonomy. It takes values and gives values: it opens no file but
// through an fs.FS, reads no clock and keeps nothing.
//
//	rules/roles.yaml ───────▶ Identify(id, caller) -> Actor ──▶ Whitelist(actor) -> schemas, tables, a narrowed model
//	                                                │
//	rules/autonomy.yaml ─┐                          ▼
//	rules/escalation.yaml┴─▶ Judge(Case{actor, likelihood, cost, plan, domains, overrides}) -> Verdict
//	                                                             level, decision, status, what waits and until when,
//	                                                             who is told, and why: a sentence for every rule
//	rules/pii.yaml ─────────▶ PII: see rules/pii
//
// How a verdict comes about, in this order. Only the second step raises, and by one step at most; every later one can only
// lower, so that no order among them matters.
//
//	1  the matrix               likelihood x cost -> level 5 to 1
//	2  "trust routine"          4 -> 5, when the complexity is low and the cost is not high; never for an agent
//	3  "review all"             at most 4 ─┐ a person's own preferences: "just do it" waives these two
//	   "always confirm DOMAIN"  at most 3 ─┘ for one request, and waives nothing else
//	4  mandatory review         at most 3 when likelihood x cost is above the threshold
//	5  triggers                 domains, sensitive tables: at most 4; a costly scan or run: confirm before running
//	6  the role's maximum, the agents' ceiling, a level asked for
//
// To confirm before a run and to accept a result are two things: Verdict.Confirm says whether the run waits, and
// Verdict.Acceptance what the result waits for.
package rules
