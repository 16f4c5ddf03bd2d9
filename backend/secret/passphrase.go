package secret

import (
	"context"
	"errors"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// MinPassphrase is how many characters a new passphrase has at least.
const MinPassphrase = 8

// Unlock opens a vault that is behind a passphrase. Errors: ErrNotFound (there is none), ErrWrong, ErrDamaged.
func (s *Store) Unlock(passphrase string) error {
	v, err := s.read()
	if err != nil {
		return err
	}
	if v == nil || v.Sealed != Passphrase {
		return mistake(ErrNotFound, "open vault", "no_passphrase", nil)
	}
	key, err := s.unwrapped(v, passphrase)
	if err == nil {
		s.learn(key)
	}
	return err
}

func (s *Store) unwrapped(v *vault, passphrase string) ([]byte, error) {
	if passphrase == "" {
		return nil, mistake(ErrWrong, "open vault", "wrong_passphrase", nil)
	}
	key, err := unwrap(v.Wrapped, passphrase)
	switch {
	case errors.Is(err, ErrWrong):
		return nil, mistake(ErrWrong, "open vault", "wrong_passphrase", nil)
	case err != nil, !v.fits(key):
		return nil, mistake(ErrDamaged, "open vault", "other_key", err)
	}
	return key, nil
}

// UsePassphrase puts the vault behind a passphrase, which is asked for at every start from then on. What is in the vault stays in it: for that
// its key must be known or got from the keyring. Errors: as of Put; fault Invalid for a passphrase that is too short, Conflict where there is a
// passphrase already that was not given yet.
func (s *Store) UsePassphrase(ctx context.Context, passphrase string) error {
	if utf8.RuneCountInString(passphrase) < MinPassphrase {
		return fault.New(fault.Invalid, "choose passphrase", text.Say("secret.short_passphrase", "n", MinPassphrase), text.Say("secret.short_passphrase_hint"))
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.alone(ctx, func() error {
		v, err := s.read()
		if err != nil {
			return err
		}
		key := newKey()
		before := Passphrase
		if v == nil {
			if v, err = newVault(Passphrase, key); err != nil {
				return s.cannot("choose passphrase", err)
			}
		} else {
			before = v.Sealed
			if key, err = s.keyOf(ctx, v); err != nil {
				return err
			}
		}
		if v.Wrapped, err = wrap(key, passphrase, s.o.work); err != nil {
			return s.cannot("choose passphrase", err)
		}
		v.Sealed = Passphrase
		if err := s.write(v); err != nil {
			return err
		}
		s.learn(key)
		if before == Keyring { // it is of no use there any more; left there it would open the vault without the passphrase
			if err := s.ring.do(ctx, func() error { return s.o.Ring.Delete(s.o.Service, v.user()) }); err != nil && !errors.Is(err, ErrNotFound) {
				return ringed("choose passphrase", err)
			}
		}
		return nil
	})
}
