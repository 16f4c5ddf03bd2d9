package store

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// sheetReader gives the rows of a sheet one by one.
type sheetReader struct {
	book *workbook
	d    *xml.Decoder
	body io.Closer
	row  int // number of the last row, from 1
}

// sheetCell is a cell with a value.
type sheetCell struct {
	column int // from 0
	text   string
}

func (w *workbook) rows(s sheetRef) (*sheetReader, error) {
	body, err := w.open(s.part)
	if err != nil {
		return nil, err
	}
	return &sheetReader{book: w, d: xml.NewDecoder(body), body: body}, nil
}

func (r *sheetReader) close() { r.body.Close() }

// next gives the cells of the next row that has any; io.EOF behind the last.
func (r *sheetReader) next() ([]sheetCell, error) {
	for {
		t, err := r.d.RawToken()
		if err != nil {
			return nil, unexpected(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local != "row" {
				continue
			}
			r.row++
			if n, err := strconv.Atoi(attribute(t, "r")); err == nil {
				r.row = n
			}
			cells, err := r.cells()
			if err != nil {
				return nil, unexpected(err)
			}
			if len(cells) > 0 {
				return cells, nil
			}
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				return nil, io.EOF
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// cells reads a row to its end.
func (r *sheetReader) cells() ([]sheetCell, error) {
	var cells []sheetCell
	column := -1
	for {
		t, err := r.d.RawToken()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local != "c" {
				continue
			}
			column++
			if n, ok := columnNumber(attribute(t, "r")); ok {
				column = n
			}
			style, _ := strconv.Atoi(attribute(t, "s"))
			value, ok, err := r.value(attribute(t, "t"), style)
			if err != nil {
				return nil, err
			}
			if ok {
				cells = append(cells, sheetCell{column, value})
			}
		case xml.EndElement:
			if t.Name.Local == "row" {
				return cells, nil
			}
		}
	}
}

// columnNumber reads the letters of a reference: B3 is 1. The last column of a sheet is XFD.
func columnNumber(ref string) (int, bool) {
	n := 0
	for i := 0; i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z'; i++ {
		n = n*26 + int(ref[i]-'A') + 1
	}
	return n - 1, n > 0 && n <= 16384
}

// value reads a cell to its end. A formula counts with the value that was computed last; an error is no value.
func (r *sheetReader) value(kind string, style int) (value string, ok bool, err error) {
	raw := ""
	inValue := false
	for {
		t, err := r.d.RawToken()
		if err != nil {
			return "", false, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				inValue = true
			case "is":
				if raw, err = richText(r.d, "is"); err != nil {
					return "", false, err
				}
			}
		case xml.CharData:
			if inValue {
				raw += string(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "v":
				inValue = false
			case "c":
				value, ok = r.book.cellText(kind, style, raw)
				return value, ok, nil
			}
		}
	}
}

// cellText gives the text of a cell; false when it has no value.
func (w *workbook) cellText(kind string, style int, raw string) (string, bool) {
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(raw))
		if err != nil || n < 0 || n >= len(w.shared) {
			return "", false
		}
		return w.shared[n], w.shared[n] != ""
	case "str":
		return unescape(raw), raw != ""
	case "inlineStr":
		return raw, raw != ""
	case "b":
		if raw == "" {
			return "", false
		}
		return strconv.FormatBool(raw == "1" || raw == "true"), true
	case "e":
		return "", false
	case "d":
		return strings.TrimSuffix(raw, "Z"), raw != ""
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(raw), 64)
	if err != nil {
		return raw, raw != ""
	}
	if style >= 0 && style < len(w.styles) && f >= 0 && f < 2_958_466 { // up to the year 9999
		switch w.styles[style] {
		case dateStyle:
			return w.dateText(f), true
		case clockStyle:
			if f < 1 {
				return clockText(f), true
			}
			return w.dateText(f), true
		}
	}
	// The file may hold 0.28999999999999998 for what was typed as 0.29: the shortest text of the same number.
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64), true
	}
	return floatText(f), true
}

// dateText writes a serial number of days. The 1900 system believes that 1900 was a leap year.
func (w *workbook) dateText(serial float64) string {
	base := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.epoch4:
		base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case serial < 60:
		base = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	whole := math.Floor(serial)
	at := base.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round((serial-whole)*86_400_000)) * time.Millisecond)
	if at.Equal(at.Truncate(24 * time.Hour)) {
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02 15:04:05.999")
}

func clockText(serial float64) string {
	return time.Time{}.Add(time.Duration(math.Round(serial*86_400_000)) * time.Millisecond).Format("15:04:05.999")
}
