// Package values keeps which values a column has, for whoever must choose among them: parameters of golden queries, and the
// page. Its lists are exact or they are not given, and nobody ever waits for one.
package values

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Column names a column of a table, as the sources know them.
type Column struct{ Table, Name string }

// Load reads up to most different values of a column from its source. more says that there are further ones.
type Load func(ctx context.Context, c Column, most int) (values []string, more bool, err error)

// Options of a provider. The zero values are the defaults named.
type Options struct {
	Load Load             // required
	Find Find             // looks for values of a column that has no exact list; nil: nobody does
	Now  func() time.Time // the clock by which lists grow old; required
	TTL  time.Duration    // how long a list is fresh (10 minutes)
	Most int              // values of a column that is listed (500)
	Wait time.Duration    // how long reading one column may take (10 s)
	Warn *slog.Logger     // hears of columns that cannot be listed (the default logger)
}

// State says what a list is worth.
type State string

// The states of a list.
const (
	Fresh   State = "fresh"   // as the source had it within the TTL
	Stale   State = "stale"   // older; it is being read again
	Loading State = "loading" // never read before; it is being read now
	Capped  State = "capped"  // the column has more values than are listed: there is no exact list
	Failed  State = "failed"  // the source could not be reached, and nothing is known from before; the next request tries again
)

// List is what is known of a column's values.
type List struct {
	State  State
	Values []string  // sorted; empty unless the state is fresh or stale. It must not be changed
	Loaded time.Time // zero: never
}

// Exact says whether the list holds every value of the column, as far as is known.
func (l List) Exact() bool { return l.State == Fresh || l.State == Stale }

// AllowedValuesProvider caches the different values of columns. It answers from memory at once, and reads a column in the
// background when it is asked for one that is not there or has grown old. It is safe for concurrent use and needs Close.
type AllowedValuesProvider struct {
	opt     Options
	ctx     context.Context
	cancel  context.CancelFunc
	readers sync.WaitGroup

	mu      sync.Mutex
	columns map[Column]*entry
	probed  map[probe]answer
	data    int // counts what was forgotten: an answer about the data of before is not kept
}

// entry is one column in the cache.
type entry struct {
	values  []string
	more    bool
	loaded  time.Time     // of values; zero: never
	failed  bool          // the last reading
	reading chan struct{} // closed when the reading that runs has ended; nil: none runs
}

// New builds a provider. It does no I/O.
func New(o Options) *AllowedValuesProvider {
	o.TTL, o.Most, o.Wait = cmp.Or(o.TTL, 10*time.Minute), cmp.Or(o.Most, 500), cmp.Or(o.Wait, 10*time.Second)
	if o.Warn == nil {
		o.Warn = slog.Default()
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &AllowedValuesProvider{opt: o, ctx: ctx, cancel: cancel, columns: map[Column]*entry{}, probed: map[probe]answer{}}
}

// Close ends what is being read and waits for that.
func (p *AllowedValuesProvider) Close() {
	p.cancel()
	p.readers.Wait()
}

// Warm begins to read columns that nothing is known of.
func (p *AllowedValuesProvider) Warm(columns []Column) {
	for _, c := range columns {
		p.Values(c)
	}
}

// Forget drops every list: the data is another one.
func (p *AllowedValuesProvider) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.columns, p.probed = map[Column]*entry{}, map[probe]answer{}
	p.data++
}

// Values gives what is known of a column now. It never waits: what is missing or old is read meanwhile, for whoever asks
// next.
func (p *AllowedValuesProvider) Values(c Column) List {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.columns[c]
	if e == nil {
		e = &entry{}
		p.columns[c] = e
	}
	old := p.old(e)
	list := e.list(old)
	if (old || e.failed) && e.reading == nil && p.ctx.Err() == nil {
		e.reading = make(chan struct{})
		p.readers.Add(1)
		go p.read(c, e)
	}
	return list
}

// old says whether a column has to be read again.
func (p *AllowedValuesProvider) old(e *entry) bool {
	return e.loaded.IsZero() || p.opt.Now().Sub(e.loaded) >= p.opt.TTL
}

// Await is Values for somebody who has the time: it waits for a first list as long as ctx allows.
func (p *AllowedValuesProvider) Await(ctx context.Context, c Column) List {
	list := p.Values(c)
	if list.State != Loading {
		return list
	}
	p.mu.Lock()
	var reading chan struct{}
	if e := p.columns[c]; e != nil {
		reading = e.reading
	}
	p.mu.Unlock()
	if reading != nil {
		select {
		case <-reading:
		case <-ctx.Done():
			return list
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.columns[c]; e != nil {
		return e.list(false)
	}
	return list
}

// list says what an entry is worth.
func (e *entry) list(old bool) List {
	switch {
	case e.loaded.IsZero() && e.failed:
		return List{State: Failed}
	case e.loaded.IsZero():
		return List{State: Loading}
	case e.more:
		return List{State: Capped, Loaded: e.loaded}
	case old || e.failed:
		return List{State: Stale, Values: e.values, Loaded: e.loaded}
	default:
		return List{State: Fresh, Values: e.values, Loaded: e.loaded}
	}
}

// read reads one column from its source. A source that fails leaves the list of before.
func (p *AllowedValuesProvider) read(c Column, e *entry) {
	defer p.readers.Done()
	ctx, cancel := context.WithTimeout(p.ctx, p.opt.Wait)
	defer cancel()
	values, more, err := p.opt.Load(ctx, c, p.opt.Most)
	more = more || len(values) > p.opt.Most
	p.mu.Lock()
	defer p.mu.Unlock()
	close(e.reading)
	e.reading = nil
	switch {
	case p.ctx.Err() != nil:
	case err != nil:
		e.failed = true
		p.opt.Warn.Warn("the values of a column could not be read", "table", c.Table, "column", c.Name, "error", err)
	default:
		if more && !e.more {
			p.opt.Warn.Warn("a column has too many values for an exact list", "table", c.Table, "column", c.Name, "most", p.opt.Most)
		}
		if more {
			values = nil
		}
		slices.Sort(values)
		e.values, e.more, e.failed, e.loaded = values, more, false, p.opt.Now()
	}
}
