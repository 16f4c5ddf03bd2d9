package frameql

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ID is the identity of the query: "sha256:" and the hash of its canonical text without EXPLAIN, which asks about the
// same question.
func (q *Query) ID() string {
	asked := *q
	asked.Explain = false
	sum := sha256.Sum256([]byte(asked.String()))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// FrameID is the identity of a frame: the same canonical query over the same data, told by the epochs of its tables,
// gives the same id, whatever the order of the map.
func FrameID(canonical string, epochs map[string]string) string {
	var b strings.Builder
	part := func(s string) { b.WriteString(strconv.Itoa(len(s)) + ":" + s) } // lengths keep neighbours apart
	part(canonical)
	for _, table := range slices.Sorted(maps.Keys(epochs)) {
		part(table)
		part(epochs[table])
	}
	sum := sha256.Sum256([]byte(b.String()))
	return "frm_" + hex.EncodeToString(sum[:16])
}
