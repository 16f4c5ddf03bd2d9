package semantic

import "testing"

func TestPlaceholders(t *testing.T) {
	before, name, after, found := CutPlaceholder("sales of {product} in {period}")
	if before != "sales of " || name != "product" || after != " in {period}" || !found {
		t.Errorf("%q %q %q %v", before, name, after, found)
	}
	if before, _, _, found := CutPlaceholder("no names {} here"); found || before != "no names {} here" {
		t.Errorf("%q %v", before, found)
	}
}

// TestFillPlaceholders fills in one pass: braces in a value are text.
func TestFillPlaceholders(t *testing.T) {
	got := FillPlaceholders("a = {a} AND b = {b} AND c = {c}", map[string]string{"a": "'{b}'", "b": "'{a}'"})
	if want := "a = '{b}' AND b = '{a}' AND c = {c}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
