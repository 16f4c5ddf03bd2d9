package secret

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"
)

// keySize is that of the key of a vault, in bytes.
const keySize = chacha20poly1305.KeySize

// newKey gives a random key.
func newKey() []byte {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // it never fails: the program ends instead
	return key
}

// seal encrypts a value and binds it to a name: XChaCha20-Poly1305 with a random nonce, which stands before the rest.
func seal(key []byte, name string, value []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(value)+aead.Overhead())
	_, _ = rand.Read(nonce)
	return aead.Seal(nonce, nonce, value, []byte(name)), nil
}

// open is the way back. It fails for another key, another name, and for any byte that was changed.
func open(key []byte, name string, box []byte) ([]byte, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, err
	}
	if len(box) < aead.NonceSize() {
		return nil, errors.New("cut off")
	}
	return aead.Open(nil, box[:aead.NonceSize()], box[aead.NonceSize():], []byte(name))
}

// wrap puts a key behind a passphrase: age with scrypt of 2^work.
func wrap(key []byte, passphrase string, work int) ([]byte, error) {
	to, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	to.SetWorkFactor(work)
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(key); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unwrap is the way back. ErrWrong: the passphrase is another one; any other error: what was kept is damaged.
func unwrap(wrapped []byte, passphrase string) ([]byte, error) {
	by, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, err
	}
	r, err := age.Decrypt(bytes.NewReader(wrapped), by)
	if err != nil {
		var none *age.NoIdentityMatchError
		if errors.As(err, &none) {
			return nil, errors.Join(ErrWrong, err)
		}
		return nil, err
	}
	key, err := io.ReadAll(io.LimitReader(r, keySize+1))
	if err == nil && len(key) != keySize {
		err = errors.New("not a key")
	}
	return key, err
}
