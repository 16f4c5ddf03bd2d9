package semantic

import "strings"

// exprRank orders operators by how tightly they bind; a looser operand of a tighter operator gets parentheses.
func exprRank(op string) int {
	switch op {
	case "or":
		return 1
	case "and":
		return 2
	case "not":
		return 3
	case "=", "<>", "<", "<=", ">", ">=", "is_null", "not_null", "in", "not_in":
		return 4
	case "+", "-":
		return 5
	case "*", "/":
		return 6
	case "neg":
		return 7
	default:
		return 8
	}
}

// String gives the canonical text of the expression: ParseExpr of it gives an equal tree.
func (e *Expr) String() string {
	var b strings.Builder
	e.print(&b)
	return b.String()
}

func (e *Expr) print(b *strings.Builder) {
	rank := exprRank(e.Op)
	arg := func(i, least int) {
		if exprRank(e.Args[i].Op) < least {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		e.Args[i].print(b)
	}
	list := func(from int) {
		b.WriteByte('(')
		for i := from; i < len(e.Args); i++ {
			if i > from {
				b.WriteString(", ")
			}
			e.Args[i].print(b)
		}
		b.WriteByte(')')
	}
	switch e.Op {
	case "ident":
		b.WriteString(quoteName(e.Name))
	case "num", "bool":
		b.WriteString(e.Text)
	case "str":
		b.WriteString("'" + strings.ReplaceAll(e.Text, "'", "''") + "'")
	case "null":
		b.WriteString("NULL")
	case "call":
		b.WriteString(e.Name)
		list(0)
	case "neg":
		b.WriteByte('-')
		arg(0, rank+1) // "--" would read as two signs in SQL comments; parentheses keep it plain
	case "not":
		b.WriteString("NOT ")
		arg(0, rank)
	case "is_null":
		arg(0, rank+1)
		b.WriteString(" IS NULL")
	case "not_null":
		arg(0, rank+1)
		b.WriteString(" IS NOT NULL")
	case "in", "not_in":
		arg(0, rank+1)
		b.WriteString(map[string]string{"in": " IN ", "not_in": " NOT IN "}[e.Op])
		list(1)
	case "case":
		e.printCase(b)
	case "metric_at":
		e.printMetricAt(b)
	case "and", "or", "+", "-", "*", "/":
		arg(0, rank)
		b.WriteString(" " + strings.ToUpper(e.Op) + " ")
		arg(1, rank+1)
	default: // comparisons do not chain
		arg(0, rank+1)
		b.WriteString(" " + e.Op + " ")
		arg(1, rank+1)
	}
}

func (e *Expr) printCase(b *strings.Builder) {
	b.WriteString("CASE")
	pairs := len(e.Args) / 2
	for i := range pairs {
		b.WriteString(" WHEN ")
		e.Args[2*i].print(b)
		b.WriteString(" THEN ")
		e.Args[2*i+1].print(b)
	}
	if e.HasElse {
		b.WriteString(" ELSE ")
		e.Args[len(e.Args)-1].print(b)
	}
	b.WriteString(" END")
}

// quoteName writes an identifier, in double quotes only where a segment is not a plain word.
func quoteName(name string) string {
	segments := strings.Split(name, ".")
	for i, s := range segments {
		if !IsName(s) || reservedWords[strings.ToLower(s)] || exprLiterals[strings.ToLower(s)] {
			segments[i] = "\"" + strings.ReplaceAll(s, "\"", "\"\"") + "\""
		}
	}
	return strings.Join(segments, ".")
}

var exprLiterals = map[string]bool{"true": true, "false": true, "null": true, "case": true}
