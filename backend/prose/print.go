package prose

import (
	"math/big"
	"strings"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// print writes the text with its references as the program says them. false: a number has no print.
func (l *lock) print() (Locked, bool) {
	var out strings.Builder
	locked := Locked{Citations: []session.Citation{}}
	at := 0
	for i := range l.tokens {
		t := &l.tokens[i]
		if t.what != value && t.what != member {
			continue
		}
		out.WriteString(l.text[at:t.start])
		at = t.end
		cited, unit := l.printed(t)
		if cited == "" {
			l.blame(Reference, t)
			return Locked{}, false
		}
		c := session.Citation{Start: out.Len(), End: out.Len() + len(cited), Frame: l.frame.ID, Row: -1}
		switch {
		case t.what == member:
			c.Row, c.Column = t.cited, l.frame.Columns[t.columns[0]].Name
		case t.formula.Fn != "count":
			c.Row, c.Column = t.formula.Row, l.frame.Columns[t.formula.Column].Name
			c.Formula = l.frame.canonical(t.formula)
			if c.Formula != "" {
				c.Cells = t.formula.Cells(l.frame.Frame)
			}
		}
		out.WriteString(cited)
		out.WriteString(unit)
		locked.Citations = append(locked.Citations, c)
	}
	out.WriteString(l.text[at:])
	locked.Text = out.String()
	if !strings.HasSuffix(locked.Text, ".") {
		locked.Text += "."
	}
	return locked, true
}

// printed is what stands for a token, and the unit behind it that is no part of the citation.
func (l *lock) printed(t *token) (cited, unit string) {
	if t.what == member {
		if t.literal {
			return l.text[t.start:t.end], ""
		}
		return l.frame.word(l.frame.Rows[t.formula.Row][t.formula.Column], l.frame.Columns[t.formula.Column]), ""
	}
	n, ok := l.frame.value(t.formula)
	if !ok {
		return "", ""
	}
	return Print(t.formula, n, l.frame.Frame, l.steps(t) && !t.size, t.size)
}

// Print is how a number of a formula is written, and its unit, which stands behind it. signed: with a plus where it is above zero. size: without its
// sign, which a word before says. A unit with a digit in it belongs to the number.
func Print(x Formula, n *big.Rat, f *frameql.Frame, signed, size bool) (number, unit string) {
	if size {
		n = new(big.Rat).Abs(n)
	}
	plus := ""
	if signed && n.Sign() > 0 {
		plus = "+"
	}
	switch x.Fn {
	case "count":
		return frameview.Figure(int64(len(frameview.Members(f).Rows)), frameql.Column{Type: "integer"}), ""
	case "rank":
		return text.Say("prose.rank", "n", frameview.FigureOf(n, frameql.Column{})), ""
	case "ratio":
		return text.Say("prose.times", "n", frameview.FigureOf(n, frameql.Column{})), ""
	case "pct", "share":
		return plus + text.Say("analyst.percent", "n", frameview.Percentage(n)), ""
	}
	c := f.Columns[x.Column]
	if x.Fn == "diff" && c.Format == frameview.Percent {
		return plus + text.Say("prose.points", "n", frameview.Percentage(n)), ""
	}
	number = plus + frameview.FigureOf(n, c)
	if c.Unit == "" {
		return number, ""
	}
	unit = " " + c.Unit
	if strings.ContainsFunc(unit, unicode.IsDigit) {
		return number + unit, ""
	}
	return number, unit
}
