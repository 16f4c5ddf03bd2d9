// Package retrieval finds what is like a question: golden queries for novelty, corrections and memories for recall.
//
//	Record (id, kind, owner, question, Frame-QL)          Query (question, Frame-QL), who asks
//	   │ Embedder: text -> unit vector                       │ the same embedder
//	   ▼                                                     ▼
//	collection "golden/-/question" ── chromem-go: cosine ──▶ candidates of the shared and the own collections
//	collection "golden/-/frameql"                            │ the owner is checked again, ties in order of id
//	   │ Save                                                ▼
//	   ▼                                                   matches, best first
//	one file, which may be thrown away: the records are the truth, and what does not fit them is embedded anew
//
// How far apart the built-in embedder keeps questions, measured by TestParaphrasesAreNearerThanOtherQuestions on 37 questions that
// were seen while its weights were chosen and 32 that were not (both written by the same hand): paraphrases have a median of 0.91
// and 0.74, nine of ten above 0.61, the least 0.40; other questions over the same tables have a median of 0.01, nine of ten below
// 0.31, the most 0.59; questions about something else stay below 0.18. The nearest golden query is the right one in all of 29.
//
// What was taught is found in other words: of 36 corrections over two schemas, asked for in words that were written with them, the right one is the first for 31 and
// among the first three for 33, where what is rare among what was taught weighs more (30 and 32 without; TestWhatWasTaughtIsFoundInOtherWords). A collection of 5,000 records or more is searched by sketches of its vectors first, which finds at
// least 98 of 100 of the ten nearest; 100,000 take 11 ms on two busy cores (BenchmarkRecall).
//
// A model that stands elsewhere may take the place of the built-in embedder for questions, see Foreign; Frame-QL is always read here.
//
// The embedder that is built in needs no model and no network. A file holds vectors and hashes, never a text.
package retrieval
