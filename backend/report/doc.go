// Package report is what a session looks like without Assay: one page of HTML that reads, sorts and prints on its own.
//
//	session.FileTurn + rows ─ Turn ─▶ Section{Blocks} ┐
//	                  About: what the page says of itself ┼─ Document ─ WritePage ─▶ one file
//	artifacts, texts, headings ─ Composer ─▶ Sections ────┘
//
// A Document is all that a page shows, in words and in order; the page only lays it out. Whatever a person, a model or data wrote is text in it:
// html/template escapes it where it stands, and the one thing that is markup already is the picture of a chart, which chart/svg has escaped itself.
// A page asks for nothing: no address, no font, no picture, and of scripts only its own one, which sorts tables. Its policy says so.
//
// All of it is pure: the same document gives the same bytes.
package report
