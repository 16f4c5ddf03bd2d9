package sniff

import (
	"slices"
	"strings"
)

// strftimeWords are the parts of a format as a person writes them.
var strftimeWords = strings.NewReplacer("%m", "MM", "%d", "DD", "%Y", "YYYY", "%y", "YY", "%b", "Mon", "%B", "Month", "%H", "hh", "%I", "hh", "%M", "mm", "%S", "ss", "%p", "AM")

// As gives the shape by which values are read as a wanted type: that of the values which are of it. Others break its
// promise, however many they are. Values of which none is of the type get the plainest shape of it, and all of them break its
// promise; a column without any value is Text.
func As(values []Value, want Type) Shape {
	if want == Text {
		return Shape{Type: Text}
	}
	present, missing, trim := prepare(values)
	if len(present) == 0 {
		return Shape{Type: Text}
	}
	s := plainest(want)
	if want == Boolean {
		s.Words = wordsOf(present)
	} else if own := slices.DeleteFunc(slices.Clone(present), func(v Value) bool { return !readsAs(v, want) }); len(own) > 0 {
		var most int64
		for _, v := range own {
			most += v.Count
		}
		for _, budget := range []int64{0, most - 1} { // one way to write all of them, else that of most
			if found, ok := oneShape(own, want, budget); ok {
				s = found
				break
			}
		}
	}
	s.Missing, s.Trim, s.Rejects = missing, trim, true
	return s
}

// wordsOf gives the words for true and false that most values are.
func wordsOf(values []Value) (best [2]string) {
	most := int64(-1)
	for _, pair := range append(slices.Clone(pairs), [2]string{"y", "n"}, [2]string{"1", "0"}) {
		var n int64
		for _, v := range values {
			if t := strings.ToLower(v.Text); t == pair[0] || t == pair[1] {
				n += v.Count
			}
		}
		if n > most {
			best, most = pair, n
		}
	}
	return best
}

// readsAs says whether one value by itself is of a type.
func readsAs(v Value, want Type) bool {
	own := Infer([]Value{v}, Options{}).Type
	switch want {
	case Decimal, Float:
		return own == Integer || own == Decimal || own == Float
	case Timestamp:
		return own == Date || own == Timestamp
	default:
		return own == want
	}
}

func oneShape(values []Value, want Type, budget int64) (Shape, bool) {
	try := number
	switch want {
	case Date, Timestamp:
		try = calendar
	case Time:
		try = clock
	}
	s, ok := try(values, budget)
	if !ok || s.Type == Text {
		return s, false
	}
	switch {
	case want == Integer && s.Type == Integer:
		s.Digits = 0 // whatever integers are behind the sample, they are of the type that is wanted
	case s.Type == want:
	case want == Decimal && s.Type == Integer:
		s.Type, s.Scale, s.Digits = Decimal, 2, 18
	case want == Float:
		s.Type = Float
	case want == Timestamp && s.Type == Date:
		s.Type, s.Layout.Midnight = Timestamp, false
	default:
		return s, false
	}
	return s, true
}

func plainest(want Type) Shape {
	switch want {
	case Decimal:
		return Shape{Type: Decimal, Scale: 2, Digits: 18, Number: Number{Point: "."}}
	case Integer, Float:
		return Shape{Type: want, Number: Number{Point: "."}}
	case Boolean:
		return Shape{Type: Boolean, Words: [2]string{"true", "false"}}
	case Date, Timestamp:
		return Shape{Type: want, Layout: Layout{ISO: true}}
	default:
		return Shape{Type: want}
	}
}

// Written says how the values of a shape are written, where that is not plain: 1.234,5 or DD/MM/YYYY.
func (s Shape) Written() string {
	switch s.Type {
	case Integer, Decimal, Float:
		n := s.Number
		if n.Plain() {
			return ""
		}
		form := "1" + n.Group + "234"
		if s.Type != Integer {
			form += n.point() + "5"
		}
		if n.Percent {
			form += "%"
		}
		return n.Symbol + form
	case Date, Timestamp:
		if s.Layout.ISO {
			return ""
		}
		return strftimeWords.Replace(s.Layout.Format)
	case Boolean:
		return s.Words[0] + "/" + s.Words[1]
	}
	return ""
}
