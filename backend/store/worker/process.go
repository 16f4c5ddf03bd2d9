package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Command is the first argument of a program that is to be a worker; the second one is the role.
const Command = "worker"

// Options of Start. The zero values are the defaults named.
type Options struct {
	Program []string      // what starts a worker (this program); "worker" and the role are added
	Role    string        // what the process is called where processes are listed; required
	Memory  int64         // bytes that it may take beyond those that it begins with (no limit)
	Writes  []string      // the only folders in which it may write; none: it may write nowhere
	Grace   time.Duration // how long a canceled call may take to end before the process is killed (1.5 s)
	Output  int64         // bytes of one result that are handed over (64 MiB)
}

func (o Options) withDefaults() (Options, error) {
	if len(o.Program) == 0 {
		self, err := executable()
		if err != nil {
			return o, err
		}
		o.Program = []string{self}
	}
	if o.Grace == 0 {
		o.Grace = 1500 * time.Millisecond
	}
	if o.Output == 0 {
		o.Output = 64 << 20
	}
	return o, nil
}

// Why a process ended, as Stopped tells it.
const (
	StoppedByUs     = "closed"   // it was not needed any more
	StoppedDeadline = "deadline" // a canceled call did not end
	StoppedMemory   = "memory"   // it took more memory than it may
	StoppedItself   = "crash"    // it was killed from outside, or broke
)

// ErrStopped is what a call gives whose process ended before it was answered.
type ErrStopped struct {
	Role, Why string
	Detail    string // what it said last, for a log
}

func (e *ErrStopped) Error() string {
	return fmt.Sprintf("worker %s ended (%s) %s", e.Role, e.Why, e.Detail)
}

// Process is a child that runs. Its methods may be called from any goroutine.
type Process struct {
	opt  Options
	cmd  *exec.Cmd
	pipe *pipe
	ends []*os.File // our ends of the pipes
	said tail       // what it wrote to its standard streams

	ended chan struct{} // closed when it is gone, after stopped is set

	mu      sync.Mutex // guards what follows
	last    int64
	waiting map[int64]chan message
	why     string // it was killed for this; empty: it was not
	stopped *ErrStopped
}

// message is what a waiting call gets.
type message struct {
	kind byte
	body []byte
}

// Start starts a child. It does not wait until it is ready: the first call does.
func Start(opt Options) (*Process, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	if os.Getenv(settingsVar) != "" {
		return nil, errors.New("a worker starts no workers") // else a program that does not know the command would start itself for ever
	}
	p := &Process{opt: opt, ended: make(chan struct{}), waiting: map[int64]chan message{}}
	if err := p.spawn(); err != nil {
		return nil, err
	}
	go p.listen()
	go p.watch()
	return p, nil
}

// spawn starts the program with one pipe to it and one from it.
func (p *Process) spawn() error {
	toChild, toChildOurs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer toChild.Close()
	fromChildOurs, fromChild, err := os.Pipe()
	if err != nil {
		toChildOurs.Close()
		return err
	}
	defer fromChild.Close()
	raw, err := json.Marshal(settings{Memory: p.opt.Memory, Writes: p.opt.Writes})
	if err != nil {
		return err
	}
	p.cmd = exec.Command(p.opt.Program[0], append(p.opt.Program[1:len(p.opt.Program):len(p.opt.Program)], Command, p.opt.Role)...)
	p.cmd.Env = append(environment(), settingsVar+"="+string(raw))
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	hand(p.cmd, toChild, fromChild)
	if err := startConfined(p.cmd, p.opt.Writes); err != nil {
		toChildOurs.Close()
		fromChildOurs.Close()
		return err
	}
	p.ends = []*os.File{toChildOurs, fromChildOurs}
	p.pipe = newPipe(fromChildOurs, toChildOurs)
	return nil
}

// environment is all that a child sees of ours: nothing in it is a secret.
func environment() []string {
	var kept []string
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot", "GOMEMLIMIT", "GOCOVERDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			kept = append(kept, name+"="+v)
		}
	}
	return append(kept, "TZ=UTC", "LC_ALL=C")
}

