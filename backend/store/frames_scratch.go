package store

import (
	"context"
	"database/sql"

	"assay/backend/compile"
)

// scratch is an engine of one connection for work in the background.
type scratch struct {
	db   *sql.DB
	conn *sql.Conn
}

func openScratch(ctx context.Context, h *host) (*scratch, error) {
	db, _, err := h.open(ctx, "?"+compile.DuckDBConfig+"&threads=1&autoinstall_known_extensions=false&autoload_known_extensions=false")
	if err != nil {
		return nil, err
	}
	e := &scratch{db: db}
	if e.conn, err = e.db.Conn(ctx); err == nil {
		err = e.exec(ctx, "SET TimeZone='UTC'")
	}
	if err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

func (e *scratch) exec(ctx context.Context, statement string) error {
	_, err := e.conn.ExecContext(ctx, statement)
	return err
}

func (e *scratch) version(ctx context.Context) (v string, err error) {
	err = e.conn.QueryRowContext(ctx, "SELECT version()").Scan(&v)
	return v, err
}

func (e *scratch) close() {
	if e.conn != nil {
		_ = e.conn.Close()
	}
	_ = e.db.Close()
}
