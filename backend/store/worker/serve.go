package worker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/duckdb/duckdb-go/v2"
)

// Handlers are what a child does beside running SQL.
type Handlers struct {
	// Render makes text, a number or a truth value of a value that has no exact type in Arrow: a list, a structure.
	Render func(v any, engineType string) any
	// Operations are asked for by name, with arguments and a result in JSON. What progress is given reaches the caller while the
	// operation runs.
	Operations map[string]Operation
}

// Operation does something with arguments in JSON, and gives what can be written as JSON.
type Operation func(ctx context.Context, args json.RawMessage, progress func(any)) (result any, err error)

// Asked says whether a command line, without the name of the program, asks this process to be a worker, and in which role.
func Asked(args []string) (role string, asked bool) {
	if len(args) != 2 || args[0] != Command || os.Getenv(settingsVar) == "" {
		return "", false
	}
	return args[1], true
}

// Serve is the whole life of a child: it gives up what it will not need, answers calls until its parent goes, and gives the
// exit status.
func Serve(h Handlers) int {
	in, out, err := settle()
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	s := &server{
		pipe: newPipe(in, out), handlers: h,
		databases: map[int64]*sql.DB{}, connections: map[int64]*sql.Conn{}, calls: map[int64]*call{},
	}
	if err := s.serve(); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	return 0 // the system takes back what calls still have: they have nobody to answer to
}

// server is the child's side of the pipe.
type server struct {
	pipe     *pipe
	handlers Handlers

	mu          sync.Mutex // guards what follows
	last        int64      // handle that was given
	databases   map[int64]*sql.DB
	connections map[int64]*sql.Conn
	calls       map[int64]*call // that run
}

// call is one call that runs, until its reply or the last of its rows.
type call struct {
	cancel context.CancelFunc
	next   chan struct{} // another batch is wanted
	done   chan struct{} // closed: no more rows are wanted
}

func (s *server) serve() error {
	for {
		kind, id, body, err := s.pipe.read()
		if err != nil {
			return err
		}
		if kind == kindCall {
			var r request
			if err := json.Unmarshal(body, &r); err != nil {
				return err
			}
			s.begin(id, r)
			continue
		}
		s.mu.Lock()
		c := s.calls[id]
		s.mu.Unlock()
		if c == nil { // it ended meanwhile
			continue
		}
		switch kind {
		case kindCancel:
			c.cancel()
		case kindNext:
			c.next <- struct{}{}
		case kindDone:
			close(c.done)
		default:
			return fmt.Errorf("message of kind %q", kind)
		}
	}
}

// begin runs a call beside the others.
func (s *server) begin(id int64, r request) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &call{cancel: cancel, next: make(chan struct{}, 1), done: make(chan struct{})}
	s.mu.Lock()
	s.calls[id] = c
	s.mu.Unlock()
	go func() {
		defer func() {
			s.mu.Lock()
			delete(s.calls, id)
			s.mu.Unlock()
			cancel()
		}()
		if r.Op == opQuery {
			s.query(ctx, id, c, r)
			return
		}
		answer, err := s.do(ctx, id, r)
		if err != nil {
			answer.Failure = failureOf(err)
		}
		_ = s.pipe.writeJSON(kindReply, id, answer) // when it fails, reading fails too
	}()
}

// The operations that every child knows.
const (
	opOpen    = "open"
	opClose   = "close"
	opConnect = "connect"
	opFree    = "free"
	opExec    = "exec"
	opQuery   = "query"
)

