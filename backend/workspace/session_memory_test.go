package workspace

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// memoryPeak measures what taking files in needs, where the system says it: of this process over the spans that are wanted, and of the children that read frames, without
// the program's own pages, which they share with it.
type memoryPeak struct {
	own, child int64 // bytes
	stop       chan struct{}
	stopped    chan struct{}
}

// watchMemory begins. The children are looked at again and again, since they end by themselves: each tells its own peak as long as it lives.
func watchMemory() *memoryPeak {
	p := &memoryPeak{stop: make(chan struct{}), stopped: make(chan struct{})}
	go func() {
		defer close(p.stopped)
		looks := time.NewTicker(2 * time.Millisecond)
		defer looks.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-looks.C:
				for pid, role := range workers() {
					if role == "rows" {
						all, shared := peakOf(pid)
						p.child = max(p.child, all-shared)
					}
				}
			}
		}
	}()
	return p
}

// begin begins a span; anew: what the test itself has left behind is let go before.
func (p *memoryPeak) begin(anew bool) {
	if anew {
		debug.FreeOSMemory()
	}
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak is counted from now on; where that cannot be said, more is counted
}

// look ends a span.
func (p *memoryPeak) look() {
	all, _ := peakOf("self")
	p.own = max(p.own, all)
}

// end gives both peaks; 0: not known.
func (p *memoryPeak) end() (own, child int64) {
	close(p.stop)
	<-p.stopped
	return p.own, p.child
}

// peakOf is how many bytes of a process were resident at most, and how many of those are pages of files; 0: not known.
func peakOf(pid string) (all, shared int64) {
	raw, _ := os.ReadFile("/proc/" + pid + "/status") // it may have ended
	size := func(field string) int64 {
		_, rest, _ := strings.Cut(string(raw), field)
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			return 0
		}
		kilobytes, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			return 0
		}
		return kilobytes << 10
	}
	return size("VmHWM:"), size("RssFile:")
}

// workers are the children of this process that do its work, where the system says it: their roles by their ids.
func workers() map[string]string {
	roles := map[string]string{}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return roles
	}
	for _, list := range lists {
		pids, _ := os.ReadFile(list) // its thread may have ended
		for _, pid := range strings.Fields(string(pids)) {
			line, _ := os.ReadFile("/proc/" + pid + "/cmdline") // it may have ended
			if args := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00"); len(args) > 1 {
				roles[pid] = args[len(args)-1]
			}
		}
	}
	return roles
}
