// Package tool is what a mind may do: one file for each tool, and beside it the text that a language model reads of it. The built-in mind uses the
// same ones.
//
// Every tool reads and changes nothing. What it gives back is compact, for a mind and not for a person; what it cannot do it says in a form from which
// a mind can go on: what was wrong, what there is, what to try.
package tool
