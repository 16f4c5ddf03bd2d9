// Package risk says how likely an answer is wrong and how much that would cost. It takes values and gives values: it runs
// nothing, reads no clock and keeps nothing.
//
//	shape of the SQL ──────────▶ complexity ─┐
//	what the model declares ───▶ source risk ┤  weighted mean of what is known   likelihood, with reasons
//	best golden query ─────────▶ novelty ────┼─────────────────────────────────▶ (provisional at SCOPE, final at PLAN)
//	rivals, columns, logprobs ─▶ ambiguity ──┘            ▲
//	                                                   weights ◀── Calibrate ◀── accepted, rejected, corrected
//	criticality, audience, haste ──▶ cost, 0 to 1, with a label
//
// A factor that cannot be known is absent: the weights of the others are renormalised, and a reason says so. Which level of
// autonomy follows from likelihood and cost is for the rules to say.
package risk
