// Command mutate changes one guard of the program at a time and runs the tests: a change that no test notices is a guard
// that nothing holds in place.
//
//	go run ./scripts/mutate -pkg backend/frameql -files 'refuse*.go,paths.go' -n 100 -test './backend/frameql/... -run Refus'
//
// The checkout is never touched: a mutant is a file of its own, which an overlay puts in the place of the real one while
// the tests are built. The same flags give the same mutants.
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
  drop     a && b, a || b       becomes  a, and another mutant b
  compare  <  <=  >  >=  == !=  becomes  <= <  >= >  != ==
  refuse   r.refuse(...)        is not called any more: statements that call what -calls matches
  return   if cond { return }   goes on instead: also break and continue, at the end of a block of an if or a case

A mutant is killed when the tests fail or run out of time, and survives when they pass. One that does not compile counts
for neither. The exit status is 1 when less than -least percent are killed, and when the tests fail without a mutant.

Flags:
`

type options struct {
	pkg, files, test, kinds, calls string
	n, jobs                        int
	seed                           uint64
	least                          float64
	timeout                        time.Duration
	list                           bool
}

func main() {
	var o options
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.StringVar(&o.pkg, "pkg", "", "folder of the package whose guards are changed")
	flag.StringVar(&o.files, "files", "*.go", "patterns of its files, separated by commas; tests are never changed")
	flag.StringVar(&o.test, "test", "", "arguments of go test, separated by blanks; by default the package itself")
	flag.StringVar(&o.kinds, "kinds", strings.Join(allKinds, ","), "kinds of mutants")
	flag.StringVar(&o.calls, "calls", "^(refuse|fail|problem|reject|deny|miss)", "names of the functions that the kind refuse leaves out, a regular expression, in any case")
	flag.IntVar(&o.n, "n", 0, "how many mutants, drawn from all; 0: all")
	flag.IntVar(&o.jobs, "jobs", 1, "how many at the same time")
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	flag.Float64Var(&o.least, "least", 0, "percent that must be killed")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "of the tests of one mutant")
	flag.BoolVar(&o.list, "list", false, "only list the mutants")
	flag.Parse()
	if o.pkg == "" {
		flag.Usage()
		os.Exit(2)
	}
	if o.test == "" {
		o.test = "./" + strings.TrimPrefix(o.pkg, "./")
	}
	killed, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if killed < o.least {
		os.Exit(1)
	}
}

// run gives the percentage of mutants that were killed.
func run(o options) (float64, error) {
	mutants, err := find(o)
	if err != nil {
		return 0, err
	}
	total := len(mutants)
	mutants = draw(mutants, o.n, o.seed)
	fmt.Printf("%d mutants, %d of them drawn\n", total, len(mutants))
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
	if out, passed := execute(o, "", 0); !passed {
		return 0, fmt.Errorf("the tests fail without a mutant\n%s", out)
	}
	try(o, dir, mutants)
	return report(mutants), nil
}

// report lists what survived and counts the rest by kind.
func report(mutants []*mutant) float64 {
	type count struct{ killed, survived, broken int }
	counts := map[string]*count{}
	sum := &count{}
	for _, m := range mutants {
		if counts[m.kind] == nil {
			counts[m.kind] = &count{}
		}
		for _, c := range []*count{counts[m.kind], sum} {
			switch m.fate {
			case killed:
				c.killed++
			case survived:
				c.survived++
			default:
				c.broken++
			}
		}
		if m.fate == survived {
			fmt.Println("survived", m)
		}
	}
	share := func(c *count) float64 { return 100 * float64(c.killed) / float64(max(c.killed+c.survived, 1)) }
	line := func(name string, c *count) {
		fmt.Printf("%-8s %4d killed %4d survived %4d did not compile %6.1f %%\n", name, c.killed, c.survived, c.broken, share(c))
	}
	for _, kind := range slices.Sorted(slices.Values(allKinds)) {
		if counts[kind] != nil {
			line(kind, counts[kind])
		}
	}
	line("all", sum)
	return share(sum)
}
