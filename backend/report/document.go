package report

import (
	"assay/backend/chart/svg"
)

// Document is a page before it is written.
type Document struct {
	Title    string
	About    About
	Sections []Section
	Sources  []Section // where the numbers of a report come from, numbered from 1; empty: each answer says it below itself
}

// Section is one question with what came of it, or one piece of a report.
type Section struct {
	ID     string // in the page: letters, digits, hyphens
	Place  int    // the first version of its turn; what a report made has none
	Number string // stands before the title; empty: nothing does
	Title  string // empty: the blocks stand for themselves
	Asked  string // when, in words
	Grade  *Grade // empty: nothing was graded
	Blocks []Block
	Facts  []Fact // of a source
	Under  bool   // it stands under a heading
	Code   bool   // its title is a statement
}

// Block is one of its parts: exactly one is set.
type Block struct {
	Heading   *Heading
	Prose     []Passage
	Told      *Told
	Reading   *Reading
	Notes     []Note
	Pair      *Pair
	Picture   *Picture
	Number    *Number
	Table     *Table
	Choices   *Choices
	Statement *Statement
	Lines     *Lines
	Card      *Card
	Box       *Box
}

// Heading is a heading within the page.
type Heading struct {
	Text string
	ID   string
}

// Told is a narration whose numbers lead to their cells.
type Told struct {
	Pieces []Piece
	By     string // who wrote the words, when it was a model; empty: nobody but the program
	Grade  *Grade
	Refs   []int // of the sources of a report, from 1
}

// Piece is a part of a text.
type Piece struct {
	Text  string
	Class string // of code: keyword, string, number; of what a person wrote: strong em code
	Cited bool   // it is a number that stands in a cell
	cell  string // the name of the cell
	row   int    // where it stands in
	in    *Table // nil: no table
}

// To is the element of the page that a piece leads to: its cell, or the table where the page has no room for the row; empty: it leads nowhere.
func (p Piece) To() string {
	switch {
	case p.in == nil:
		return p.cell
	case p.cell != "" && p.row < len(p.in.Visible()):
		return p.cell
	}
	return p.in.ID
}

// Reading is how a question was understood.
type Reading struct {
	Text  string
	Notes []string
}

// Note is a sentence that stands above what it is about.
type Note struct {
	Severity string // info caution critical
	Text     string
}

// Pair is a picture and its table, side by side where both fit.
type Pair struct {
	Picture *Picture
	Number  *Number
	Table   *Table
	Wide    bool // the table wants the whole width
}

// Picture is a drawn chart.
type Picture struct {
	svg.Picture
	Title string
	Named bool // nothing else says what it is called
	Refs  []int
}

// Number is one number at a glance.
type Number struct {
	ID     string // in the page; empty: nothing leads to it
	Label  string
	Figure string
	Exact  string // all digits, where Figure has fewer
	Unit   string
	Change string // with its sign; empty: it is compared with nothing
	Sense  string // good bad even
	With   string // what it is compared with, in words
	Refs   []int
	Course *Course
	Parts  *Table
}

// Course is a number over time, as paths in a box of Width by Height.
type Course struct {
	Words         string
	Line, Area    string
	Width, Height int
}

// Choices are what may be asked instead.
type Choices struct {
	Refs    []int
	Text    string
	More    []string
	Lead    string
	Choices []Option
	Code    string
}

// Option is one of them.
type Option struct {
	Label string
	Note  string
	Code  []Piece
}

// Statement is a query or a statement.
type Statement struct {
	Title string
	Code  []Piece
	Cut   string // how much of it is left out, in words
}

// Lines are things with a label each.
type Lines struct {
	Title string
	Text  string
	Lines []Line
	Refs  []int
}

// Line is one of them.
type Line struct {
	Label  string
	Text   string
	Status string // of a check: passed finding not_applicable could_not_check
	Deep   int    // how far it is under others
	Code   bool   // hashes, names of the engine
}

// Card is a provenance card.
type Card struct {
	ID    string
	Title string
	Brief string // what stands beside the title
	Facts []Fact
}

// Fact is one row of the card.
type Fact struct {
	Label     string
	Text      string
	Statement string // a query, whole
	Lines     []Line
}

// Code are the pieces of its statement that a page has room for, and Cut is how much of it is left out, in words.
func (f Fact) Code() []Piece {
	code, _ := codeOf(f.Statement)
	return code
}

// Cut is how much of its statement a page leaves out, in words; empty: nothing.
func (f Fact) Cut() string {
	_, cut := codeOf(f.Statement)
	return cut
}

// Box holds an artifact that is a card by itself.
type Box struct {
	Title  string
	Note   string
	Stamp  *Grade // SIM
	Blocks []Block
	Marked bool // what it shows was not observed
	Refs   []int
}

// tables visits all tables of a document.
func (d *Document) tables(visit func(*Table)) {
	for _, all := range [][]Section{d.Sections, d.Sources} {
		for i := range all {
			eachTable(all[i].Blocks, visit)
		}
	}
}

func eachTable(blocks []Block, visit func(*Table)) {
	number := func(n *Number) {
		if n != nil && n.Parts != nil {
			visit(n.Parts)
		}
	}
	for _, b := range blocks {
		number(b.Number)
		if b.Table != nil {
			visit(b.Table)
		}
		if b.Pair != nil {
			number(b.Pair.Number)
			if b.Pair.Table != nil {
				visit(b.Pair.Table)
			}
		}
		if b.Box != nil {
			eachTable(b.Box.Blocks, visit)
		}
	}
}
