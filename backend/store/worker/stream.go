package worker

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
)

// Stream runs a query on a connection, of Process.Open or of DuckDB's own driver, and writes its rows as one Arrow IPC stream.
// Integers travel as int64 or uint64, those of more bits as text, decimals as decimal128 with their scale: no digit is lost.
// From a process the batches are passed on as they come, without being read here.
//
// Errors are those of a query through database/sql, ErrTooLarge beyond Options.Output among them, and those of out.
func Stream(ctx context.Context, on *sql.Conn, query string, render func(v any, engineType string) any, out io.Writer) error {
	s := &splice{out: out}
	passed := false
	err := on.Raw(func(driven any) error {
		c, ours := driven.(*conn)
		if !ours {
			return nil
		}
		passed = true
		return c.stream(ctx, query, s)
	})
	if err == nil && !passed {
		err = encodeQuery(ctx, on, query, render, s)
	}
	if err != nil {
		return err
	}
	return s.end()
}

// stream is QueryContext for batches that nobody reads here.
func (c *conn) stream(ctx context.Context, query string, s *splice) error {
	call, err := c.p.call(request{Op: opQuery, On: c.handle, Text: query})
	if err != nil {
		return err
	}
	over := false
	defer func() {
		if !over {
			call.say(kindDone)
		}
		call.forget()
	}()
	call.say(kindNext)
	if _, err := call.answer(ctx, nil); err != nil {
		over = true
		return err
	}
	room := c.p.opt.Output
	for {
		m, err := call.wait(ctx)
		if err != nil {
			return err
		}
		switch m.kind {
		case kindReply:
			over = true
			_, err := readReply(m.body)
			return err
		case kindBatch:
			if room -= int64(len(m.body)); room < 0 {
				return ErrTooLarge
			}
			if err := s.add(m.body); err != nil {
				return err
			}
			call.say(kindNext)
		default:
			return fmt.Errorf("message of kind %q where rows were due", m.kind)
		}
	}
}

// encodeQuery does in this process what a child does for stream.
func encodeQuery(ctx context.Context, on *sql.Conn, query string, render func(v any, engineType string) any, s *splice) error {
	rows, err := on.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // nextBatch has told
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	enc := newEncoder(columnsOf(types), render)
	cells, into := make([]any, len(types)), make([]any, len(types))
	for i := range cells {
		into[i] = &cells[i]
	}
	for more := true; more; {
		var raw []byte
		if raw, more, err = nextBatch(enc, rows, cells, into); err != nil {
			return err
		}
		if err := s.add(raw); err != nil {
			return err
		}
	}
	return rows.Err()
}

// splice makes one Arrow stream of several of one schema: it writes the first schema, and of all of them the batches.
//
// A stream is messages, each a mark, the length of its head, and the head; of a schema there is no more. It ends with a mark
// and the length 0.
type splice struct {
	out   io.Writer
	begun bool
}

const (
	messageMark  = 0xFFFFFFFF
	messageFront = 8 // bytes of mark and length
)

var streamEnd = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}

func (s *splice) add(stream []byte) error {
	if len(stream) < 2*messageFront || binary.LittleEndian.Uint32(stream) != messageMark {
		return fmt.Errorf("%d bytes that are no Arrow stream", len(stream))
	}
	schema := messageFront + int(binary.LittleEndian.Uint32(stream[4:]))
	if schema > len(stream)-messageFront {
		return fmt.Errorf("an Arrow stream that ends in its schema")
	}
	from := 0
	if s.begun {
		from = schema
	}
	s.begun = true
	_, err := s.out.Write(stream[from : len(stream)-messageFront])
	return err
}

func (s *splice) end() error {
	_, err := s.out.Write(streamEnd)
	return err
}
