//go:build cgo

package reuse_test

import (
	"fmt"
	"strings"
	"time"

	"assay/backend/compile"
)

// The tests write SQL by hand from what Match gives, without the compiler, so that a mistake of one is not hidden by the
// other.

// scalarSQL writes a scalar; node gives the alias of a node.
func scalarSQL(s *compile.Scalar, node func(int) string) string {
	arg := func(i int) string { return scalarSQL(s.Args[i], node) }
	list := func(from int, by string) string {
		var all []string
		for i := from; i < len(s.Args); i++ {
			all = append(all, arg(i))
		}
		return strings.Join(all, by)
	}
	switch s.Op {
	case "col":
		return node(s.Node) + `."` + s.Text + `"`
	case "num":
		return s.Text
	case "str":
		return "'" + strings.ReplaceAll(s.Text, "'", "''") + "'"
	case "bool":
		return s.Text
	case "null":
		return "NULL"
	case "date":
		return "DATE '" + s.Text + "'"
	case "timestamp":
		return "TIMESTAMP '" + s.Text + "'"
	case "+", "-", "*", "=", "<>", "<", "<=", ">", ">=":
		return "(" + arg(0) + " " + s.Op + " " + arg(1) + ")"
	case "same":
		return "(" + arg(0) + " IS NOT DISTINCT FROM " + arg(1) + ")"
	case "and", "or":
		return "(" + list(0, " "+s.Op+" ") + ")"
	case "not":
		return "(NOT " + arg(0) + ")"
	case "is_null":
		return "(" + arg(0) + " IS NULL)"
	case "not_null":
		return "(" + arg(0) + " IS NOT NULL)"
	case "in":
		return "(" + arg(0) + " IN (" + list(1, ", ") + "))"
	case "not_in":
		return "(" + arg(0) + " NOT IN (" + list(1, ", ") + "))"
	case "call":
		return s.Text + "(" + list(0, ", ") + ")"
	case "trunc":
		return truncSQL(s, arg(0))
	}
	panic("no SQL for " + s.Op)
}

func truncSQL(s *compile.Scalar, t string) string {
	if s.Zone != "" {
		from := s.From
		if from == "" {
			from = "UTC"
		}
		t = "timezone('" + s.Zone + "', timezone('" + from + "', CAST(" + t + " AS TIMESTAMP)))"
	}
	if len(s.Buckets) > 0 {
		var b strings.Builder
		b.WriteString("CASE")
		for _, k := range s.Buckets {
			fmt.Fprintf(&b, " WHEN %s >= TIMESTAMP '%s' AND %s < TIMESTAMP '%s' THEN DATE '%s'", t, k.From.Format("2006-01-02"), t, k.To.Format("2006-01-02"), k.From.Format("2006-01-02"))
		}
		return b.String() + " END"
	}
	unit := strings.TrimPrefix(s.Text, "fiscal_")
	switch {
	case unit == "hour" || unit == "minute":
		return "date_trunc('" + unit + "', " + t + ")"
	case unit == "week":
		return fmt.Sprintf("CAST(date_trunc('week', %s + INTERVAL %d DAY) - INTERVAL %d DAY AS DATE)", t, s.Shift, s.Shift)
	case s.Shift != 0:
		return fmt.Sprintf("CAST(date_trunc('%s', %s - INTERVAL %d MONTH) + INTERVAL %d MONTH AS DATE)", unit, t, s.Shift, s.Shift)
	}
	return "CAST(date_trunc('" + unit + "', " + t + ") AS DATE)"
}

func alias(i int) string { return fmt.Sprintf("n%d", i) }

