package compile

import "assay/backend/semantic"

// reasonName is the column that says why a number is missing.
func reasonName(output string) string { return output + "_reason" }

// divides says whether somebody divides in a cell; an average that was taken apart does not count.
func divides(cell *Scalar) bool {
	return cell.any(func(s *Scalar) bool { return s.Op == "/" && s.Text != "average" || s.Op == "index" })
}

// reason says why a number is missing: the first divisor that is zero (zero_base) or missing (no_base).
func reason(x *Scalar) *Scalar {
	word := func(w string) *Scalar { return &Scalar{Op: "str", Text: w, Type: semantic.Text} }
	out := &Scalar{Op: "case", Type: semantic.Text}
	out.Args = append(out.Args, &Scalar{Op: "not_null", Args: []*Scalar{x}, Type: semantic.Boolean}, null(semantic.Text))
	x.each(func(s *Scalar) {
		if s.Op != "/" || s.Text == "average" {
			return
		}
		below := s.Args[1]
		if isPlainNumber(below) {
			return
		}
		out.Args = append(out.Args, compare("=", below, number(0)), word("zero_base"),
			&Scalar{Op: "is_null", Args: []*Scalar{below}, Type: semantic.Boolean}, word("no_base"))
	})
	if len(out.Args) == 2 {
		return null(semantic.Text)
	}
	return out
}
