package retrieval

import (
	"cmp"
	"math/bits"
	"slices"

	chromem "github.com/philippgille/chromem-go"
)

// A search in a large collection looks at sketches first: signs of sums of the vector's numbers, which differ in as many places as the vectors point apart (Charikar, 2002). Those that differ
// least are compared exactly. What is near is among them but for a chance that the test of it measures.
const (
	sketchFrom = 5000 // records from which a collection is searched so: below it each is compared
	candidates = 1000 // records that are compared exactly, and as many more as differ in no more places
	sketchBits = 512
)

type sketch [sketchBits / 64]uint64

// sketches are those of a collection, in any order.
type sketches struct {
	ids     []string
	all     []sketch
	vectors [][]float32 // the ones that the collection has
	place   map[string]int
	having  []int // how many of the vectors have a number that is not 0, in each dimension
}

func (s *sketches) put(id string, v []float32) {
	s.remove(id)
	s.count(v, 1)
	s.place[id] = len(s.ids)
	s.ids, s.all, s.vectors = append(s.ids, id), append(s.all, sketchOf(v)), append(s.vectors, v)
}

func (s *sketches) remove(id string) {
	at, there := s.place[id]
	if !there {
		return
	}
	s.count(s.vectors[at], -1)
	last := len(s.ids) - 1
	s.ids[at], s.all[at], s.vectors[at] = s.ids[last], s.all[last], s.vectors[last]
	s.ids[last], s.vectors[last] = "", nil
	delete(s.place, id)
	if at < last {
		s.place[s.ids[at]] = at
	}
	s.ids, s.all, s.vectors = s.ids[:last], s.all[:last], s.vectors[:last]
}

// nearest gives the places of the records whose sketches differ least from that of a vector: as many as are wanted, and all that differ as little as the last of them.
func (s *sketches) nearest(v []float32, want int) []int {
	of := sketchOf(v)
	apart := make([]uint16, len(s.all))
	var counts [sketchBits + 1]int
	for i := range s.all {
		d := 0
		for j, word := range s.all[i] {
			d += bits.OnesCount64(word ^ of[j])
		}
		apart[i] = uint16(d)
		counts[d]++
	}
	most, n := 0, 0
	for ; most < sketchBits; most++ {
		if n += counts[most]; n >= want {
			break
		}
	}
	found := make([]int, 0, n)
	for i, d := range apart {
		if int(d) <= most {
			found = append(found, i)
		}
	}
	return found
}

// sketchOf mixes the numbers of a vector, whose signs are turned as a hash says, by the transform of Hadamard, and takes the signs of the first ones.
func sketchOf(v []float32) (of sketch) {
	size := sketchBits
	for size < len(v) {
		size *= 2
	}
	mixed := make([]float32, size)
	for i, x := range v {
		if mix(uint64(i)+1)&1 == 1 {
			x = -x
		}
		mixed[i] = x
	}
	for half := 1; half < size; half *= 2 {
		for start := 0; start < size; start += 2 * half {
			for i := start; i < start+half; i++ {
				a, b := mixed[i], mixed[i+half]
				mixed[i], mixed[i+half] = a+b, a-b
			}
		}
	}
	for i := range sketchBits {
		if mixed[i] > 0 {
			of[i/64] |= 1 << (i % 64)
		}
	}
	return of
}

// sketched searches a large collection, and gives the most similar with their similarities, up to want. The same vectors give the same, in whichever order they came.
func (s *Store) sketched(name, owner string, vector []float32, want int) []chromem.Result {
	of := s.sketches[name]
	whose := map[string]string{"owner": owner}
	var all []chromem.Result
	for _, at := range of.nearest(vector, max(candidates, want)) {
		all = append(all, chromem.Result{ID: of.ids[at], Similarity: float32(dot(of.vectors[at], vector)), Metadata: whose})
	}
	slices.SortFunc(all, func(a, b chromem.Result) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(want, len(all))]
}

// sketchIn notes the vector of a record in its collection.
func (s *Store) sketchIn(name, id string, v []float32) {
	if s.sketches[name] == nil {
		s.sketches[name] = &sketches{place: map[string]int{}}
	}
	s.sketches[name].put(id, v)
}