// branchSQL computes a branch from the base data. suffix names the state of the data: tables are called f_v1, f_v2.
func branchSQL(b compile.Branch, suffix string) string {
	var from strings.Builder
	for i, n := range b.Source.Nodes {
		if i == 0 {
			fmt.Fprintf(&from, "%s%s AS n0", n.Table, suffix)
			continue
		}
		var on []string
		for _, p := range n.On {
			on = append(on, scalarSQL(p.Parent, alias)+" = "+scalarSQL(p.Own, alias))
		}
		fmt.Fprintf(&from, " LEFT JOIN %s%s AS n%d ON %s", n.Table, suffix, i, strings.Join(on, " AND "))
	}
	var where, timed []string
	for _, f := range b.Filters {
		where = append(where, scalarSQL(f, alias))
		if b.Time != nil && strings.Contains(scalarSQL(f, alias), scalarSQL(b.Time, alias)) {
			timed = append(timed, scalarSQL(f, alias))
		}
	}
	for _, p := range periodSQL(b) {
		where = append(where, p)
		timed = append(timed, p)
	}
	var columns, keys []string
	for _, k := range b.Keys {
		columns = append(columns, scalarSQL(k.Expr, alias)+` AS "`+k.Name+`"`)
		keys = append(keys, scalarSQL(k.Expr, alias))
	}
	picks := ""
	for i, l := range b.Leaves {
		filter := ""
		if l.Leaf.Filter != nil {
			filter = scalarSQL(l.Leaf.Filter, alias)
		}
		if p := l.Leaf.Pick; p != nil {
			t := scalarSQL(l.Leaf.Time, alias)
			var by []string
			for _, k := range b.Keys {
				if s := scalarSQL(k.Expr, alias); strings.Contains(s, t) {
					by = append(by, s)
				}
			}
			for _, k := range p.Per {
				by = append(by, scalarSQL(k, alias))
			}
			over, only := "", ""
			if len(by) > 0 {
				over = "PARTITION BY " + strings.Join(by, ", ")
			}
			if len(timed) > 0 {
				only = " FILTER (WHERE " + strings.Join(timed, " AND ") + ")"
			}
			picks += fmt.Sprintf(", (%s = max(%s)%s OVER (%s)) AS pick%d", t, t, only, over, i)
			filter = fmt.Sprintf("pick%d", i)
		}
		columns = append(columns, aggregateSQL(l.Leaf, filter)+` AS "`+l.Name+`"`)
	}
	if len(columns) == 0 {
		columns = []string{"1"}
	}
	source := from.String()
	if picks != "" { // windows see all rows, so they are computed before anything is left out
		// Every node's columns go through under the alias of the node.
		structs := make([]string, len(b.Source.Nodes))
		for i := range b.Source.Nodes {
			structs[i] = alias(i)
		}
		source = "(SELECT " + strings.Join(structs, ", ") + picks + " FROM " + source + ")"
	}
	sql := "SELECT " + strings.Join(columns, ", ") + " FROM " + source
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	if len(keys) > 0 {
		sql += " GROUP BY ALL"
		if len(b.Leaves) == 0 {
			sql = strings.TrimSuffix(strings.Replace(sql, "SELECT ", "SELECT DISTINCT ", 1), " GROUP BY ALL")
		}
	}
	return sql
}

func periodSQL(b compile.Branch) (all []string) {
	if !b.From.IsZero() {
		all = append(all, scalarSQL(b.Time, alias)+" >= TIMESTAMP '"+b.From.Format("2006-01-02 15:04:05")+"'")
	}
	if !b.To.IsZero() {
		all = append(all, scalarSQL(b.Time, alias)+" < TIMESTAMP '"+b.To.Format("2006-01-02 15:04:05")+"'")
	}
	return all
}

