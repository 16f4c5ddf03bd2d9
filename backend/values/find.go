package values

import (
	"context"
	"strings"
	"time"
)

// Find reads up to most values of a column that begin with a text, whatever their case, from its source.
type Find func(ctx context.Context, c Column, begin string, most int) ([]string, error)

// mostProbes bounds the answers that are kept.
const mostProbes = 1000

type probe struct {
	column Column
	begin  string // in lower case
}

type answer struct {
	values []string
	asked  time.Time
}

// Beginning gives up to most values of a column that begin with a text: the exact list says so, or else the source is asked for
// them, which is far cheaper than reading all values, and its answer is kept as long as a list. It waits as long as ctx allows.
// Nothing is given for what could not be found out.
func (p *AllowedValuesProvider) Beginning(ctx context.Context, c Column, begin string, most int) []string {
	key := probe{c, strings.ToLower(begin)}
	p.mu.Lock()
	if e := p.columns[c]; e != nil && e.list(p.old(e)).Exact() {
		defer p.mu.Unlock()
		return beginning(e.values, key.begin, most)
	}
	a, known := p.probed[key]
	data := p.data
	p.mu.Unlock()
	if known && p.opt.Now().Sub(a.asked) < p.opt.TTL {
		return a.values[:min(len(a.values), most)]
	}
	if p.opt.Find == nil {
		return nil
	}
	found, err := p.opt.Find(ctx, c, begin, most)
	if err != nil {
		if ctx.Err() == nil {
			p.opt.Warn.Warn("a column could not be searched for a value", "table", c.Table, "column", c.Name, "error", err)
		}
		return nil
	}
	found = beginning(found, key.begin, most)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.data != data {
		return found
	}
	if len(p.probed) >= mostProbes {
		clear(p.probed)
	}
	p.probed[key] = answer{found, p.opt.Now()}
	return found
}

func beginning(values []string, begin string, most int) []string {
	var out []string
	for _, v := range values {
		if len(out) < most && strings.HasPrefix(strings.ToLower(v), begin) {
			out = append(out, v)
		}
	}
	return out
}
