package frameql

import (
	"regexp"
	"strings"
	"unicode"
)

// plainNumber is what a spreadsheet may read as a number though it begins with a sign.
var plainNumber = regexp.MustCompile(`^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// formulaStarts are the characters by which a spreadsheet takes a cell for a formula, also as wide as East Asian keyboards write
// them, and the tab and line ends that some readers cut off in front of one.
const formulaStarts = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"

// SpreadsheetText gives a text as a cell of a CSV, TSV or XLSX file: one that a spreadsheet would run as a formula gets an
// apostrophe in front, which shows it as it is. Negative numbers stay numbers. Every export of cells and headers goes through it; the
// page has the same rule in src/lib/spreadsheet.ts, and testdata/spreadsheet_cells.json is the test of both.
func SpreadsheetText(s string) string {
	if s == "" || plainNumber.MatchString(s) {
		return s
	}
	shown := strings.TrimLeftFunc(s, func(r rune) bool {
		return r == ' ' || r == '\ufeff' || r == '\u200b' || r == 0 || unicode.Is(unicode.Zs, r)
	})
	if strings.IndexFunc(shown, func(r rune) bool { return strings.ContainsRune(formulaStarts, r) }) == 0 {
		return "'" + s
	}
	return s
}
