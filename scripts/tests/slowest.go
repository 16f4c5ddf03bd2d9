package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// slowest prints the n tests and checks that took longest, by the files that the last runs have left. A test with parts is listed once.
func slowest(n int) error {
	files, err := filepath.Glob(filepath.Join(times, "*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no run has left its times in %s: run make test first", times)
	}
	type one struct {
		event
		suite string
	}
	var all []one
	total := map[string]float64{}
	for _, file := range files {
		suite := strings.TrimSuffix(filepath.Base(file), ".json")
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(content)) {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil || (e.Action != "pass" && e.Action != "fail") {
				continue
			}
			if e.Test == "" || strings.Contains(e.Test, "/") && suite != "page" && suite != "window" {
				continue // a package, or a part of a test
			}
			total[suite] += e.Elapsed
			all = append(all, one{e, suite})
		}
	}
	slices.SortStableFunc(all, func(a, b one) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	for _, t := range all[:min(n, len(all))] {
		fmt.Printf("%7.1f s  %-8s %s %s\n", t.Elapsed, t.suite, t.Package, t.Test)
	}
	for _, suite := range slices.Sorted(maps.Keys(total)) {
		fmt.Printf("%7.1f s  %-8s all\n", total[suite], suite)
	}
	return nil
}
