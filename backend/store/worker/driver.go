package worker

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Connector opens a database of DuckDB in a process, for sql.OpenDB. What its name says is as of duckdb.NewConnector. Closing
// the sql.DB closes the database; when the process ends, so has the database.
//
// Connections take no arguments and no transactions. Errors of DuckDB are *duckdb.Error as in this process; others are
// ErrTooLarge, *ErrStopped and those of the context.
type Connector struct {
	p      *Process
	handle int64
}

// Open opens a database in the process.
func (p *Process) Open(ctx context.Context, name string) (*Connector, error) {
	handle, err := p.ask(ctx, request{Op: opOpen, Text: name})
	if err != nil {
		return nil, err
	}
	return &Connector{p, handle}, nil
}

// ask makes a call without progress or rows, and gives its handle.
func (p *Process) ask(ctx context.Context, r request) (int64, error) {
	c, err := p.call(r)
	if err != nil {
		return 0, err
	}
	defer c.forget()
	answer, err := c.answer(ctx, nil)
	return answer.Handle, err
}

// tell makes a call whose answer nobody waits for.
func (p *Process) tell(r request) error {
	c, err := p.call(r)
	if err == nil {
		c.forget()
	}
	var gone *ErrStopped
	if errors.As(err, &gone) {
		return nil // and everything that it held with it
	}
	return err
}

// Connect is driver.Connector.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	handle, err := c.p.ask(ctx, request{Op: opConnect, On: c.handle})
	if err != nil {
		return nil, err
	}
	return &conn{c.p, handle}, nil
}

// Driver is driver.Connector. Databases are opened by Process.Open alone.
func (c *Connector) Driver() driver.Driver { return noDriver{} }

// Close closes the database.
func (c *Connector) Close() error { return c.p.tell(request{Op: opClose, On: c.handle}) }

type noDriver struct{}

func (noDriver) Open(string) (driver.Conn, error) {
	return nil, errors.New("a worker's databases are opened by Process.Open")
}

// conn is a connection in the child.
type conn struct {
	p      *Process
	handle int64
}

var (
	_ driver.ExecerContext  = (*conn)(nil)
	_ driver.QueryerContext = (*conn)(nil)
)

var errOnlyText = errors.New("a worker's connections take statements without arguments and transactions")

func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errOnlyText }
func (c *conn) Begin() (driver.Tx, error)           { return nil, errOnlyText }
func (c *conn) Close() error                        { return c.p.tell(request{Op: opFree, On: c.handle}) }

func (c *conn) ExecContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) > 0 {
		return nil, errOnlyText
	}
	_, err := c.p.ask(ctx, request{Op: opExec, On: c.handle, Text: statement})
	return driver.ResultNoRows, err
}

func (c *conn) QueryContext(ctx context.Context, statement string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) > 0 {
		return nil, errOnlyText
	}
	call, err := c.p.call(request{Op: opQuery, On: c.handle, Text: statement})
	if err != nil {
		return nil, err
	}
	call.say(kindNext) // the first rows come with the columns
	answer, err := call.answer(ctx, nil)
	if err != nil {
		call.forget()
		return nil, err
	}
	carriers, schema := carriersOf(answer.Columns, nil)
	return &rows{ctx: ctx, call: call, columns: answer.Columns, carriers: carriers, schema: schema, due: true, room: c.p.opt.Output}, nil
}

// rows are the rows of a result, of which one batch at a time is here.
type rows struct {
	ctx      context.Context // of the query: the driver's Next has none
	call     *pending
	columns  []column
	carriers []carrier
	schema   *arrow.Schema
	batch    arrow.RecordBatch // nil: none is here
	row      int               // the next one of batch
	due      bool              // a batch was asked for
	over     bool              // the last batch is here
	room     int64             // bytes that may still come
}

var _ driver.RowsColumnTypeDatabaseTypeName = (*rows)(nil)

func (r *rows) Columns() []string {
	names := make([]string, len(r.columns))
	for i, c := range r.columns {
		names[i] = c.Name
	}
	return names
}

func (r *rows) ColumnTypeDatabaseTypeName(i int) string { return r.columns[i].Type }

func (r *rows) Next(into []driver.Value) error {
	for r.batch == nil || r.row == int(r.batch.NumRows()) {
		if err := r.fetch(); err != nil {
			return err
		}
	}
	for i := range into {
		a := r.batch.Column(i)
		if a.IsNull(r.row) {
			into[i] = nil
			continue
		}
		v, err := r.carriers[i].value(a, r.row)
		if err != nil {
			return fmt.Errorf("column %s: %w", r.columns[i].Name, err)
		}
		into[i] = v
	}
	r.row++
	return nil
}

// fetch gets the next batch; io.EOF: there is none.
func (r *rows) fetch() error {
	r.release()
	if !r.due {
		r.call.say(kindNext)
	}
	m, err := r.call.wait(r.ctx)
	if err != nil {
		return err
	}
	r.due = false
	switch m.kind {
	case kindReply:
		r.over = true
		if _, err := readReply(m.body); err != nil {
			return err
		}
		return io.EOF
	case kindBatch:
		if r.room -= int64(len(m.body)); r.room < 0 {
			return ErrTooLarge
		}
		r.batch, err = decode(m.body, r.schema)
		r.row = 0
		return err
	default:
		return fmt.Errorf("message of kind %q where rows were due", m.kind)
	}
}

func (r *rows) release() {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
}

// Close tells the child that no more rows are wanted.
func (r *rows) Close() error {
	r.release()
	if !r.over {
		r.over = true
		r.call.say(kindDone)
	}
	r.call.forget()
	return nil
}