func (s *server) do(ctx context.Context, id int64, r request) (reply, error) {
	switch r.Op {
	case opOpen:
		connector, err := duckdb.NewConnector(r.Text, nil)
		if err != nil {
			return reply{}, err
		}
		db := sql.OpenDB(connector)
		db.SetMaxIdleConns(0) // temporary objects of one connection are never seen by the next
		return reply{Handle: keep(s, s.databases, db)}, nil
	case opClose:
		if db := forget(s, s.databases, r.On); db != nil {
			return reply{}, db.Close()
		}
		return reply{}, nil
	case opConnect:
		db, err := held(s, s.databases, r.On)
		if err != nil {
			return reply{}, err
		}
		conn, err := db.Conn(ctx)
		if err != nil {
			return reply{}, err
		}
		return reply{Handle: keep(s, s.connections, conn)}, nil
	case opFree:
		if conn := forget(s, s.connections, r.On); conn != nil {
			return reply{}, conn.Close()
		}
		return reply{}, nil
	case opExec:
		conn, err := held(s, s.connections, r.On)
		if err != nil {
			return reply{}, err
		}
		_, err = conn.ExecContext(ctx, r.Text)
		return reply{}, err
	}
	operation, ok := s.handlers.Operations[r.Op]
	if !ok {
		return reply{}, fmt.Errorf("no operation %q", r.Op)
	}
	result, err := operation(ctx, r.Args, func(p any) { _ = s.pipe.writeJSON(kindProgress, id, p) })
	if err != nil {
		return reply{}, err
	}
	raw, err := json.Marshal(result)
	return reply{Result: raw}, err
}

// query answers with the columns of a result, and then with a batch of rows each time that one is asked for.
func (s *server) query(ctx context.Context, id int64, c *call, r request) {
	fail := func(err error) { _ = s.pipe.writeJSON(kindReply, id, reply{Failure: failureOf(err)}) }
	conn, err := held(s, s.connections, r.On)
	if err != nil {
		fail(err)
		return
	}
	rows, err := conn.QueryContext(ctx, r.Text)
	if err != nil {
		fail(err)
		return
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	types, err := rows.ColumnTypes()
	if err != nil {
		fail(err)
		return
	}
	columns := columnsOf(types)
	if err := s.pipe.writeJSON(kindReply, id, reply{Columns: columns, More: true}); err != nil {
		return
	}
	enc := newEncoder(columns, s.handlers.Render)
	cells, into := make([]any, len(types)), make([]any, len(types))
	for i := range cells {
		into[i] = &cells[i]
	}
	for more := true; more; {
		select {
		case <-c.next:
		case <-c.done:
			return
		case <-ctx.Done():
			return
		}
		var raw []byte
		if raw, more, err = nextBatch(enc, rows, cells, into); err == nil {
			err = s.pipe.write(kindBatch, id, raw)
		}
		if err != nil {
			fail(err)
			return
		}
	}
	_ = s.pipe.writeJSON(kindReply, id, reply{})
}

func columnsOf(types []*sql.ColumnType) []column {
	columns := make([]column, len(types))
	for i, t := range types {
		columns[i] = column{t.Name(), t.DatabaseTypeName()}
	}
	return columns
}

// nextBatch reads rows until a batch is full, and says whether there may be more.
func nextBatch(enc *encoder, rows *sql.Rows, cells, into []any) (raw []byte, more bool, err error) {
	for enc.rows < batchRows && enc.size() < batchBytes {
		if !rows.Next() {
			if err := rows.Err(); err != nil {
				return nil, false, err
			}
			raw, err = enc.batch()
			return raw, false, err
		}
		if err := rows.Scan(into...); err != nil {
			return nil, false, err
		}
		if err := enc.add(cells); err != nil {
			return nil, false, err
		}
	}
	raw, err = enc.batch()
	return raw, true, err
}

// keep gives a database or a connection a handle.
func keep[T any](s *server, in map[int64]T, x T) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	in[s.last] = x
	return s.last
}

// held gives what a handle stands for.
func held[T any](s *server, in map[int64]T, handle int64) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := in[handle]
	if !ok {
		return x, fmt.Errorf("nothing has the handle %d", handle)
	}
	return x, nil
}

// forget takes back a handle, and gives what it stood for; nil: nothing.
func forget[T any](s *server, in map[int64]*T, handle int64) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := in[handle]
	delete(in, handle)
	return x
}
