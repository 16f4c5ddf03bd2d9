package store

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"sync"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/store/worker"
)

// The children of a store. What a person or a model wrote runs in the first one, and in that for results when all of its rows
// are wanted.
const (
	roleQuery  = "query"  // statements over the sources; it may write nowhere
	roleCache  = "cache"  // statements of our own over the sources and the frames, and the frames' making
	roleImport = "import" // files that a person picked
	roleResult = "result" // statements over the sources whose rows go into a file of the results; it may write there alone
	roleWindow = "window" // statements of our own over those files
)

// host is where databases are opened: in a child of this process, which is started when it is needed first and again when it
// is gone, or in this process itself.
type host struct {
	role   string
	opt    Options
	memory int64    // bytes that the child may take
	writes []string // folders in which it may write

	mu      sync.Mutex // guards what follows
	process *worker.Process
	closed  bool
}

// slack is what a child may take beyond what DuckDB counts, in bytes: its own code's memory, and what is read or written
// around a statement.
const slack = 1 << 30

func newHost(opt Options, role string, engines int64, writes ...string) *host {
	return &host{role: role, opt: opt, memory: engines*sizeOf(opt.MemoryLimit) + slack, writes: writes}
}

// sizeOf reads a size as DuckDB writes it, such as 2GB or 500 MiB; 0: it is none.
func sizeOf(size string) int64 {
	number := strings.TrimRight(size, "KMGTiBbkmgt ")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return 0
	}
	unit := strings.ToUpper(strings.TrimSpace(size[len(number):]))
	base, power := 1000.0, strings.TrimSuffix(unit, "B")
	if p, binary := strings.CutSuffix(power, "I"); binary {
		base, power = 1024, p
	}
	for _, known := range []string{"K", "M", "G", "T"} {
		if power == "" {
			break
		}
		n *= base
		if power == known {
			break
		}
	}
	return int64(n)
}

// child gives the process, running. nil: databases are opened in this process.
func (h *host) child() (*worker.Process, error) {
	if h.opt.InProcess {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, closedFault()
	}
	if h.process != nil && h.process.Alive() {
		return h.process, nil
	}
	p, err := worker.Start(worker.Options{Program: h.opt.Program, Role: h.role, Memory: h.memory, Writes: h.writes})
	h.process = p
	return p, err
}

// open opens a database under a name as of duckdb.NewConnector. The process is the one that it lives in; nil: this one.
func (h *host) open(ctx context.Context, name string) (*sql.DB, *worker.Process, error) {
	p, err := h.child()
	if err != nil {
		return nil, nil, err
	}
	var db *sql.DB
	if p == nil {
		connector, err := duckdb.NewConnector(name, nil)
		if err != nil {
			return nil, nil, err
		}
		db = sql.OpenDB(connector)
	} else {
		connector, err := p.Open(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		db = sql.OpenDB(connector)
	}
	db.SetMaxIdleConns(0) // temporary objects of one statement are never seen by the next
	return db, p, nil
}

// renew ends the process; the next one may write in the folders as they are now.
func (h *host) renew() {
	h.mu.Lock()
	p := h.process
	h.process = nil
	h.mu.Unlock()
	if p != nil {
		p.Close()
	}
}

// close ends the process. Its databases are closed before.
func (h *host) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.renew()
}

// Work is the whole life of a worker, when a command line, without the name of the program, asks for one. Every program that
// opens a store calls it first; status is what that program then exits with.
func Work(args []string) (status int, asked bool) {
	if _, asked := worker.Asked(args); !asked {
		return 0, false
	}
	return worker.Serve(worker.Handlers{Render: cell, Operations: operations}), true
}
