package valueindex

// table is an open-addressing hash table from 64-bit hashes to places. It keeps one byte of each hash, so that nearly every
// wrong place is passed over unread; that a place is the right one is for the caller to see in the real bytes.
type table struct {
	slots []uint32 // place + 1; 0: free
	tags  []byte
	mask  uint64
}

// newTable makes room for n places, two thirds full at most.
func newTable(n int) table {
	size := 8
	for size*2 < n*3 {
		size *= 2
	}
	return table{make([]uint32, size), make([]byte, size), uint64(size - 1)}
}

func (t *table) put(hash uint64, place uint32) {
	i := hash & t.mask
	for t.slots[i] != 0 {
		i = (i + 1) & t.mask
	}
	t.slots[i], t.tags[i] = place+1, byte(hash>>56)
}

// find gives the place under a hash that is the right one.
func (t *table) find(hash uint64, right func(uint32) bool) (place uint32, ok bool) {
	for i := hash & t.mask; t.slots[i] != 0; i = (i + 1) & t.mask {
		if t.tags[i] == byte(hash>>56) && right(t.slots[i]-1) {
			return t.slots[i] - 1, true
		}
	}
	return 0, false
}

// hashOf is FNV-1a over 64 bits, stirred so that its low bits depend on all of it. It is the same in every process.
func hashOf[T []byte | string](s T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
