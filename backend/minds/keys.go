package minds

import (
	"context"
	"slices"

	"assay/backend/fault"
	"assay/backend/secret"
	"assay/backend/text"
)

// Keys says where keys are kept and which there are. It holds none.
type Keys struct {
	Status secret.Status `json:"status"`
	Keys   []Key         `json:"keys" nullable:"false"`
}

// Key is that of a provider, or that there is none.
type Key struct {
	Provider  string       `json:"provider"`
	Called    string       `json:"called"`
	Host      string       `json:"host" doc:"The only place that it is sent to"`
	ID        string       `json:"id"`
	From      secret.Place `json:"from" enum:"environment,keyring,passphrase,memory," doc:"Where it is; empty: there is none"`
	Text      string       `json:"text" doc:"The same in words"`
	Variables []string     `json:"variables" nullable:"false" doc:"Variables of the environment in which it is looked for"`
}

// Keys looks, without asking anybody for a key.
func (m *Minds) Keys(ctx context.Context) Keys {
	c := m.deps.Chosen()
	k := Keys{Status: m.deps.Keys.Status(ctx), Keys: []Key{}}
	for _, provider := range []string{Anthropic, OpenAI} {
		id := c.KeyID(provider)
		key := Key{Provider: provider, Called: Called(provider), Host: c.host(Name{Provider: provider}), ID: id, From: m.deps.Keys.Where(id), Variables: secret.Variables(id)}
		key.Text = text.Say("minds.key_none")
		if key.From != "" {
			key.Text = text.Say("minds.key_" + string(key.From))
		}
		k.Keys = append(k.Keys, key)
	}
	return k
}

// SetKey keeps the key of a provider: in the vault, or for now until this process ends. Faults: Invalid, and those of the store.
func (m *Minds) SetKey(ctx context.Context, provider, key string, forNow bool) error {
	id, err := m.keyed(provider)
	if err != nil {
		return err
	}
	if forNow {
		return m.deps.Keys.Hold(id, key)
	}
	return m.deps.Keys.Put(ctx, id, key)
}

// ForgetKey forgets the key of a provider. One of the environment is not ours to forget. Faults: Invalid, NotFound, Conflict (it is in the
// environment), and those of the store.
func (m *Minds) ForgetKey(ctx context.Context, provider string) error {
	id, err := m.keyed(provider)
	if err != nil {
		return err
	}
	err = m.deps.Keys.Delete(ctx, id)
	if fault.CodeOf(err) == fault.NotFound && m.deps.Keys.Where(id) == secret.Environment {
		return fault.New(fault.Conflict, "forget key", text.Say("minds.key_of_environment", "provider", Called(provider)), text.Say("minds.key_of_environment_hint"))
	}
	return err
}

func (m *Minds) keyed(provider string) (string, error) {
	if !slices.Contains([]string{Anthropic, OpenAI}, provider) {
		return "", fault.New(fault.Invalid, "keep key", text.Say("minds.no_keys_of", "provider", shown(provider)), text.Say("minds.no_keys_of_hint"))
	}
	return m.deps.Chosen().KeyID(provider), nil
}

// UsePassphrase puts the keys behind a passphrase, and Unlock opens them for this process. Faults as of the store.
func (m *Minds) UsePassphrase(ctx context.Context, passphrase string) error {
	return m.deps.Keys.UsePassphrase(ctx, passphrase)
}

// Unlock opens the keys that are behind a passphrase, for this process.
func (m *Minds) Unlock(passphrase string) error { return m.deps.Keys.Unlock(passphrase) }
