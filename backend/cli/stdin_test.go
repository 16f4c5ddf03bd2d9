package cli

import (
	"strings"
	"testing"
)

// TestLongQueryIsNotCut: of a query that is too long no part is read, which could mean something else.
func TestLongQueryIsNotCut(t *testing.T) {
	query := "SELECT revenue WHERE year > 1990" + strings.Repeat(" ", 1<<20) + "AND year > 1995"
	if got, err := (Program{Stdin: strings.NewReader(query)}).queryText([]string{"-"}); err != nil || got != query {
		t.Errorf("%d of %d bytes: %v", len(got), len(query), err)
	}
}
