package report

import (
	"cmp"
	"slices"
	"strconv"

	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// told is the narration of an answer, with its grade, behind what would be.
func (r *Answer) told() []Block {
	var blocks []Block
	if s := r.answer.Supposed; s != "" {
		blocks = append(blocks, Block{Notes: []Note{{"info", s}}})
	}
	if n := r.answer.Narration; n != nil && n.Text != "" {
		blocks = append(blocks, Block{Told: &Told{Pieces: r.cite(n), By: writtenBy(n), Grade: r.Grade()}})
	}
	return blocks
}

// writtenBy says whose the words are, when they are a model's; empty: they are the program's.
func writtenBy(n *session.Narration) string {
	switch {
	case n.By != "model":
		return ""
	case n.Model == "":
		return text.Say("report.by_some_model")
	}
	return text.Say("report.by_model", "model", n.Model)
}

// cite cuts a narration at its citations. One that overlaps another, lies outside or within a letter is left out.
func (r *Answer) cite(n *session.Narration) []Piece {
	marks := slices.Clone(n.Citations)
	slices.SortStableFunc(marks, func(a, b session.Citation) int { return cmp.Compare(a.Start, b.Start) })
	var pieces []Piece
	at := 0
	for _, c := range marks {
		if c.Start < at || c.End <= c.Start || c.End > len(n.Text) || !boundary(n.Text, c.Start) || !boundary(n.Text, c.End) {
			continue
		}
		if c.Start > at {
			pieces = append(pieces, Piece{Text: n.Text[at:c.Start]})
		}
		pieces = append(pieces, r.lead(Piece{Text: n.Text[c.Start:c.End]}, c))
		at = c.End
	}
	if at < len(n.Text) {
		pieces = append(pieces, Piece{Text: n.Text[at:]})
	}
	return pieces
}

// boundary says whether a letter begins at a byte.
func boundary(s string, at int) bool { return at == len(s) || s[at]&0xc0 != 0x80 }

// lead makes a piece of a citation that leads to what it is locked to.
func (r *Answer) lead(p Piece, c session.Citation) Piece {
	p.Cited = true
	f := r.answer.Frame
	if f == nil || f.ID != c.Frame || r.table == nil {
		if f != nil && f.ID == c.Frame {
			p.cell = r.glance
		}
		return p
	}
	p.in = r.table
	column := slices.IndexFunc(f.Columns, func(k frameql.Column) bool { return k.Name == c.Column })
	if r.celled && c.Row >= 0 && column >= 0 && f.Columns[column].Role != frameql.RoleFlag {
		p.cell, p.row = r.cell(c.Row, column), c.Row
	}
	return p
}

// cell is the name of a cell, in the part of the page that shows it.
func (r *Answer) cell(row, column int) string {
	name := r.name
	if r.beside != "" {
		name = r.beside
	}
	return name + "-" + strconv.Itoa(row+1) + "-" + strconv.Itoa(column+1)
}

// leads are the cells of a frame that the narration leads to.
func (r *Answer) leads(f *frameql.Frame) cited {
	leads := cited{}
	if r.answer.Narration == nil {
		return leads
	}
	for _, c := range r.answer.Narration.Citations {
		for _, cell := range append([]session.CitedCell{{Row: c.Row, Column: c.Column}}, c.Cells...) {
			column := slices.IndexFunc(f.Columns, func(k frameql.Column) bool { return k.Name == cell.Column })
			if c.Frame == f.ID && cell.Row >= 0 && column >= 0 {
				leads[[2]int{cell.Row, column}] = r.cell(cell.Row, column)
			}
		}
	}
	return leads
}
