package semantic

import "testing"

func TestNameMatch(t *testing.T) {
	for _, c := range []struct {
		table, column, refTable, refColumn string
		refers                             bool
	}{
		{"orders", "customer_id", "customers", "customer_id", true},
		{"orders", "CustomerID_FK", "customers", "CustomerID_K", true},
		{"raw_orders", "customer", "raw_customers", "id", true},
		{"orders", "ShipVia", "Shippers", "ShipperID", true},
		{"employees", "ReportsTo", "employees", "EmployeeID", true},
		{"matches", "home_team_id", "teams", "id", true},
		{"fault_log", "recorded_by_staff_id", "Staff", "staff_id", true},
		{"departments", "manager_id", "employees", "employee_id", true},
		{"countries", "Continent", "continents", "ContId", true},
		{"sections", "course_code", "courses", "code", true},

		{"customers", "orders", "orders", "id", false},               // how many
		{"order_items", "product_quantity", "products", "id", false}, // a quantity
		{"order_items", "order_item_id", "orders", "order_id", false},
		{"branch", "branch_id", "membership_register_branch", "member_id", false},
		{"coach", "rank", "match_result", "rank", false},
		{"a", "id", "b", "id", false},
		{"people", "age", "shops", "id", false},
		{"team_attributes", "build_up_play_speed", "player", "id", false},
		{"employees", "EmployeeID", "employees", "EmployeeID", false},
		{"employees", "Age", "employees", "EmployeeID", false},
	} {
		if got := NameMatch(c.table, c.column, c.refTable, c.refColumn); (got >= 0.5) != c.refers {
			t.Errorf("%s.%s -> %s.%s: %.2f", c.table, c.column, c.refTable, c.refColumn, got)
		}
	}
}
