package interpret

import "testing"

// TestMoreThanAnother asks which of two members stands first, and by how much.
func TestMoreThanAnother(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"how many more orders did Germany place than France", "SELECT order_count FILTER (WHERE customers.country = 'Germany') - order_count FILTER (WHERE customers.country = 'France')"},
		{"how many fewer customers does France have than Germany", "SELECT COUNT(*) FILTER (WHERE customers.country = 'Germany') - COUNT(*) FILTER (WHERE customers.country = 'France') FROM customers"},
		{"who has more orders, Germany or France?", "SELECT customers.country, order_count WHERE customers.country IN ('Germany', 'France') TOP 1 customers.country BY order_count"},
		{"which country brought less revenue, Germany or France", "SELECT customers.country, revenue WHERE customers.country IN ('Germany', 'France') TOP 1 customers.country BY revenue ASC"},
		{"which customers have more orders than Germany or France", ""}, // than both, or than one of them
	})
}
