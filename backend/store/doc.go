// Package store keeps the data: it imports files into DuckDB and runs statements over them.
//
//	file ──look──▶ format ──hash──▶ epoch ──load──▶ tmp-…/import.duckdb ──check──▶ publish (rename) ──▶ catalog.json
//	                                                                                   │
//	Statement ──gate──▶ query instance (in memory, every source attached READ_ONLY) ◀──┘──▶ Frame
//
// One DuckDB file holds one source. An import writes it under a temporary name and renames it into place before the
// catalogue names it, so an import is all or nothing whatever kills the process, and other processes go on reading.
//
// Statements go in, frames and facts come out. No *sql.DB leaves the package: the engine may move into a process of its
// own without a caller noticing.
//
// What the lockdown of the query instance closes: every file, network address, extension and setting. What it leaves
// open is for the SQL gate: functions that build huge values (range, repeat) are bounded by neither the memory limit nor
// the deadline.
package store