// listen hands what the child says to the calls that wait for it, until the child is gone.
func (p *Process) listen() {
	for {
		kind, id, body, err := p.pipe.read()
		if err != nil {
			break
		}
		p.mu.Lock()
		to := p.waiting[id]
		p.mu.Unlock()
		if to != nil {
			to <- message{kind, body} // never more than it has room for: see call
		}
	}
	_ = p.cmd.Process.Kill() // it may have closed its pipe and gone on
	state := p.cmd.Wait()
	for _, end := range p.ends {
		_ = end.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.said.String()
	why := p.why
	if why == "" {
		why = StoppedItself
		if outOfMemory(said) {
			why = StoppedMemory
		}
	}
	p.stopped = &ErrStopped{Role: p.opt.Role, Why: why, Detail: strings.TrimSpace(fmt.Sprint(state) + "\n" + said)}
	close(p.ended)
}

// outOfMemory says whether the last words of a process are that it got no memory: from the system, for Go or for C++.
func outOfMemory(said string) bool {
	for _, words := range []string{"out of memory", "cannot allocate memory", "bad_alloc", "failed to create new OS thread"} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// Ended is closed when the process is gone.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Alive says whether the process runs and nobody has killed it.
func (p *Process) Alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why == "" && p.stopped == nil
}

// PID is the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Close ends the process and waits for that.
func (p *Process) Close() {
	p.kill(StoppedByUs)
	<-p.ended
}

func (p *Process) kill(why string) {
	p.mu.Lock()
	if p.why == "" && p.stopped == nil {
		p.why = why
	}
	p.mu.Unlock()
	_ = p.cmd.Process.Kill()
}

// Do runs an operation of the child's own. progress gets what it tells meanwhile, on this goroutine; it may be nil.
func (p *Process) Do(ctx context.Context, operation string, args any, progress func(json.RawMessage)) (json.RawMessage, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	c, err := p.call(request{Op: operation, Args: raw})
	if err != nil {
		return nil, err
	}
	defer c.forget()
	answer, err := c.answer(ctx, progress)
	return answer.Result, err
}

// pending is a call that waits for its messages.
type pending struct {
	p        *Process
	id       int64
	messages chan message
}

// waitingMessages are the messages that a call may have unread. The child sends a batch only when it is asked, and one reply
// after it; progress is the only thing that it sends by itself, and an operation's caller does nothing but read it.
const waitingMessages = 64

func (p *Process) call(r request) (*pending, error) {
	p.mu.Lock()
	if p.stopped != nil {
		p.mu.Unlock()
		return nil, p.stopped
	}
	p.last++
	c := &pending{p, p.last, make(chan message, waitingMessages)}
	p.waiting[c.id] = c.messages
	p.mu.Unlock()
	if err := p.pipe.writeJSON(kindCall, c.id, r); err != nil {
		c.forget()
		if errors.Is(err, ErrTooLarge) {
			return nil, err
		}
		_ = p.cmd.Process.Kill() // it does not listen: it is gone, or as good as
		<-p.ended
		return nil, p.stopped
	}
	return c, nil
}

// say sends a message about a call; when that fails, the process is gone, which waiting tells.
func (c *pending) say(kind byte) { _ = c.p.pipe.write(kind, c.id, nil) }

// forget ends waiting. What still comes for the call is thrown away.
func (c *pending) forget() {
	c.p.mu.Lock()
	delete(c.p.waiting, c.id)
	c.p.mu.Unlock()
	for {
		select {
		case <-c.messages:
		default:
			return
		}
	}
}

// answer waits for the reply of a call.
func (c *pending) answer(ctx context.Context, progress func(json.RawMessage)) (reply, error) {
	for {
		m, err := c.wait(ctx)
		if err != nil {
			return reply{}, err
		}
		switch m.kind {
		case kindProgress:
			if progress != nil {
				progress(m.body)
			}
		case kindReply:
			return readReply(m.body)
		default:
			return reply{}, fmt.Errorf("message of kind %q where a reply was due", m.kind)
		}
	}
}

func readReply(body []byte) (r reply, err error) {
	if err := json.Unmarshal(body, &r); err != nil {
		return r, err
	}
	if r.Failure != nil {
		return r, r.Failure.err()
	}
	return r, nil
}

// wait gives the next message of a call. When the context ends first the child is told, and when the call does not end
// soon after that, the child is killed: there are statements that no interrupt reaches.
func (c *pending) wait(ctx context.Context) (message, error) {
	select {
	case m := <-c.messages:
		return m, nil
	case <-c.p.ended:
		return message{}, c.p.stopped
	case <-ctx.Done():
	}
	c.say(kindCancel)
	grace := time.NewTimer(c.p.opt.Grace)
	defer grace.Stop()
	for {
		select {
		case m := <-c.messages:
			if m.kind == kindReply {
				return message{}, ctx.Err()
			}
		case <-c.p.ended:
			return message{}, ctx.Err()
		case <-grace.C:
			c.p.kill(StoppedDeadline)
		}
	}
}

// watchEvery is how often a process is asked how much memory it has.
const watchEvery = 100 * time.Millisecond

// watch kills a process that takes more memory than it may. It is the second line: where the system keeps the limit, taking
// more fails in the child.
func (p *Process) watch() {
	if p.opt.Memory == 0 {
		return
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return
		case <-tick.C:
			p.mu.Lock()
			idle := len(p.waiting) == 0
			p.mu.Unlock()
			if !idle && resident(p.PID()) > p.opt.Memory+baseMemory {
				p.kill(StoppedMemory)
			}
		}
	}
}

// baseMemory is more than a child takes before it has done anything, in bytes.
const baseMemory = 256 << 20

// tail keeps the last bytes that were written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

const tailBytes = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, b[max(0, len(b)-tailBytes):]...)
	t.last = t.last[max(0, len(t.last)-tailBytes):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.ToValidUTF8(t.last, []byte("?")))
}
