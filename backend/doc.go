// Package backend is the map of the code.
//
// One question, in a straight line:
//
//	door (window, browser, command line, tests)
//	  │  workspace.Ask
//	  ▼
//	INTAKE   analyst   the question is stored in memory (SQLite) before anything can fail
//	SCOPE    interpret question + semantic model + values -> candidate Frame-QL, a confidence per slot, what stayed unread
//	PLAN     frameql   resolve -> refusals with repairs | a bound query
//	         compile   bound query -> steps -> rewrites -> SQL; reuse says which stored frames answer parts of it
//	         sqlgate   one read-only SELECT over what the person may see, or none at all; store explains what it will take
//	         risk      how likely it is wrong and what that would cost; rules -> level, decision, what must wait
//	         memory    the decision is in the audit log before anything runs
//	EXECUTE  store     DuckDB, read-only and locked down, in a child process -> frame
//	DELIVER  analyst   findings, chart, narration whose numbers are locked to cells, follow-ups, provenance
//	ACCEPT   analyst   a word, use, or time, by level
//	CLOSE    memory    the turn is stored, then shown; what becomes of it later is settled there
//
// What the packages are:
//
//	fault      error codes and the one error type
//	text       every sentence that a person reads
//	spelling   how far apart two words are
//	yamlfile   the YAML files that people write, down to nodes with their lines
//	semantic   the context layer: load, validate, infer, merge, diff; semantic/dbt reads models of dbt
//	frameql    Frame-QL: parse -> resolve -> plan; its oracle for tests is frameqltest
//	compile    a bound query as SQL: branches, stack, collapse, rewrites, one file for each dialect
//	reuse      which stored frame answers which scan: the containment rule
//	interpret  the built-in reader of questions; interpret/timex reads date phrases, interpret/whatif takes questions about what would be apart
//	risk       how likely an answer is wrong, what that would cost, and learning from outcomes
//	retrieval  which texts are like a question: golden queries, corrections, memories
//	rules      who may do what, and with how much autonomy; rules/pii masks what is personal
//	export     whole results as CSV, XLSX, Parquet or JSON files with their provenance, and several of them as a workbook
//	frameview  how a frame reads: the kinds of its columns, cells as text
//	chart      which chart a frame gets, by its shape and by the words of the question; chart/svg draws it without a browser
//	reading    what a part of a query may become, and the query with one part changed
//	session    the session document: artifacts and trace, its file, and what a replay of it says
//	report     what a session looks like without Assay: one page of HTML that asks for nothing, and reports of chosen parts
//	printer    pages as PDF, by a browser of this machine without a network
//	secret     keys of providers: the keyring of the system, a sealed file, a passphrase, or this process alone
//	minds      who may think: models that a person set up, their keys and budgets, what would leave for them, and whether they work
//	llm        language models: one Model, one Embedder, whichever provider stands behind; llm/llmtest scripts minds for tests
//	prose      the number lock: what a model writes about a frame, when the program can print every number of it and check every claim
//	tool       what a mind may do: a file for each tool, and beside it the text that a model reads
//	skill      tools that people write: skills/*.star, which reach nothing but frames
//	mind       the loop in which a mind thinks and uses tools, its bounds, and what a language model is told
//	knowledge  what is believed and why: what a sentence corrects or prefers, what is said in passing, what somebody works with, confidence from evidence, who sees and who decides, when several people mean the same
//	analyst    from question to answer
//	review     the air gap: what several people taught is put before a steward, with what would come of it and what says otherwise, and what is decided is kept
//	git        context files on branches of the git repository in which a workspace lies, for people to review and merge
//	sqlgate    is a text one read-only SELECT over what somebody may read: a parser and lists of what is known for each dialect
//	store      DuckDB: import, locked-down query, cost, the frame cache; store/worker runs it in child processes,
//	           store/sniff judges text files
//	values     which values a column has, cached, for whoever must choose
//	profile    facts measured on tables
//	memory     SQLite: sessions, requests and their steps, how they stand, the search over them, how long they are kept; the audit log, notices, golden queries, corrections, what was noted, preferences, shared knowledge
//	workspace  composition root: opens, owns and closes everything above
//	api        the HTTP API, and its guard
//	cli        the subcommands
//	desktop    what the window needs beside its framework: one for a workspace, where it stood, safe mode
//
// Who may import whom stands in arch_test.go, and is a test.
package backend
