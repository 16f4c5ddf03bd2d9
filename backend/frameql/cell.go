package frameql

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// mostExact is the largest whole number below which a reader that takes numbers for doubles, as a page does, has every digit.
const mostExact = 1<<53 - 1

// WholeCell gives a whole number as a cell: text where a JSON number would lose digits.
func WholeCell(n int64) any {
	if n > mostExact || n < -mostExact {
		return strconv.FormatInt(n, 10)
	}
	return n
}

// cellFields are the names of fields that hold a cell outside of rows: of metric cards, driver analyses and changes.
var cellFields = []string{"summary", "previous", "value", "amount", "before", "now", "baseline", "current", "change", "excess"}

// KeepDigits gives a JSON text with whole numbers that a double does not hold as texts, where they are cells: in lists of lists, and in the fields
// that hold one cell. What was stored before cells were written so reads the same as what is made today.
func KeepDigits(raw []byte) []byte {
	if !longNumber(raw) {
		return raw
	}
	var out bytes.Buffer
	var open []byte // the brackets around
	key, last := "", ""
	for i := 0; i < len(raw); {
		c, from := raw[i], i
		i++
		switch {
		case c == '"':
			for i < len(raw) && raw[i] != '"' {
				if raw[i] == '\\' {
					i++
				}
				i++
			}
			i = min(i+1, len(raw))
			last = string(raw[from:i])
		case c == ':':
			key = strings.Trim(last, `"`)
		case c == '[' || c == '{':
			open, key = append(open, c), ""
		case (c == ']' || c == '}') && len(open) > 0:
			open, key = open[:len(open)-1], ""
		case c == '-' || c >= '0' && c <= '9':
			for i < len(raw) && strings.IndexByte("0123456789+-.eE", raw[i]) >= 0 {
				i++
			}
			if LosesDigits(string(raw[from:i])) && (bytes.HasSuffix(open, []byte("[[")) || bytes.HasSuffix(open, []byte("{")) && slices.Contains(cellFields, key)) {
				out.WriteString(strconv.Quote(string(raw[from:i])))
				continue
			}
		}
		out.Write(raw[from:i])
	}
	return out.Bytes()
}

// longNumber says whether a text has as many digits in a row as the shortest whole number that a double does not hold.
func longNumber(raw []byte) bool {
	const shortest = 16
	digits := 0
	for _, c := range raw {
		if c < '0' || c > '9' {
			digits = 0
		} else if digits++; digits == shortest {
			return true
		}
	}
	return false
}

// LosesDigits says whether a number is whole and too large for a double to hold for certain.
func LosesDigits(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	if strings.Trim(digits, "0123456789") != "" {
		return false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return err != nil || n > mostExact
}
