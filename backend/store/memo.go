package store

import "sync"

// memo keeps what is known of the last texts that were looked at, such as statements. Nothing in it goes out of date: a
// memo lives as long as what its answers depend on.
type memo[V any] struct {
	mu    sync.Mutex
	known map[string]V
	order []string // oldest first
}

// A text that is longer is not kept: it was written once, by a machine.
const (
	memoTexts   = 256
	memoLongest = 64 << 10
)

func (m *memo[V]) get(text string) (v V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok = m.known[text]
	return v, ok
}

func (m *memo[V]) put(text string, v V) {
	if len(text) > memoLongest {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]V{}
	}
	if _, ok := m.known[text]; !ok {
		if len(m.order) == memoTexts {
			delete(m.known, m.order[0])
			m.order = m.order[1:]
		}
		m.order = append(m.order, text)
	}
	m.known[text] = v
}
