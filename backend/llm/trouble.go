package llm

import (
	"context"
	"errors"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Trouble is what can go wrong between us and a model. An adapter names it once, by type and status, and the fault follows from it.
type Trouble string

// The troubles. The text of each stands in the catalogue under its name.
const (
	WrongKey     Trouble = "wrong_key"
	NoCredit     Trouble = "no_credit"
	NotAllowed   Trouble = "not_allowed" // the key is right, and not for this
	NoModel      Trouble = "no_model"
	NoTools      Trouble = "no_tools"  // the model cannot wish for tools
	TooLong      Trouble = "too_long"  // the request and its reply do not fit into the window
	TooOften     Trouble = "too_often" // a rate limit
	Overloaded   Trouble = "overloaded"
	NoConnection Trouble = "no_connection"
	Broken       Trouble = "broken"      // the stream ended before the reply did
	Silent       Trouble = "silent"      // nothing came for too long
	TooSlow      Trouble = "too_slow"    // the whole reply took too long
	TooLarge     Trouble = "too_large"   // the reply has more bytes than we take
	Malformed    Trouble = "malformed"   // the reply is not what the protocol says
	NotUsed      Trouble = "not_used"    // the provider does not accept the request as we wrote it
	StaysHere    Trouble = "stays_here"  // the switch "nothing leaves this machine" is on
	BadEndpoint  Trouble = "bad_address" // the address of the provider is none
)

// Code gives the fault code of a trouble.
func (t Trouble) Code() fault.Code {
	switch t {
	case WrongKey, NoCredit, NotAllowed, StaysHere:
		return fault.Unauthorized
	case NoModel:
		return fault.NotFound
	case TooLong:
		return fault.Limit
	case TooOften, Overloaded, NoConnection, Broken, Silent, TooSlow:
		return fault.Unavailable
	case Malformed, TooLarge, NotUsed, NoTools, BadEndpoint:
		return fault.Invalid
	}
	return fault.Internal
}

// Failure is the cause inside a fault of a model: what a retry and a test want to know.
type Failure struct {
	Trouble Trouble
	After   time.Duration // the provider wants to be left alone for so long; 0: it did not say
	Err     error         // what the wire said, for the log
}

// Error is for the log.
func (f *Failure) Error() string {
	if f.Err == nil {
		return string(f.Trouble)
	}
	return string(f.Trouble) + ": " + f.Err.Error()
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Fail makes the fault of a trouble, whose message is for a person and names provider, model and endpoint.
func Fail(t Trouble, c Card, after time.Duration, err error) *fault.Error {
	say := func(key string) string {
		return text.Say(key, "provider", providerName(c.Provider), "model", c.Model, "endpoint", c.Endpoint)
	}
	return fault.Wrap(t.Code(), "ask model", say("llm."+string(t)), say("llm."+string(t)+"_hint"), &Failure{Trouble: t, After: after, Err: err})
}

// TroubleOf gives the trouble inside an error; empty: it is none of a model.
func TroubleOf(err error) Trouble {
	var f *Failure
	if errors.As(err, &f) {
		return f.Trouble
	}
	return ""
}

// Canceled makes the fault of a request whose context ended: Canceled, or Limit where it was the time that ended it.
func Canceled(err error) *fault.Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(fault.Limit, "ask model", text.Say("llm.out_of_time"), text.Say("llm.out_of_time_hint"), err)
	}
	return fault.Wrap(fault.Canceled, "ask model", text.Say("llm.canceled"), "", err)
}

func providerName(name string) string {
	switch name {
	case "anthropic", "openai", "ollama":
		return text.Say("llm.provider_" + name)
	case "":
		return text.Say("llm.provider_unknown")
	}
	return name
}
