package frameql

import (
	"maps"
	"slices"
)

// Steps gives how many tokens the parser looked at, for the test that reading is linear.
func Steps(source string) (int, error) {
	p, err := newParser(source)
	if err != nil {
		return 0, err
	}
	_, err = p.query()
	return p.steps, err
}

// Moment shows the reading of a bound of a period.
func Moment(written string) (canonical, reason string) { return moment(written) }

// Words gives the keywords and the names of functions.
func Words() []string {
	var all []string
	for _, set := range []map[string]bool{reserved, reducers, timeFunctions} {
		all = append(all, slices.Sorted(maps.Keys(set))...)
	}
	return all
}
