// Package worker runs DuckDB in a process of its own.
//
//	this program                                         the same program, "worker ROLE"
//	database/sql ── driver ── Process ══ two pipes ══ Serve ── duckdb-go ── DuckDB
//	                             │  calls, cancels, "next"  ▶
//	                             ◀  replies, Arrow batches, progress
//
// A statement can make DuckDB take all memory, never react to an interrupt, print to standard output or abort the process;
// none of this may reach the program that a person works with. So the engine lives in a child that can be killed: it has a
// limit on its memory that the system enforces, where it only reads it can write no file, and it has neither the
// environment nor the standard streams of its parent. When it dies, every call that runs in it ends with ErrStopped, and the
// next one may start another.
//
// The parent sees a driver of database/sql, so that the same code runs over an engine in this process and over one in
// another. Results come as Arrow record batches, and only as fast as they are asked for.
package worker
