// Package store keeps the data: it imports files into DuckDB and runs statements over them.
//
//	file ──look──▶ format ──▶ [hash, load into tmp-…/import.duckdb, check] ──▶ publish (rename) ──▶ catalog.json
//	                                                                               │
//	Statement ──gate──▶ [query instance: every source attached READ_ONLY] ◀────────┘──▶ Frame
//
// What stands in brackets runs in a child of this process, which may be killed at any moment and is started again: one for
// queries, which may write no file; one for imports; one for the frame cache (see worker).
//
// One DuckDB file holds one source. An import writes it under a temporary name and renames it into place before the
// catalogue names it, so an import is all or nothing whatever kills the process, and other processes go on reading.
//
// Statements go in, frames and facts come out. No *sql.DB leaves the package.
//
// What the lockdown of the query instance closes: every file, network address, extension and setting. What it leaves
// open is for the SQL gate, and what that lets pass ends with the worker: functions that build huge values (range, repeat)
// are bounded by neither DuckDB's memory limit nor the deadline, but by the system's limit and a kill.
package store
