package interpret

import (
	"testing"

	"assay/backend/semantic"
)

// TestStatesThatAreWrittenInShort reads the name of a state where the data has its two letters, and never two letters that are
// a word.
func TestStatesThatAreWrittenInShort(t *testing.T) {
	m := traders()
	for i := range m.Entities {
		if m.Entities[i].Name == "suppliers" {
			m.Entities[i].Dimensions = append(m.Entities[i].Dimensions, dim("state", semantic.Text))
		}
	}
	ix := NewIndex(m, append(traderValues(), ValueSet{Entity: "suppliers", Dimension: "state", Values: []string{"CA", "NM", "Oregon"}, Complete: true}))
	reads(t, ix, traderEnv(m), []struct{ question, query string }{
		{"how many suppliers are in California", "SELECT COUNT(*) FROM suppliers WHERE suppliers.state = 'CA'"},
		{"how many suppliers are in New Mexico or California", "SELECT COUNT(*) FROM suppliers WHERE suppliers.state IN ('NM', 'CA')"},
	})
}
