package compile

import "slices"

// A column of the result is made of what some scans give. A number is made of the numbers that enter it, whichever rows
// decide where it stands; a dimension of the members that it shows. Flags and other constants are made of nothing that is read.
// Which rows there are, and in what order, is no part of a column: that is the answer as a whole.

// scanUse is what a scan gives to the result, by the place of its CacheUse.
type scanUse struct {
	step *step
	of   Branch
}

// origin holds the scans of which a column is made, as bits.
type origin struct{ numbers, members marks }

type marks []uint64

func (m marks) has(i int) bool { return m[i/64]&(1<<(i%64)) != 0 }

func (m marks) set(i int) { m[i/64] |= 1 << (i % 64) }

func (m marks) add(other marks) {
	for i := range other {
		m[i] |= other[i]
	}
}

func (m marks) empty() bool { return !slices.ContainsFunc(m, func(x uint64) bool { return x != 0 }) }

// columnsOf gives, for each use, the columns of the result that are made of it.
func columnsOf(root *step, uses []scanUse) [][]string {
	of := map[*step]map[string]origin{}
	for _, s := range walk(root) {
		of[s] = s.origins(of, uses)
	}
	all := make([][]string, len(uses))
	for _, c := range root.cols {
		o := of[root][c.name]
		made := o.numbers
		if made.empty() {
			made = o.members
		}
		for i := range uses {
			if made.has(i) {
				all[i] = append(all[i], c.name)
			}
		}
	}
	return all
}

// origins gives those of the columns of a step, from those of its inputs.
func (s *step) origins(of map[*step]map[string]origin, uses []scanUse) map[string]origin {
	own := map[string]origin{}
	at := func(name string) origin {
		o, known := own[name]
		if !known {
			words := (len(uses) + 63) / 64
			o = origin{make(marks, words), make(marks, words)}
			own[name] = o
		}
		return o
	}
	for _, c := range s.cols {
		at(c.name)
	}
	scanned := false
	for i, u := range uses {
		if u.step != s {
			continue
		}
		scanned = true
		for _, k := range u.of.Keys {
			at(k.Name).members.set(i)
		}
		for _, l := range u.of.Leaves {
			at(l.Name).numbers.set(i)
		}
	}
	switch {
	case scanned:
		return own
	case s.kind == kindStack: // its columns are those of its arms
		for _, in := range s.in {
			for name, o := range of[in] {
				at(name).numbers.add(o.numbers)
				at(name).members.add(o.members)
			}
		}
		return own
	}
	series := &step{series: s.series} // buckets lie between the first and the last that a scan gives
	for _, c := range s.cols {
		o := at(c.name)
		visit := func(x *Scalar) {
			from := x.step
			if x.Op == "ref" && x.Index < len(s.in) {
				from = s.in[x.Index]
			}
			if (x.Op == "ref" || x.Op == "single") && from != nil {
				if given, ok := of[from][x.Text]; ok {
					o.numbers.add(given.numbers)
					o.members.add(given.members)
				}
			}
		}
		(&step{cols: []column{c}}).scalars(visit)
		series.scalars(visit)
	}
	return own
}
