package store

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// progressEvery is how often the engine is asked how far a load is.
const progressEvery = 100 * time.Millisecond

// execWatched runs a statement and reports meanwhile how far the engine is with it, in bytes of the file. The goroutine
// that asks has ended when execWatched returns.
func (l *loader) execWatched(ctx context.Context, statement string) error {
	l.report(Progress{Stage: stageLoad, File: l.in.file, BytesTotal: l.in.size})
	connection, ok := l.connection()
	if !ok {
		return l.exec(ctx, statement)
	}
	var asking sync.WaitGroup
	done := make(chan struct{})
	asking.Add(1)
	go func() {
		defer asking.Done()
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				p := mapping.QueryProgress(connection)
				if percent, rows, _ := mapping.QueryProgressTypeMembers(&p); percent >= 0 {
					l.report(Progress{
						Stage: stageLoad, File: l.in.file, BytesTotal: l.in.size, Rows: int64(rows),
						BytesDone: int64(percent / 100 * float64(l.in.size)),
					})
				}
			}
		}
	}()
	err := l.exec(ctx, statement)
	close(done)
	asking.Wait()
	return err
}

// connection finds the C connection behind the driver's, which offers no progress of its own. Where the driver keeps it
// under another name there is no progress and nothing else changes.
func (l *loader) connection() (c mapping.Connection, ok bool) {
	_ = l.conn.Raw(func(driverConn any) error {
		v := reflect.ValueOf(driverConn)
		if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
			return nil
		}
		field := v.Elem().FieldByName("conn")
		if !field.IsValid() || field.Type() != reflect.TypeFor[mapping.Connection]() {
			return nil
		}
		pointer := field.FieldByName("Ptr")
		if !pointer.IsValid() || pointer.Kind() != reflect.UnsafePointer {
			return nil
		}
		c.Ptr, ok = pointer.UnsafePointer(), true
		return nil
	})
	return c, ok
}
