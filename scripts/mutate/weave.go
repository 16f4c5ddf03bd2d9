package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// chooser stands beside the changed files: it says whether a mutant is the chosen one, and notes which ones are met.
const chooser = `package %s

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

var (
	chosenMutant = func() int {
		n, err := strconv.Atoi(os.Getenv("ASSAY_MUTANT"))
		if err != nil {
			return -1
		}
		return n
	}()
	metMutants = os.Getenv("ASSAY_MUTANTS_MET")
	metMutant  sync.Map
)

func mutant(n int) bool {
	if metMutants != "" {
		if _, known := metMutant.LoadOrStore(n, true); !known {
			f, err := os.OpenFile(metMutants, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(f, n)
			f.Close()
		}
	}
	return n == chosenMutant
}
`

// weave writes the changed files and the overlay that puts them in their places, and gives its name.
func weave(mutants []*mutant, dir string) (string, error) {
	byFile := map[string][]int{}
	for i, m := range mutants {
		byFile[m.file] = append(byFile[m.file], i)
	}
	replace := map[string]string{}
	for file, numbers := range byFile {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		changed, err := format.Source([]byte(woven(string(source), mutants, numbers)))
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		real, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		name := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(name, changed, 0o600); err != nil {
			return "", err
		}
		replace[real] = name
		name = filepath.Join(dir, "chooser.go")
		if err := os.WriteFile(name, fmt.Appendf(nil, chooser, packageOf(string(source))), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(filepath.Dir(real), "chosen_mutant.go")] = name
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o600)
}

func packageOf(source string) string {
	for _, line := range strings.Split(source, "\n") {
		if name, ok := strings.CutPrefix(line, "package "); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// woven gives a file with what the mutants write around their parts, which lie within each other like parentheses.
func woven(source string, mutants []*mutant, numbers []int) string {
	slices.SortStableFunc(numbers, func(i, j int) int {
		a, b := mutants[i], mutants[j]
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var b strings.Builder
	var open []int
	at := 0
	copyTo := func(end int) {
		b.WriteString(source[at:end])
		at = end
	}
	closeUpTo := func(start int) {
		for len(open) > 0 && mutants[open[len(open)-1]].end <= start {
			m := open[len(open)-1]
			open = open[:len(open)-1]
			copyTo(mutants[m].end)
			b.WriteString(mutants[m].after(call(m)))
		}
	}
	for _, i := range numbers {
		closeUpTo(mutants[i].start)
		copyTo(mutants[i].start)
		b.WriteString(mutants[i].before(call(i)))
		open = append(open, i)
	}
	closeUpTo(len(source))
	copyTo(len(source))
	return b.String()
}

func call(n int) string { return fmt.Sprintf("mutant(%d)", n) }
