package secret

import (
	"errors"

	"assay/backend/fault"
	"assay/backend/text"
)

// What went wrong, for whoever must tell it apart; each comes inside a *fault.Error.
var (
	ErrNotFound    = errors.New("no such credential")           // code NotFound
	ErrLocked      = errors.New("locked")                       // code Unavailable: the keyring, or the vault until its passphrase is given
	ErrUnavailable = errors.New("no keyring")                   // code Unavailable
	ErrTimeout     = errors.New("the keyring does not answer")  // code Unavailable
	ErrTooBig      = errors.New("too big")                      // code Limit
	ErrDamaged     = errors.New("the vault cannot be read")     // code Conflict: by the key that is there, or at all
	ErrWrong       = errors.New("the passphrase does not open") // code Unauthorized
)

// mistake is one of the errors above in words. The cause must hold no secret: those of keyrings and of files hold none.
func mistake(kind error, op, key string, cause error, pairs ...any) error {
	code := map[error]fault.Code{
		ErrNotFound: fault.NotFound, ErrTooBig: fault.Limit, ErrDamaged: fault.Conflict, ErrWrong: fault.Unauthorized,
	}[kind]
	if code == "" {
		code = fault.Unavailable
	}
	return fault.Wrap(code, op, text.Say("secret."+key, pairs...), text.Say("secret."+key+"_hint", pairs...), errors.Join(kind, cause))
}
