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

	Trouble llm.Trouble   // it fails like that, as the wire would show it
	After   time.Duration // that a rate limit asks to wait
	Cut     int           // with Broken: bytes of the body after which the connection ends; 0: in the middle
	Hang    bool          // nothing comes until the request is canceled; over a wire, after the headers
	Drip    bool          // over a wire: one byte, and then nothing until the request is canceled
	Delay   time.Duration // over a wire: before the first piece
}

// Script answers requests, one after the other. It may be called by several at once.
type Script func(r llm.Request) Reply

// Say is a script of a list: each request gets the next reply, and those after the last one fail with a malformed reply that says so.
func Say(replies ...Reply) Script {
	var mu sync.Mutex
	next := 0
	return func(llm.Request) Reply {
		mu.Lock()
		defer mu.Unlock()
		if next >= len(replies) {
			return Reply{Trouble: llm.Malformed, Text: "the script has no more replies"}
		}
		next++
		return replies[next-1]
	}
}

// Always is a script that says the same to everybody.
func Always(r Reply) Script { return func(llm.Request) Reply { return r } }

// Text is a reply of words.
func Text(words string) Reply { return Reply{Text: words} }

// Call is a reply that wishes for one tool; arguments are JSON, or are meant to be none. Its id counts from the name.
func Call(name, arguments string) Reply {
	return Calls(llm.Call{Name: name, Arguments: []byte(arguments)})
}

// Calls is a reply that wishes for tools. Calls without an id get one: call_1, call_2.
func Calls(calls ...llm.Call) Reply {
	return Reply{Calls: calls}
}

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
