package secret

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Place is where a credential is, or the key that seals it.
type Place string

// The places.
const (
	Keyring     Place = "keyring"     // the vault, whose key is in the keyring of the operating system
	Passphrase  Place = "passphrase"  // the vault, whose key is behind a passphrase
	Memory      Place = "memory"      // this process alone
	Environment Place = "environment" // a variable; never ours to keep
)

// Options of a store. Zero values are the defaults in parentheses.
type Options struct {
	Dir     string                               // folder of the vault; made when something is kept
	Service string                               // what the keyring calls us (assay)
	Ring    Ring                                 // (System)
	Getenv  func(string) string                  // (os.Getenv)
	Now     func() time.Time                     // (time.Now)
	After   func(time.Duration) <-chan time.Time // (time.After)
	Wait    time.Duration                        // for a keyring that asks nobody (5 s)
	Ask     time.Duration                        // for one that asks a person first (20 s)
	Rest    time.Duration                        // for which a keyring that did not answer is left alone (30 s)

	work int // of scrypt, as a power of 2 (18); tests take less
}

// Store keeps credentials. It is safe for concurrent use, also by several processes.
type Store struct {
	o    Options
	ring *patient

	writing sync.Mutex // one change at a time in this process
	mu      sync.Mutex
	key     []byte            // of the vault, once it is known
	held    map[string]string // in memory alone
}

// New builds a store. It touches nothing.
func New(o Options) *Store {
	if o.Service == "" {
		o.Service = "assay"
	}
	if o.Ring == nil {
		o.Ring = System{}
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Wait == 0 {
		o.Wait = 5 * time.Second
	}
	if o.Ask == 0 {
		o.Ask = 20 * time.Second
	}
	if o.Rest == 0 {
		o.Rest = 30 * time.Second
	}
	if o.work == 0 {
		o.work = 18
	}
	return &Store{
		o: o, held: map[string]string{},
		ring: &patient{ring: o.Ring, wait: o.Wait, ask: o.Ask, rest: o.Rest, after: o.After, now: o.Now, turn: make(chan struct{}, 1)},
	}
}

// maxSecret bounds one credential, in bytes: certificates fit, files do not.
const maxSecret = 64 << 10

var plainID = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

func checkPair(id, value string) error {
	switch {
	case !plainID.MatchString(id):
		return fault.New(fault.Invalid, "keep credential", text.Say("secret.bad_id"), text.Say("secret.bad_id_hint"))
	case strings.TrimSpace(value) == "":
		return fault.New(fault.Invalid, "keep credential", text.Say("secret.empty"), text.Say("secret.empty_hint"))
	case len(value) > maxSecret:
		return mistake(ErrTooBig, "keep credential", "too_big", nil)
	case strings.ContainsFunc(strings.TrimSpace(value), func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f }):
		return fault.New(fault.Invalid, "keep credential", text.Say("secret.not_text"), text.Say("secret.empty_hint"))
	}
	return nil
}

// Put keeps a credential in the vault. Spaces around it are not part of it. Where there is no keyring, and no passphrase was chosen, nothing is
// kept: Hold is there for that. ids are lower-case letters, digits and ._-
//
// Errors: ErrLocked, ErrUnavailable, ErrTimeout, ErrTooBig, ErrDamaged; fault Invalid.
func (s *Store) Put(ctx context.Context, id, value string) error {
	if err := checkPair(id, value); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	err := s.alone(ctx, func() error {
		v, err := s.read()
		if err != nil {
			return err
		}
		var key []byte
		if v == nil {
			key = newKey()
			if v, err = newVault(Keyring, key); err != nil {
				return err
			}
			if err := s.tell(ctx, v, key); err != nil {
				return err
			}
		} else if key, err = s.keyOf(ctx, v); err != nil {
			return err
		}
		if v.Entries[id], err = seal(key, id, []byte(strings.TrimSpace(value))); err != nil {
			return s.cannot("keep credential", err)
		}
		if err := s.write(v); err != nil {
			return err
		}
		s.learn(key)
		return nil
	})
	if err == nil {
		s.mu.Lock()
		delete(s.held, id)
		s.mu.Unlock()
	}
	return err
}

// Hold keeps a credential until this process ends, and nowhere else. It goes before one of the vault. Errors: ErrTooBig; fault Invalid.
func (s *Store) Hold(id, value string) error {
	if err := checkPair(id, value); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[id] = strings.TrimSpace(value)
	return nil
}

