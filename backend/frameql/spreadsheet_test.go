package frameql

import (
	"encoding/json"
	"os"
	"testing"
)

// The same cells are read by the test of the page.
func TestFormulasBecomeText(t *testing.T) {
	raw, err := os.ReadFile("testdata/spreadsheet_cells.json")
	if err != nil {
		t.Fatal(err)
	}
	var cells [][2]string
	if err := json.Unmarshal(raw, &cells); err != nil || len(cells) < 40 {
		t.Fatalf("%d cells: %v", len(cells), err)
	}
	for _, c := range cells {
		if got := SpreadsheetText(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}
