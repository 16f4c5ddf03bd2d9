package workspace

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// signingKey is what this person signs session files with. It says who made a file to whoever knows its fingerprint, and opens nothing.
type signingKey struct {
	Name string `json:"name"` // what the person calls themself; empty: they have not said
	Seed string `json:"seed"` // of an Ed25519 key, in hexadecimal
}

func (k *signingKey) private() ed25519.PrivateKey {
	seed, _ := hex.DecodeString(k.Seed) // readSigningKey has looked
	return ed25519.NewKeyFromSeed(seed)
}

func (k *signingKey) public() string {
	return hex.EncodeToString(k.private().Public().(ed25519.PublicKey))
}

func (k *signingKey) sign(manifest []byte) []byte { return ed25519.Sign(k.private(), manifest) }

// signingKey gives the key of this person, which is made when it is first wanted, in their data folder and for their eyes only. A name that
// is given is kept. Faults: Invalid (the file is no key), Unavailable (it cannot be read or written).
func (w *Workspace) signingKey(name string) (*signingKey, error) {
	path, err := w.signingPlace()
	if err != nil {
		return nil, err
	}
	k, err := readSigningKey(path)
	if err != nil {
		return nil, err
	}
	name = plainLine(name)
	if k != nil && (name == "" || name == k.Name) {
		return k, nil
	}
	if k == nil {
		seed := make([]byte, ed25519.SeedSize)
		_, _ = rand.Read(seed) // never fails
		k = &signingKey{Seed: hex.EncodeToString(seed)}
	}
	if name != "" {
		k.Name = name
	}
	raw, err := json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = WriteWhole(path, func(f *os.File) error { return errors.Join(f.Chmod(0o600), writeAll(f, raw)) })
	}
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "sign", text.Say("workspace.key_unwritten", "file", path), text.Say("workspace.cannot_write_hint"), err)
	}
	return k, nil
}

// knownKey gives the key of this person; nil: there is none yet. Faults as of signingKey.
func (w *Workspace) knownKey() (*signingKey, error) {
	path, err := w.signingPlace()
	if err != nil {
		return nil, err
	}
	return readSigningKey(path)
}

func writeAll(f *os.File, raw []byte) error {
	_, err := f.Write(raw)
	return err
}

func (w *Workspace) signingPlace() (string, error) {
	root, err := w.opts.dataDir()
	return filepath.Join(root, "signing.json"), err
}

// readSigningKey reads a key; nil: there is none.
func readSigningKey(path string) (*signingKey, error) {
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, "sign", text.Say("workspace.key_unread", "file", path), text.Say("workspace.key_unread_hint"), err)
	}
	var k signingKey
	err = json.Unmarshal(raw, &k)
	if seed, wrong := hex.DecodeString(k.Seed); err != nil || wrong != nil || len(seed) != ed25519.SeedSize {
		return nil, fault.Wrap(fault.Invalid, "sign", text.Say("workspace.key_broken", "file", path), text.Say("workspace.key_broken_hint"), errors.Join(err, wrong))
	}
	return &k, nil
}

// WriteWhole writes a file beside its place and moves it there when all of it is on the disk: what stood there before is whole until then, and
// nothing half-written is left. The errors are those of the file system.
func WriteWhole(path string, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), besideBegins+"*"+besideEnds)
	if err != nil {
		return err
	}
	sweepBeside(f)
	defer os.Remove(f.Name()) // after the move there is none
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return err
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil { // that the name is there is on the disk, too, where that can be asked for
		_ = folder.Sync()
		folder.Close()
	}
	return nil
}

// Files that are not whole yet lie beside their places as .assay-*.part.
const (
	besideBegins, besideEnds = ".assay-", ".part"
	besideLife               = 24 * time.Hour // of what a process left there that died; no writing takes so long
)

// sweepBeside removes what writing into the folder of a new file has left there long before it: by the clock of that folder.
func sweepBeside(fresh *os.File) {
	now, err := fresh.Stat()
	if err != nil {
		return
	}
	all, err := os.ReadDir(filepath.Dir(fresh.Name()))
	if err != nil { // one may write there and not look
		return
	}
	for _, entry := range all {
		if !strings.HasPrefix(entry.Name(), besideBegins) || !strings.HasSuffix(entry.Name(), besideEnds) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && now.ModTime().Sub(info.ModTime()) > besideLife {
			_ = os.Remove(filepath.Join(filepath.Dir(fresh.Name()), entry.Name())) // another process may do so too
		}
	}
}
