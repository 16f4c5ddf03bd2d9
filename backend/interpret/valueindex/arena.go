package valueindex

// arena gathers many short texts in one piece of memory: their bytes one after the other, and where each of them ends.
type arena struct {
	bytes []byte
	ends  []uint32
}

func (a *arena) len() int { return len(a.ends) }

func (a *arena) at(i uint32) []byte { return a.bytes[startOf(a.ends, i):a.ends[i]] }

func startOf(ends []uint32, i uint32) uint32 {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// add takes the texts of a join as one.
func (a *arena) add(parts ...string) {
	for _, p := range parts {
		a.bytes = append(a.bytes, p...)
	}
	a.ends = append(a.ends, uint32(len(a.bytes)))
}

// texts is a full arena. Its texts share its memory.
type texts struct {
	all  string
	ends []uint32
}

func (a *arena) full() texts {
	return texts{string(a.bytes), append(make([]uint32, 0, len(a.ends)), a.ends...)}
}

func (t *texts) len() int { return len(t.ends) }

func (t *texts) at(i uint32) string { return t.all[startOf(t.ends, i):t.ends[i]] }
