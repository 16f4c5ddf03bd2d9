// Package risk says how likely an answer is wrong and how much that would cost. It takes values and gives values: it runs
// nothing, reads no clock and keeps nothing.
//
//	shape of the SQL ──────────▶ complexity ─┐
//	what the model declares ───▶ source risk ┤  weighted mean, and doubts       likelihood, with reasons
//	best golden query ─────────▶ novelty ────┼─────────────────────────────────▶ (provisional at SCOPE, final at PLAN)
//	rivals, columns, logprobs ─▶ ambiguity ──┘            ▲
//	                                                   weights ◀── Calibrate ◀── accepted, rejected, corrected
//	criticality, audience, haste ──▶ cost, 0 to 1, with a label
//
// A factor that cannot be known counts as the middle of its upper half until outcomes say otherwise, and a reason says so. A doubt
// is something in the answer itself, such as a word that was only nearly read; each leaves less of what is likely right. Which level of
// autonomy follows from likelihood and cost is for the rules to say.
package risk
