package llmtest

import (
	"sync"
	"time"

	"assay/backend/llm"
)

// Reply is what a scripted mind says to one request, or how it fails to.
type Reply struct {
	Text     string
	Pieces   []string // Text as it is streamed; nil: words
	Calls    []llm.Call
	Stop     llm.Stop  // empty: StopTools with calls, otherwise StopEnd
	Usage    llm.Usage // zero: counted from the bytes
	LogProbs []llm.LogProb

	Trouble llm.Trouble   // the provider refuses: wrong key, no credit, unknown model, too long, too often, overloaded, not used
	After   time.Duration // that it asks to wait, in whole seconds
	Fault   Fault         // the wire breaks
	Cut     int           // with FaultCut: bytes of the body that come; 0: half of them
	Begun   func()        // called when the first bytes of a reply are about to be sent
	Reached func()        // called when a reply that hangs or drips has come to where it does
}

// Fault is what can be wrong with a reply on a wire.
type Fault string

// The faults.
const (
	FaultCut     Fault = "cut"     // the connection ends, in the middle of whatever it is
	FaultShort   Fault = "short"   // the stream ends properly, and the reply is not whole
	FaultGarbage Fault = "garbage" // a piece is no JSON
	FaultType    Fault = "type"    // a piece is JSON of the wrong types
	FaultPage    Fault = "page"    // a web page comes instead, with status 200
	FaultHuge    Fault = "huge"    // it never ends
	FaultDeaf    Fault = "deaf"    // nothing comes at all, until the request is given up
	FaultHang    Fault = "hang"    // it begins, and nothing more comes until the request is given up
	FaultDrip    Fault = "drip"    // a byte now and then, until the request is given up
	FaultLate    Fault = "late"    // the provider fails in the middle of its reply, and says so
)

// Script answers requests, one after the other. It may be called by several at once.
type Script func(r llm.Request) Reply

// Say is a script of a list: each request gets the next reply, and those after the last one fail with a page that is no reply.
func Say(replies ...Reply) Script {
	var mu sync.Mutex
	next := 0
	return func(llm.Request) Reply {
		mu.Lock()
		defer mu.Unlock()
		if next >= len(replies) {
			return Reply{Fault: FaultPage, Text: "the script has no more replies"}
		}
		next++
		return replies[next-1]
	}
}

// Always is a script that says the same to everybody.
func Always(r Reply) Script { return func(llm.Request) Reply { return r } }

// Text is a reply of words.
func Text(words string) Reply { return Reply{Text: words} }

// Call is a reply that wishes for one tool; arguments are JSON, or are meant to be none.
func Call(name, arguments string) Reply {
	return Calls(llm.Call{Name: name, Arguments: []byte(arguments)})
}

// Calls is a reply that wishes for tools. Calls without an id get one: call_1, call_2.
func Calls(calls ...llm.Call) Reply { return Reply{Calls: calls} }

// pieces gives the text in the parts in which it is streamed: words with the space before them.
func (r Reply) pieces() []string {
	if r.Pieces != nil {
		return r.Pieces
	}
	var all []string
	start := 0
	for i := 1; i < len(r.Text); i++ {
		if r.Text[i] == ' ' {
			all, start = append(all, r.Text[start:i]), i
		}
	}
	if r.Text != "" {
		all = append(all, r.Text[start:])
	}
	return all
}

func (r Reply) stop() llm.Stop {
	switch {
	case r.Stop != "":
		return r.Stop
	case len(r.Calls) > 0:
		return llm.StopTools
	}
	return llm.StopEnd
}

// usage counts what the reply does not say: a token for every four bytes.
func (r Reply) usage(q llm.Request) llm.Usage {
	if r.Usage != (llm.Usage{}) {
		return r.Usage
	}
	u := llm.Usage{Input: llm.Estimate(q), Output: llm.EstimateText(r.Text)}
	for _, c := range r.Calls {
		u.Output += llm.EstimateText(c.Name) + llm.EstimateText(string(c.Arguments))
	}
	u.Output = max(u.Output, 1)
	return u
}

// trouble says how the reply fails for whoever hears of no wire.
func (r Reply) trouble() llm.Trouble {
	switch r.Fault {
	case FaultCut, FaultShort:
		return llm.Broken
	case FaultGarbage, FaultType, FaultPage:
		return llm.Malformed
	case FaultHuge:
		return llm.TooLarge
	case FaultLate:
		return llm.Overloaded
	case FaultDeaf, FaultHang, FaultDrip:
		return ""
	}
	return r.Trouble
}