func aggregateSQL(l compile.Leaf, filter string) string {
	arg := "*"
	if l.Expr != nil {
		arg = scalarSQL(l.Expr, alias)
	}
	if l.Distinct {
		arg = "DISTINCT " + arg
	}
	sql := ""
	switch l.Reducer {
	case "sum", "count", "min", "max", "median", "avg":
		sql = l.Reducer + "(" + arg + ")"
	case "stddev":
		sql = "stddev_samp(" + arg + ")"
	case "any":
		sql = "bool_or(" + arg + ")"
	case "all":
		sql = "bool_and(" + arg + ")"
	case "last", "first":
		order := []string{scalarSQL(l.Time, alias)}
		for _, t := range l.Tie {
			order = append(order, scalarSQL(t, alias))
		}
		name := map[string]string{"last": "arg_max", "first": "arg_min"}[l.Reducer]
		sql = name + "(" + arg + ", row(" + strings.Join(order, ", ") + "))"
		only := arg + " IS NOT NULL AND " + order[0] + " IS NOT NULL"
		if filter != "" {
			only += " AND " + filter
		}
		filter = only
	default:
		panic("no SQL for " + l.Reducer)
	}
	if filter != "" {
		sql += " FILTER (WHERE " + filter + ")"
	}
	return sql
}

// servedSQL answers a branch from a frame, and from the base where the frame lacks a part of the period.
func servedSQL(b compile.Branch, s *compile.Served, suffix string) string {
	frame := func(int) string { return "fr" }
	var columns, where []string
	for i, k := range s.Keys {
		columns = append(columns, scalarSQL(k, frame)+` AS "`+b.Keys[i].Name+`"`)
	}
	for i, l := range s.Leaves {
		columns = append(columns, reduceSQL(s.Reduce[i], b.Leaves[i].Leaf, `fr."`+l+`"`)+` AS "`+b.Leaves[i].Name+`"`)
	}
	if len(columns) == 0 {
		columns = []string{"1"}
	}
	for _, w := range s.Where {
		where = append(where, scalarSQL(w, frame))
	}
	sql := "SELECT " + strings.Join(columns, ", ") + " FROM " + s.Table + " AS fr"
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	if len(s.Keys) > 0 {
		if len(s.Leaves) == 0 {
			sql = strings.Replace(sql, "SELECT ", "SELECT DISTINCT ", 1)
		} else {
			sql += " GROUP BY ALL"
		}
	}
	if len(s.Missing) == 0 {
		return sql
	}
	parts := []string{sql}
	for _, r := range s.Missing {
		rest := b
		rest.From, rest.To = r.From, r.To
		parts = append(parts, branchSQL(rest, suffix))
	}
	columns = nil
	for _, k := range b.Keys {
		columns = append(columns, `u."`+k.Name+`"`)
	}
	for i, l := range b.Leaves {
		columns = append(columns, reduceSQL(s.Reduce[i], l.Leaf, `u."`+l.Name+`"`))
	}
	sql = "SELECT " + strings.Join(columns, ", ") + " FROM (" + strings.Join(parts, " UNION ALL ") + ") AS u"
	if len(s.Keys) > 0 {
		if len(b.Leaves) == 0 {
			return strings.Replace(sql, "SELECT ", "SELECT DISTINCT ", 1)
		}
		sql += " GROUP BY ALL"
	}
	return sql
}

func reduceSQL(how string, l compile.Leaf, column string) string {
	switch how {
	case compile.ReduceSum:
		if l.Reducer == "count" {
			return "coalesce(sum(" + column + "), 0)"
		}
		return "sum(" + column + ")"
	case compile.ReduceMin:
		return "min(" + column + ")"
	case compile.ReduceMax:
		return "max(" + column + ")"
	case compile.ReduceDistinct:
		return l.Reducer + "(DISTINCT " + column + ")"
	case compile.ReduceValue:
		if l.Reducer == "count" { // no row: an empty selection without keys
			return "coalesce(any_value(" + column + "), 0)"
		}
		return "any_value(" + column + ")"
	}
	panic("no SQL for " + how)
}

func date(text string) time.Time {
	t, err := time.Parse("2006-01-02", text)
	if err != nil {
		panic(err)
	}
	return t
}

func pick[T any](r interface{ Intn(int) int }, of ...T) T { return of[r.Intn(len(of))] }
