package workspace

import (
	"strings"

	"assay/backend/interpret"
	"assay/backend/semantic"
)

// facts answers what the resolver asks of the data, from what was measured.
type facts struct {
	attestation
	values map[string]interpret.ValueSet // by dimensionKey
	model  *semantic.Model
}

func (f facts) rowsOf(entity string) int64 { return f.rows[strings.ToLower(entity)] }

func (f facts) uniqueOf(entity string, dimensions []string) (unique, known bool) {
	unique, known = f.unique[uniqueKey(entity, dimensions)]
	return unique, known
}

func (f facts) valuesOf(dimension string) (values []string, complete bool) {
	set := f.values[strings.ToLower(dimension)]
	return set.Values, set.Complete
}

// distinctOf gives about how many values a dimension has: as counted for a column, else as far as its values are known.
func (f facts) distinctOf(dimension string) int64 {
	if n, ok := f.distinct[strings.ToLower(dimension)]; ok {
		return n
	}
	if values, complete := f.valuesOf(dimension); complete {
		return int64(len(values))
	}
	d := f.model.Dimension(dimension)
	switch {
	case d == nil:
		return 0
	case d.Type == semantic.Boolean:
		return 2
	case d.DerivedFrom != "":
		return int64(len(d.Map)) + 1 // and the default
	default:
		return 0
	}
}

// valueSets finds the values of a dimension by its name.
func (m measured) valueSets() map[string]interpret.ValueSet {
	sets := make(map[string]interpret.ValueSet, len(m.Values))
	for _, s := range m.Values {
		sets[dimensionKey(s.Entity, s.Dimension)] = s
	}
	return sets
}
