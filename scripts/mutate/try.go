package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// try runs the tests of every mutant.
func try(o options, dir string, mutants []*mutant) {
	var wait sync.WaitGroup
	var printing sync.Mutex
	next := make(chan int)
	done := 0
	for range max(o.jobs, 1) {
		wait.Go(func() {
			for i := range next {
				m := mutants[i]
				m.fate = m.try(o, dir, i)
				printing.Lock()
				done++
				fmt.Printf("%d/%d %s %s\n", done, len(mutants), [...]string{"did not compile", "killed", "SURVIVED"}[m.fate], m)
				printing.Unlock()
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	wait.Wait()
}

// try builds and tests the program with the mutant in the place of its file.
func (m *mutant) try(o options, dir string, i int) fate {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return broken
	}
	changed := string(source[:m.start]) + m.text + string(source[m.end:])
	real, err := filepath.Abs(m.file)
	if err != nil {
		return broken
	}
	name := filepath.Join(dir, strconv.Itoa(i))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{real: name + ".go"}})
	if err != nil || os.WriteFile(name+".go", []byte(changed), 0o600) != nil || os.WriteFile(name+".json", overlay, 0o600) != nil {
		return broken
	}
	defer os.Remove(name + ".go")
	defer os.Remove(name + ".json")
	if !compiles(o, name+".json") {
		return broken
	}
	if _, passed := execute(o, name+".json", o.timeout.Seconds()); passed {
		return survived
	}
	return killed
}

func compiles(o options, overlay string) bool {
	return exec.Command("go", "build", "-overlay", overlay, "./"+strings.TrimPrefix(filepath.Clean(o.pkg), "./")).Run() == nil
}

// execute runs the tests; seconds bounds them, 0 does not.
func execute(o options, overlay string, seconds float64) (out string, passed bool) {
	args := []string{"test", "-vet=off", "-failfast"}
	ctx := context.Background()
	if overlay != "" {
		args = append(args, "-overlay", overlay, "-timeout", strconv.Itoa(int(seconds))+"s")
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 2*o.timeout) // building takes its time too
		defer cancel()
	}
	text, err := exec.CommandContext(ctx, "go", append(args, strings.Fields(o.test)...)...).CombinedOutput()
	return string(text), err == nil
}
