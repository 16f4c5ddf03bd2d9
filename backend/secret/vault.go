package secret

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// vault is the file of the credentials. Nothing in it can be read without the key, except which ids there are.
type vault struct {
	Format  string            `json:"format"`
	ID      string            `json:"id"`                // names the key in the keyring: another vault has another one
	Sealed  Place             `json:"sealed"`            // where the key is: keyring | passphrase
	Wrapped []byte            `json:"wrapped,omitempty"` // the key behind a passphrase
	Check   []byte            `json:"check"`             // tells a wrong key from a damaged entry
	Entries map[string][]byte `json:"entries"`           // id -> nonce and sealed value
}

const (
	vaultFormat = "assay-vault/1"
	vaultFile   = "vault.json"
	vaultLimit  = 8 << 20 // bytes
	lockRetry   = 20 * time.Millisecond
)

func newVault(sealed Place, key []byte) (*vault, error) {
	id := make([]byte, 8)
	_, _ = rand.Read(id)
	v := &vault{Format: vaultFormat, ID: hex.EncodeToString(id), Sealed: sealed, Entries: map[string][]byte{}}
	var err error
	v.Check, err = seal(key, v.checkName(), nil)
	return v, err
}

// checkName is no id: ids are plain words.
func (v *vault) checkName() string { return "check of vault " + v.ID }

// fits says whether a key is that of the vault.
func (v *vault) fits(key []byte) bool {
	_, err := open(key, v.checkName(), v.Check)
	return err == nil
}

// user names the key of the vault in the keyring.
func (v *vault) user() string { return "vault " + v.ID }

// read gives the vault; nil: there is none. The error is ErrDamaged, or of the file.
func (s *Store) read() (*vault, error) {
	f, err := os.Open(filepath.Join(s.o.Dir, vaultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.cannot("read credentials", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, vaultLimit+1))
	if err != nil {
		return nil, s.cannot("read credentials", err)
	}
	var v vault
	if err = json.Unmarshal(raw, &v); err == nil && (len(raw) > vaultLimit || v.Format != vaultFormat || v.ID == "" || v.Sealed != Keyring && v.Sealed != Passphrase || len(v.Check) == 0) {
		err = errors.New("not a vault of this version")
	}
	if err != nil {
		return nil, mistake(ErrDamaged, "read credentials", "damaged", err, "file", filepath.Join(s.o.Dir, vaultFile))
	}
	if v.Entries == nil {
		v.Entries = map[string][]byte{}
	}
	return &v, nil
}

// write replaces the vault as a whole, or leaves it as it was.
func (s *Store) write(v *vault) error {
	path := filepath.Join(s.o.Dir, vaultFile)
	raw, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return s.cannot("keep credentials", err)
	}
	f, err := os.CreateTemp(s.o.Dir, vaultFile+".new-*") // mode 0600
	if err != nil {
		return s.cannot("keep credentials", err)
	}
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return s.cannot("keep credentials", err)
	}
	syncFolder(s.o.Dir)
	return nil
}

// syncFolder makes a rename last; where folders cannot be synced, the file system does as it does.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// alone does something while no other process of this person changes the vault.
func (s *Store) alone(ctx context.Context, do func() error) error {
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return s.cannot("keep credentials", err)
	}
	turn := flock.New(filepath.Join(s.o.Dir, "vault.lock"), flock.SetPermissions(0o600))
	got, err := turn.TryLockContext(ctx, lockRetry)
	if !got {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.cannot("keep credentials", err)
	}
	defer turn.Close()
	return do()
}

func (s *Store) cannot(op string, err error) error {
	return mistake(ErrUnavailable, op, "cannot_write", err, "dir", s.o.Dir)
}
