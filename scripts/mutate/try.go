package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// suite is a run of tests: a package, its variables and the arguments of its test binary.
type suite struct {
	pkg    string
	env    []string
	args   []string
	binary string
	dir    string
	met    map[int]bool // the mutants that it comes across
	limit  time.Duration
}

var variable = regexp.MustCompile(`^[A-Z_]+=`)

func readSuite(text string) (suite, error) {
	words := strings.Fields(text)
	var s suite
	for len(words) > 0 && variable.MatchString(words[0]) {
		s.env, words = append(s.env, words[0]), words[1:]
	}
	if len(words) == 0 {
		return s, fmt.Errorf("%q names no package", text)
	}
	s.pkg, s.args = words[0], words[1:]
	return s, nil
}

// build makes the test binary with every mutant in it.
func (s *suite) build(dir, overlay string, i int) error {
	var err error
	if s.dir, err = filepath.Abs(s.pkg); err != nil {
		return err
	}
	s.binary = filepath.Join(dir, "tests"+strconv.Itoa(i))
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", s.binary, s.pkg)
	cmd.Env = append(os.Environ(), s.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s does not build: %w\n%s", s.pkg, err, out)
	}
	return nil
}

// pass runs the tests without a mutant: they pass, and show what they come across and how long they take.
func (s *suite) pass(dir string, least time.Duration) error {
	list := filepath.Join(dir, "met")
	defer os.Remove(list)
	start := time.Now()
	if out, passed := s.run(30*time.Minute, "ASSAY_MUTANTS_MET="+list); !passed {
		return fmt.Errorf("the tests of %s fail without a mutant\n%s", s.pkg, out)
	}
	took := time.Since(start)
	s.limit = max(least, 10*took) // a mutant may be slower without being wrong, and others use the machine
	s.met = map[int]bool{}
	met, err := os.ReadFile(list)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, line := range strings.Fields(string(met)) {
		if n, err := strconv.Atoi(line); err == nil {
			s.met[n] = true
		}
	}
	fmt.Printf("%s %s: %d mutants met in %.1f s\n", s.pkg, strings.Join(s.args, " "), len(s.met), took.Seconds())
	return nil
}

// memory bounds a run, in kB: a mutant may ask for more and more.
const memory = 12_000_000

func (s *suite) run(limit time.Duration, env ...string) (out string, passed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := append([]string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, memory), s.binary, "-test.failfast"}, s.args...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir, cmd.Env = s.dir, append(append(os.Environ(), s.env...), env...)
	cmd.WaitDelay = 5 * time.Second
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	err := cmd.Run()
	return text.String(), err == nil
}

// try runs the tests of every mutant.
func try(o options, mutants []*mutant) {
	var wait sync.WaitGroup
	var printing sync.Mutex
	next := make(chan int)
	done := 0
	for range max(o.jobs, 1) {
		wait.Go(func() {
			for i := range next {
				m := mutants[i]
				m.fate = fateOf(o, m, i)
				printing.Lock()
				done++
				fmt.Printf("%d/%d %s %s\n", done, len(mutants), m.fate, m)
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

func fateOf(o options, m *mutant, i int) fate {
	if m.fate == equivalent {
		return equivalent
	}
	end := unreached
	for _, s := range o.tests {
		if !s.met[i] {
			continue
		}
		end = survived
		if _, passed := s.run(s.limit, "ASSAY_MUTANT="+strconv.Itoa(i)); !passed {
			return killed
		}
	}
	return end
}
