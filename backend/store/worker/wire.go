package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// A message is its length in four bytes, its kind in one, the number of its call in eight, and a body.
const headBytes = 4 + 1 + 8

// maxMessage is the most that one message may carry, in bytes: a larger one is no message of ours.
const maxMessage = 96 << 20

// writeWait is how long the other side may take to read: it always reads, unless it is stopped.
const writeWait = 5 * time.Second

// The kinds of messages.
const (
	// from the parent
	kindCall   = 'c' // body: request
	kindCancel = 'x' // of the call
	kindNext   = 'n' // another batch of the call's rows
	kindDone   = 'd' // no more of the call's rows
	// from the child
	kindReply    = 'r' // body: reply; the call is over, unless it has rows
	kindBatch    = 'b' // body: an Arrow stream of one batch
	kindProgress = 'p' // body: of the operation
)

// request is a call.
type request struct {
	Op   string          `json:"op"`   // open close connect free exec query, or an operation of Serve's caller
	On   int64           `json:"on"`   // the database or connection that it works on
	Text string          `json:"text"` // the name of a database, or a statement
	Args json.RawMessage `json:"args,omitempty"`
}

// reply is the end of a call, or of a batch of rows.
type reply struct {
	Handle  int64           `json:"handle,omitempty"`  // open, connect: what it is called from now on
	Columns []column        `json:"columns,omitempty"` // query
	More    bool            `json:"more,omitempty"`    // there are rows to ask for
	Result  json.RawMessage `json:"result,omitempty"`  // of an operation of Serve's caller
	Failure *failure        `json:"failure,omitempty"`
}

// column is a column of a result: its name, and its type as DuckDB writes it.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// failure is an error on its way through the pipe.
type failure struct {
	Engine   bool             `json:"engine,omitempty"` // DuckDB's: Type is its class
	Type     duckdb.ErrorType `json:"type,omitempty"`
	TooLarge bool             `json:"too_large,omitempty"`
	Text     string           `json:"text"`
}

func failureOf(err error) *failure {
	var e *duckdb.Error
	if errors.As(err, &e) {
		return &failure{Engine: true, Type: e.Type, Text: e.Msg}
	}
	return &failure{TooLarge: errors.Is(err, ErrTooLarge), Text: err.Error()}
}

func (f *failure) err() error {
	switch {
	case f.Engine:
		return &duckdb.Error{Type: f.Type, Msg: f.Text}
	case f.TooLarge:
		return ErrTooLarge
	default:
		return errors.New(f.Text)
	}
}

// pipe reads and writes messages. Writing is safe for concurrent use, reading belongs to one goroutine.
type pipe struct {
	in  *bufio.Reader
	mu  sync.Mutex
	out io.Writer
}

func newPipe(in io.Reader, out io.Writer) *pipe {
	return &pipe{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

func (p *pipe) write(kind byte, call int64, body []byte) error {
	if len(body) > maxMessage {
		return ErrTooLarge
	}
	message := make([]byte, headBytes, headBytes+len(body))
	binary.LittleEndian.PutUint32(message, uint32(len(body)))
	message[4] = kind
	binary.LittleEndian.PutUint64(message[5:], uint64(call))
	p.mu.Lock()
	defer p.mu.Unlock()
	if d, ok := p.out.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = d.SetWriteDeadline(time.Now().Add(writeWait)) // where that cannot be had, writing waits
	}
	_, err := p.out.Write(append(message, body...))
	return err
}

func (p *pipe) writeJSON(kind byte, call int64, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return p.write(kind, call, raw)
}

func (p *pipe) read() (kind byte, call int64, body []byte, err error) {
	var head [headBytes]byte
	if _, err = io.ReadFull(p.in, head[:]); err != nil {
		return 0, 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxMessage {
		return 0, 0, nil, fmt.Errorf("message of %d bytes", n)
	}
	body = make([]byte, n)
	if _, err = io.ReadFull(p.in, body); err != nil {
		return 0, 0, nil, err
	}
	return head[4], int64(binary.LittleEndian.Uint64(head[5:])), body, nil
}
