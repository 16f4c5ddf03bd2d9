package secret

import (
	"context"
	"errors"

	"assay/backend/fault"
	"assay/backend/text"
)

// Status says where credentials are kept and whether that works now. It holds none of them.
type Status struct {
	Store   Place  `json:"store" enum:"keyring,passphrase,memory" doc:"Where a credential goes that is kept now; memory: until the program ends"`
	State   State  `json:"state" enum:"ready,locked,unavailable,timeout,damaged"`
	Message string `json:"message" doc:"What that means"`
	Hint    string `json:"hint" doc:"What can be done; may be empty"`
}

// State is how the store stands.
type State string

// The states.
const (
	Ready       State = "ready"
	Locked      State = "locked"      // the keyring asks first, or the passphrase is still to be given
	Unavailable State = "unavailable" // there is no keyring, and no passphrase was chosen
	TimedOut    State = "timeout"     // the keyring does not answer
	Damaged     State = "damaged"     // the vault cannot be read
)

// Status looks. It asks nobody and opens no prompt, and is over within Options.Wait.
func (s *Store) Status(ctx context.Context) Status {
	v, err := s.read()
	if err != nil {
		return told(Memory, Damaged, err)
	}
	key := s.known()
	switch {
	case v != nil && v.Sealed == Passphrase && key != nil && v.fits(key):
		return Status{Store: Passphrase, State: Ready, Message: text.Say("secret.status_passphrase")}
	case v != nil && v.Sealed == Passphrase:
		return told(Passphrase, Locked, mistake(ErrLocked, "", "passphrase_wanted", nil))
	case v != nil && key != nil && v.fits(key):
		return Status{Store: Keyring, State: Ready, Message: text.Say("secret.status_keyring")}
	}
	switch err := s.ring.reach(ctx); {
	case err == nil:
		return Status{Store: Keyring, State: Ready, Message: text.Say("secret.status_keyring")}
	case errors.Is(err, ErrLocked):
		return told(Keyring, Locked, ringed("", err))
	case errors.Is(err, ErrTimeout):
		return told(Memory, TimedOut, ringed("", err))
	default:
		return told(Memory, Unavailable, mistake(ErrUnavailable, "", "unavailable", err))
	}
}

func told(store Place, state State, err error) Status {
	var f *fault.Error
	if !errors.As(err, &f) {
		return Status{Store: store, State: state}
	}
	return Status{Store: store, State: state, Message: f.Message, Hint: f.Hint}
}

// Where says where a credential is, without reading it; empty: nowhere.
func (s *Store) Where(id string) Place {
	if s.fromEnvironment(id) != "" {
		return Environment
	}
	s.mu.Lock()
	_, held := s.held[id]
	s.mu.Unlock()
	if held {
		return Memory
	}
	if v, err := s.read(); err == nil && v != nil && v.Entries[id] != nil {
		return v.Sealed
	}
	return ""
}
