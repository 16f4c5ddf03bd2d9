// Command wide writes a Parquet file of 2 million rows and 200 columns, for measuring what a wide table costs.
//
//	wide FILE [ROWS [COLUMNS]]
package main

import (
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(args []string) error {
	numbers := []int{2_000_000, 200}
	if len(args) == 0 || len(args) > 3 {
		return fmt.Errorf("usage: wide FILE [ROWS [COLUMNS]]")
	}
	for i, arg := range args[1:] {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no count", arg)
		}
		numbers[i] = n
	}
	// Every fourth column is text of few values, a number with a fraction that is missing now and then, a day, and a whole number.
	columns := []string{"range AS id"}
	for i := 1; i < numbers[1]; i++ {
		of := [4]string{
			"'value ' || ((range * %[1]d) %% 97)", "CASE WHEN (range + %[1]d) %% 11 <> 0 THEN (range * %[1]d) %% 100003 / 8.0 END",
			"DATE '2020-01-01' + CAST((range + %[1]d) %% 2000 AS INTEGER)", "range * %[1]d",
		}[i%4]
		columns = append(columns, fmt.Sprintf(of+" AS column_%[1]d", i))
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	_, err = db.Exec(fmt.Sprintf("COPY (SELECT %s FROM range(%d)) TO '%s' (FORMAT parquet)", strings.Join(columns, ", "), numbers[0], strings.ReplaceAll(args[0], "'", "''")))
	return err
}
