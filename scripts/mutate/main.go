// Command mutate changes one guard of the program at a time and runs the tests: a change that no test notices is a guard
// that nothing holds in place.
//
//	go run ./scripts/mutate -pkg backend/frameql -files 'refuse*.go,paths.go' -n 100 \
//		-test 'CGO_ENABLED=0 ./backend/frameql -test.run Corpus' -test 'ASSAY_CASES=300 ./backend/frameql/frameqltest'
//
// Every mutant is compiled into the same test binary, where an environment variable chooses one of them: a mutant costs a
// run and no build. The checkout is never touched, for an overlay puts the changed files in the place of the real ones.
// The same flags give the same mutants.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

const usage = `mutate [flags]: change one guard at a time and see whether a test fails

Kinds of mutants (-kinds):
  negate   if cond {            becomes  if !(cond) {         also in a case of a switch without a tag
  never    if cond {            becomes  if false {           where the kinds refuse and return would not do the same
  drop     a && b, a || b       becomes  a, and another mutant b
  compare  <  <=  >  >=  == !=  becomes  <= <  >= >  != ==
  refuse   r.refuse(...)        is not called any more: statements that call what -calls matches
  return   if cond { return }   goes on instead: also break and continue, at the end of a block of an if or a case

A guard is a condition before a block that ends with a jump, or that refuses or warns; so is a condition that a function
gives back or a variable keeps. The conditions of loops and of other blocks are not mutated. A jump is left in place where
the code ends anyway, and behind a refusal: the query is refused all the same. A guard that only hands on that something
is not there, if x == nil || !ok { return nil }, is negated and nothing else, for the refusal stands where it was missed.

A mutant is killed when the tests fail or run out of time or memory, and survives when they pass. The tests (-test) are
tried in their order, so the fast ones go first; a mutant that the tests never come across survives without a run. One
that stands in the list of equivalent mutants, with the reason why no input can tell it from the program, counts for
neither. The exit status is 1 when less than -least percent are killed, and 2 when the tests fail without a mutant.

Flags:
`

type options struct {
	pkg, files, kinds, calls, equivalent string
	tests                                []suite
	n, jobs                              int
	seed                                 uint64
	least                                float64
	timeout                              time.Duration
	list                                 bool
}

func main() {
	var o options
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.StringVar(&o.pkg, "pkg", "", "folder of the package whose guards are changed")
	flag.StringVar(&o.files, "files", "*.go", "patterns of its files, separated by commas; tests are never changed")
	flag.Func("test", "tests to run: variables, a package and arguments of its test binary; may be repeated; by default the package itself", func(s string) error {
		t, err := readSuite(s)
		o.tests = append(o.tests, t)
		return err
	})
	flag.StringVar(&o.kinds, "kinds", strings.Join(allKinds, ","), "kinds of mutants")
	flag.StringVar(&o.calls, "calls", "^(refuse|fail|problem|reject|deny|miss|notice|warn)", "names of the functions that refuse or warn, which the kind refuse leaves out, a regular expression, in any case")
	flag.StringVar(&o.equivalent, "equivalent", "scripts/mutate/equivalent.txt", "list of the mutants that mean the same as the program")
	flag.IntVar(&o.n, "n", 0, "how many mutants, drawn from all; 0: all")
	flag.IntVar(&o.jobs, "jobs", 1, "how many at the same time")
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	flag.Float64Var(&o.least, "least", 0, "percent that must be killed")
	flag.DurationVar(&o.timeout, "timeout", 30*time.Second, "the least time that a run of tests has; it has ten times what it takes without a mutant")
	flag.BoolVar(&o.list, "list", false, "only list the mutants")
	flag.Parse()
	if o.pkg == "" {
		flag.Usage()
		os.Exit(2)
	}
	if o.tests == nil {
		o.tests = []suite{{pkg: "./" + strings.TrimPrefix(o.pkg, "./")}}
	}
	killed, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if killed < o.least {
		fmt.Fprintf(os.Stderr, "mutate: %.1f %% of the mutants were killed, fewer than %g %%\n", killed, o.least)
		os.Exit(1)
	}
}

// run gives the percentage of mutants that were killed.
func run(o options) (float64, error) {
	all, err := find(o)
	if err != nil {
		return 0, err
	}
	if err := excuse(all, o); err != nil {
		return 0, err
	}
	mutants := draw(all, o.n, o.seed)
	fmt.Printf("%d mutants, %d of them drawn\n", len(all), len(mutants))
	if o.list {
		for _, m := range mutants {
			fmt.Println(m)
		}
		return 100, nil
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	go func() {
		<-stop
		os.RemoveAll(dir)
		os.Exit(2)
	}()
	overlay, err := weave(mutants, dir)
	if err != nil {
		return 0, err
	}
	for i := range o.tests {
		if err := o.tests[i].build(dir, overlay, i); err != nil {
			return 0, err
		}
		if err := o.tests[i].pass(dir, o.timeout); err != nil {
			return 0, err
		}
	}
	try(o, mutants)
	return report(mutants), nil
}

// report lists what survived and counts the rest by kind.
func report(mutants []*mutant) float64 {
	counts := map[string]*[4]int{}
	sum := &[4]int{}
	for _, m := range mutants {
		if counts[m.kind] == nil {
			counts[m.kind] = &[4]int{}
		}
		counts[m.kind][m.fate]++
		sum[m.fate]++
		if m.fate == survived || m.fate == unreached {
			fmt.Println(m.fate, m)
		}
	}
	share := func(c *[4]int) float64 {
		alive := c[survived] + c[unreached]
		return 100 * float64(c[killed]) / float64(max(c[killed]+alive, 1))
	}
	line := func(name string, c *[4]int) {
		fmt.Printf("%-8s %4d killed %4d survived %4d of them never reached %4d equivalent %6.1f %%\n",
			name, c[killed], c[survived]+c[unreached], c[unreached], c[equivalent], share(c))
	}
	for _, kind := range slices.Sorted(slices.Values(allKinds)) {
		if counts[kind] != nil {
			line(kind, counts[kind])
		}
	}
	line("all", sum)
	return share(sum)
}
