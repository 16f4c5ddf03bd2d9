// Package sqlgate says whether a text is one read-only SELECT over objects that somebody may read. It decides about the exact
// bytes that it is given, rewrites nothing, runs nothing and opens nothing.
//
//	text ─▶ bytes ─▶ tokens ─▶ the engine's own grammar ─▶ every node ─▶ Verdict
//	        │        │          │                          │
//	        │        │          │                          ├ kinds of nodes and their fields  ┐
//	        │        │          │                          ├ functions, types, operators      ├ lists/*.txt: what is on none is refused
//	        │        │          │                          ├ tables, behind CTE scoping       ┘ and Policy
//	        │        │          │                          └ constants that ask for gigabytes
//	        │        │          ├ duckdb      json_serialize_sql, handed in as a function: the engine lives in package store
//	        │        │          ├ postgres    libpg_query, the grammar of PostgreSQL 17
//	        │        │          ├ mysql       TiDB's parser and Vitess': both must read it, allow it and find the same tables
//	        │        │          └ clickhouse  a strict subset by a grammar of our own
//	        │        └ nesting, arms and lists: what would exhaust a recursive parser never reaches it
//	        └ UTF-8, no control characters, no comment that a server runs, at most 64 KiB
//
// Unknown means refuse: a new kind of node, a field that an upgrade brings, a function that no list has. The lists are frozen
// texts that a person reads; tests compare them with the engine that is linked and with the server that is installed.
//
// A common table expression hides a table of its name only where the engine would look for it there: its own body and those of
// others are judged in the scope that they have, whether anything reads them or not.
//
// MySQL's parsers are not used for other dialects. They read SELECT 1 // 1; DROP TABLE t as a comment where DuckDB divides.
package sqlgate
