// Package analyst takes a question to an accepted answer.
//
//	INTAKE   the request is durable before anything can fail; overrides are read from its words
//	SCOPE    the memo's refusals, then the mind: one reading, a question back, or a refusal
//	PLAN     resolve -> refusals with repairs | statement; cost; grade; risk -> decision
//	EXECUTE  the statement and its population; the frame is completed
//	DELIVER  findings, chart, narration locked to cells, follow-ups, provenance
//	ACCEPT   whether the answer waits for somebody
//	CLOSE    the turn is durable, then the terminal event is emitted
//
// Every door enters through Ask. The package is pure: the engine, the memory, the clock and the identifiers come in as
// values.
package analyst
