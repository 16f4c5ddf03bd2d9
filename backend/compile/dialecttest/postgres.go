package dialecttest

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// postgres runs the server of the package postgresql. Its databases sort text by the rules of English, as most do that
// are in use, so that a test notices where a statement relies on the order of bytes without saying so.
var postgres = kind{
	name:  "postgres",
	users: []string{"postgres"},
	find: func() (programs, error) {
		initialise, err := program("initdb", "/usr/lib/postgresql/*/bin/initdb")
		if err != nil {
			return programs{}, err
		}
		return programs{initialise, filepath.Join(filepath.Dir(initialise), "postgres")}, nil
	},
	script: func(p programs, dir string) string {
		return strings.Join([]string{
			"set -e",
			command(p.initialise, "-D", dir+"/data", "--no-sync", "-A", "trust", "-U", "assay", "-E", "UTF8",
				"--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"),
			"exec " + command(p.server, "-D", dir+"/data", "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off",
				"-c", "full_page_writes=off", "-c", "shared_buffers=32MB", "-c", "max_connections=40", "-c", "jit=off"),
			"",
		}, "\n")
	},
	connect: func(dir, database string) (Database, error) {
		conn, err := pgx.Connect(context.Background(), "host="+dir+" user=assay database="+database)
		if err != nil {
			return nil, err
		}
		return pgDatabase{conn}, nil
	},
	create: func(database string) string { return "CREATE DATABASE " + database },
	admin:  "postgres",
}

// command writes a command for the shell.
func command(words ...string) string {
	for i, w := range words {
		words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(words, " ")
}

// pgDatabase is one connection to PostgreSQL.
type pgDatabase struct{ conn *pgx.Conn }

func (d pgDatabase) Exec(statement string, values ...any) error {
	_, err := d.conn.Exec(context.Background(), statement, values...)
	return err
}

func (d pgDatabase) Query(statement string) (names []string, rows [][]any, err error) {
	res, err := d.conn.Query(context.Background(), statement)
	if err != nil {
		return nil, nil, err
	}
	defer res.Close()
	for _, f := range res.FieldDescriptions() {
		names = append(names, f.Name)
	}
	for res.Next() {
		row, err := res.Values()
		if err != nil {
			return nil, nil, err
		}
		for i, v := range row {
			if n, ok := v.(pgtype.Numeric); ok {
				text, err := n.Value()
				if err != nil {
					return nil, nil, err
				}
				row[i] = text
			}
		}
		rows = append(rows, row)
	}
	return names, rows, res.Err()
}

func (d pgDatabase) Close() { d.conn.Close(context.Background()) } //nolint:errcheck // the test is over
