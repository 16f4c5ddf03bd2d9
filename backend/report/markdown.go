package report

// Passage is a paragraph, a heading, a piece of code or an item of a list that a person wrote.
type Passage struct {
	Kind   string // p code ul ol
	Pieces []Piece
	Items  [][]Piece
	Text   string // of code
}
