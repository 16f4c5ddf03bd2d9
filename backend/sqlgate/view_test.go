package sqlgate_test

import (
	"testing"

	"assay/backend/sqlgate"
)

func TestViewsAreJudgedByTheirDefinition(t *testing.T) {
	for _, c := range []struct {
		dialect    sqlgate.Dialect
		definition string
		want       bool
	}{
		{sqlgate.DuckDB, "CREATE VIEW v AS SELECT * FROM orders;", true},
		{sqlgate.DuckDB, `CREATE VIEW hr."as v" (a, b) AS WITH x AS (SELECT 1) SELECT * FROM orders;`, true},
		{sqlgate.DuckDB, "CREATE VIEW v_all_salaries AS SELECT * FROM hr.salary;", false},
		{sqlgate.DuckDB, "CREATE VIEW v AS SELECT * FROM orders; DROP TABLE orders", false},
		{sqlgate.DuckDB, "CREATE VIEW v AS FROM read_csv('/etc/passwd')", false},
		{sqlgate.DuckDB, "CREATE VIEW v", false},
		{sqlgate.DuckDB, "CREATE TABLE v AS SELECT 1", false},
		{sqlgate.DuckDB, "SELECT * FROM orders", true},
		{sqlgate.Postgres, " SELECT orders.amount\n   FROM orders;", true},
		{sqlgate.Postgres, " SELECT s.amt FROM hr.salary s;", false},
		{sqlgate.MariaDB, "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `v` AS select `shop`.`orders`.`amount` AS `amount` from `shop`.`orders`", true},
		{sqlgate.MariaDB, "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `v` AS select `hr`.`salary`.`amt` AS `amt` from `hr`.`salary`", false},
	} {
		v, err := gate().CheckView(t.Context(), c.dialect, c.definition, whitelist(c.dialect))
		if err != nil || v.Allowed != c.want {
			t.Errorf("%s: %+v %v", c.definition, v, err)
		}
	}
}
