package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"assay/backend/frameql"
)

// doubleDigits is how many significant digits of a double count when two frames are compared: the last ones depend on the order in which
// an engine adds. Whole numbers and decimals count with all of theirs.
const doubleDigits = 12

// Hash is the hash of a value in its JSON form: sha256:... Fields that are unexported do not count.
func Hash(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// FrameHash is the hash of what a frame shows: its columns by name and type, and its cells in their order, doubles to 12 significant digits.
// Where its numbers were read, and when, is no part of it.
func FrameHash(f *frameql.Frame) string {
	h := sha256.New()
	for _, c := range f.Columns {
		fmt.Fprintf(h, "%d:%s%d:%s", len(c.Name), c.Name, len(c.Type), c.Type)
	}
	var piece []byte
	for _, row := range f.Rows {
		piece = append(piece[:0], '\n')
		for i, cell := range row {
			s, kind := cellText(cell, i < len(f.Columns) && f.Columns[i].Type == "float")
			piece = append(strconv.AppendInt(append(piece, kind), int64(len(s)), 10), ':')
			piece = append(piece, s...)
		}
		_, _ = h.Write(piece) // a hash takes everything
	}
	if t := f.Truncated; t != nil {
		_, _ = io.WriteString(h, "\ncut "+strconv.Itoa(t.Cap)+" of "+strconv.Itoa(t.TotalRows))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// cellText writes a cell the same way whether it comes from the engine or was read from JSON, and what kind it is: n(ull), b(oolean), t(ext and numbers).
func cellText(cell any, double bool) (s string, kind byte) {
	switch x := cell.(type) {
	case nil:
		return "", 'n'
	case bool:
		return strconv.FormatBool(x), 'b'
	case string:
		return x, 't'
	case int64:
		s = strconv.FormatInt(x, 10)
	case float64:
		s = strconv.FormatFloat(x, 'g', -1, 64)
	case json.Number:
		s = string(x)
	default:
		return fmt.Sprint(x), 't'
	}
	if double {
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			return strconv.FormatFloat(x, 'e', doubleDigits-1, 64), 't'
		}
	}
	return s, 't'
}
