package dialecttest

import "database/sql"

// Database is a connection to a server, or to DuckDB.
type Database interface {
	Exec(statement string, values ...any) error
	Query(statement string) (names []string, rows [][]any, err error) // values as the driver reads them
	Close()
}

// sqlDatabase is one that database/sql has a driver for.
type sqlDatabase struct{ db *sql.DB }

// connect opens a database of one connection, so that what a test sets for its session holds.
func connect(driver, where string) (Database, error) {
	db, err := sql.Open(driver, where)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, err
	}
	return sqlDatabase{db}, nil
}

func (d sqlDatabase) Exec(statement string, values ...any) error {
	_, err := d.db.Exec(statement, values...)
	return err
}

func (d sqlDatabase) Query(statement string) (names []string, rows [][]any, err error) {
	res, err := d.db.Query(statement)
	if err != nil {
		return nil, nil, err
	}
	defer res.Close()
	if names, err = res.Columns(); err != nil {
		return nil, nil, err
	}
	for res.Next() {
		row := make([]any, len(names))
		into := make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := res.Scan(into...); err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	return names, rows, res.Err()
}

func (d sqlDatabase) Close() { d.db.Close() }
