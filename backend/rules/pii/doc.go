// Package pii finds personal values, replaces them by tokens before they may leave the process for a model, and puts them
// back in what comes back.
//
//	                     ┌───────────────────────── process ─────────────────────────┐
//	frame, question, ───▶│ Masker: tag, rule or name of the column, else detectors    │──▶ <EMAIL_3f9a1c> ──▶ model
//	error, sample, JSON  │    │ token = HMAC(secret of the session, kind, value)      │                        │
//	                     │    ▼                                                       │                        │
//	statement, text ◀────│ Vault: token -> value, in memory, never written            │◀── its text and tools ──┘
//	                     └────────────────────────────────────────────────────────────┘
//	log line ───────────▶ Redactor: dropped for good, with secrets; it keeps nothing
//
// What decides, in this order: the column's tag in the model; the first matching line of pii.yaml; the column's name; then
// detectors over the cell. A value that was masked once in a session is masked in every later text too, whatever stands
// around it, which is how names in free text are found.
//
// Masking is exact: Restore gives back every byte of what Mask was given. Text of the data that looks like a token is
// masked itself, so that nobody can forge one. Names that no column gave away and no title announces are not found in free
// text; see Masker.Question for those of a question.
package pii