// Get gives a credential and where it is: that of the environment first. Errors: ErrNotFound, ErrLocked, ErrUnavailable, ErrTimeout, ErrDamaged.
func (s *Store) Get(ctx context.Context, id string) (string, Place, error) {
	if value := s.fromEnvironment(id); value != "" {
		return value, Environment, nil
	}
	s.mu.Lock()
	value, ok := s.held[id]
	s.mu.Unlock()
	if ok {
		return value, Memory, nil
	}
	v, err := s.read()
	if err != nil {
		return "", "", err
	}
	if v == nil || v.Entries[id] == nil {
		return "", "", mistake(ErrNotFound, "read credential", "not_found", nil, "id", id)
	}
	key, err := s.keyOf(ctx, v)
	if err != nil {
		return "", "", err
	}
	raw, err := open(key, id, v.Entries[id])
	if err != nil {
		return "", "", mistake(ErrDamaged, "read credential", "damaged_entry", err, "id", id)
	}
	return string(raw), v.Sealed, nil
}

// Delete forgets a credential in the vault and in memory; no key is needed for that. One of the environment is not ours. Errors: ErrNotFound,
// ErrUnavailable, ErrDamaged.
func (s *Store) Delete(ctx context.Context, id string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	_, found := s.held[id]
	delete(s.held, id)
	s.mu.Unlock()
	v, err := s.read()
	if v == nil && err == nil || err == nil && v.Entries[id] == nil {
		if found {
			return nil
		}
		return mistake(ErrNotFound, "forget credential", "not_found", nil, "id", id)
	}
	return s.alone(ctx, func() error {
		v, err := s.read()
		if v == nil {
			return err
		}
		delete(v.Entries, id)
		if len(v.Entries) == 0 && v.Sealed == Keyring {
			return s.end(ctx, v)
		}
		return s.write(v)
	})
}

// end takes away a vault that holds nothing, and its key where the keyring can be reached without asking anybody: a key that opens nothing is
// no harm.
func (s *Store) end(ctx context.Context, v *vault) error {
	if err := os.Remove(filepath.Join(s.o.Dir, vaultFile)); err != nil {
		return s.cannot("forget credential", err)
	}
	if s.ring.reach(ctx) == nil {
		_ = s.ring.do(ctx, func() error { return s.o.Ring.Delete(s.o.Service, v.user()) })
	}
	return nil
}

// keyOf gives the key of a vault, asking the keyring when it is not known yet.
func (s *Store) keyOf(ctx context.Context, v *vault) ([]byte, error) {
	if key := s.known(); key != nil && v.fits(key) {
		return key, nil
	}
	if v.Sealed == Passphrase {
		return nil, mistake(ErrLocked, "read credential", "passphrase_wanted", nil)
	}
	err := s.ring.do(ctx, func() error {
		kept, err := s.o.Ring.Get(s.o.Service, v.user())
		if err != nil {
			return err
		}
		key, err := base64.StdEncoding.DecodeString(kept)
		if err != nil || len(key) != keySize || !v.fits(key) {
			return errOther
		}
		s.learn(key) // also when nobody waits for it any more: the next one has it
		return nil
	})
	if errors.Is(err, ErrNotFound) || errors.Is(err, errOther) {
		return nil, mistake(ErrDamaged, "read credential", "other_key", nil)
	}
	if err != nil {
		return nil, ringed("read credential", err)
	}
	return s.known(), nil
}

var errOther = errors.New("the keyring holds another key")

// tell puts the key of a vault into the keyring.
func (s *Store) tell(ctx context.Context, v *vault, key []byte) error {
	err := s.ring.do(ctx, func() error { return s.o.Ring.Set(s.o.Service, v.user(), base64.StdEncoding.EncodeToString(key)) })
	if err != nil {
		return ringed("keep credential", err)
	}
	return nil
}

// ringed is what a keyring could not do, in words.
func ringed(op string, err error) error {
	switch {
	case errors.Is(err, ErrLocked):
		return mistake(ErrLocked, op, "locked", err)
	case errors.Is(err, ErrTimeout):
		return mistake(ErrTimeout, op, "timeout", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	default: // a bound of the keyring is not what a key of 32 bytes meets: it does not work
		return mistake(ErrUnavailable, op, "unavailable", err)
	}
}

func (s *Store) known() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key
}

func (s *Store) learn(key []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = slices.Clone(key)
}
