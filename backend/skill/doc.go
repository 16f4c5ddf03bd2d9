// Package skill makes tools of files that people write: skills/*.star of a workspace, in Starlark. A skill asks queries through the desk of a request, like
// every other tool, and does arithmetic over their frames; there is nothing else that it can reach.
//
//	file ─parse─▶ tree ─guard─▶ tree whose every operation is measured ─run once─▶ skill(...) ─▶ tool.Tool
//	call ─strict arguments─▶ run(...) with bounds on steps, work and memory ─▶ a dict ─▶ tool.Result
//
// Starlark bounds the steps of a program and nothing that happens within one: "a" * 1000000000 is one step, and so is a comparison of lists that hold each
// other a million times. So the tree is changed before it runs: operators, methods, slices and tuples go through functions that weigh what they are
// given, and what cannot be weighed (load, unpacked arguments, bound methods) is not there.
package skill
