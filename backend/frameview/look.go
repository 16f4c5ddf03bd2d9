package frameview

import (
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Look is how a person wants numbers written.
type Look struct {
	Scale    string // thousands | millions | billions; anything else: in full
	Decimals *int   // digits after the point, 0 to 6; nil: as many as a number needs
}

// scaleShown is the part of a scale that the largest number of a column must reach to be written in it: of a column below 10,000, millions would show zeros.
const scaleShown = 100

var scales = map[string]*big.Rat{"thousands": big.NewRat(1e3, 1), "millions": big.NewRat(1e6, 1), "billions": big.NewRat(1e9, 1)}

// Dressed is the frame with a look noted on the columns that take it; its cells are the same. A scale is for numbers that measure or count, and are large enough; what is worked out from such a
// column in its unit has its scale. Decimals are for every number but whole ones in full. scaled and rounded say which part of the look changed how a number is written.
func Dressed(f *frameql.Frame, look Look) (dressed *frameql.Frame, scaled, rounded bool) {
	by := scales[look.Scale]
	if by == nil && look.Decimals == nil {
		return f, false, false
	}
	out := *f
	out.Columns = slices.Clone(f.Columns)
	for i := range out.Columns {
		c := &out.Columns[i]
		if c.Scale, c.Decimals = "", nil; by != nil && scalable(*c) && reaches(f, i, by) {
			c.Scale = look.Scale
		}
	}
	for i := range out.Columns {
		c := &out.Columns[i]
		if d := c.Derived; d != nil && d.Of != "" && scalable(*c) {
			if of := slices.IndexFunc(out.Columns, func(o frameql.Column) bool { return o.Name == d.Of }); of >= 0 {
				c.Scale = out.Columns[of].Scale
			}
		}
		scaled = scaled || c.Scale != ""
		if look.Decimals == nil || !measured(*c) || c.Type == "integer" && c.Scale == "" {
			continue
		}
		plain := *c
		c.Decimals = look.Decimals
		rounded = rounded || slices.ContainsFunc(f.Rows, func(row []any) bool { return Figure(row[i], plain) != Figure(row[i], *c) })
	}
	return &out, scaled, rounded
}

// measured says whether a column holds numbers that say how much, and are no places or positions.
func measured(c frameql.Column) bool {
	return Numeric(c) && c.Role != frameql.RoleDimension && c.Role != frameql.RoleFlag && (c.Derived == nil || c.Derived.How != "rank")
}

// scalable says whether numbers of a column are amounts: a share in millions says nothing.
func scalable(c frameql.Column) bool {
	if d := c.Derived; d != nil && slices.Contains([]string{"change_pct", "share", "index"}, d.How) {
		return false
	}
	return measured(c) && c.Format != Percent && c.Unit != "%"
}

func reaches(f *frameql.Frame, column int, scale *big.Rat) bool {
	least := new(big.Rat).Quo(scale, big.NewRat(scaleShown, 1))
	return slices.ContainsFunc(f.Rows, func(row []any) bool {
		n, ok := Number(row[column])
		return ok && new(big.Rat).Abs(n).Cmp(least) >= 0
	})
}

// looked writes a number with the scale and the decimals of its column, rounded half away from zero. One that is not zero has as many digits as it needs to be none, and two where it is below one of its
// scale.
func looked(r *big.Rat, c frameql.Column) string {
	if c.Format == Percent {
		return text.Say("analyst.percent", "n", fixed(new(big.Rat).Mul(r, big.NewRat(100, 1)), *c.Decimals))
	}
	by := scales[c.Scale]
	if by != nil {
		r = new(big.Rat).Quo(r, by)
	}
	written := ""
	switch {
	case c.Decimals != nil && by != nil && fraction(r): // 658,388 is not one million
		written = fixed(r, max(*c.Decimals, leadingZeros(r)+2))
	case c.Decimals != nil:
		written = fixed(r, *c.Decimals)
	case fraction(r):
		written = trimmed(r, leadingZeros(r)+2)
	default:
		written = trimmed(r, 2)
	}
	if by == nil {
		return written
	}
	return text.Say("analyst.scaled_"+c.Scale, "n", written)
}

// trimmed is a number with at most so many decimal places.
func trimmed(r *big.Rat, places int) string {
	s := strings.TrimRight(r.FloatString(places), "0")
	return separated(strings.TrimSuffix(s, "."))
}

func fixed(r *big.Rat, places int) string {
	if r.Sign() != 0 && new(big.Rat).Abs(r).Cmp(half(places)) < 0 {
		places = leadingZeros(r) + 1
	}
	return Fixed(r, places)
}

// half is the least number that is not rounded to zero at so many places.
func half(places int) *big.Rat {
	all := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	return new(big.Rat).SetFrac(big.NewInt(1), all.Mul(all, big.NewInt(2)))
}
