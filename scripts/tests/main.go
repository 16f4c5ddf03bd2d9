// Tests runs Go tests as the Makefile wants them, and lists what took longest.
//
//	go run ./scripts/tests run race -race ./...      go test with these arguments; times go to build/times/race.json
//	go run ./scripts/tests run unit -servers ./...   the same, with one database server of each kind for all packages
//	go run ./scripts/tests slowest 30                the slowest tests and checks of everything in build/times
package main

import (
	"fmt"
	"os"
	"strconv"
)

const times = "build/times"

func main() {
	status, err := work(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 2
	}
	os.Exit(status)
}

func work(args []string) (status int, err error) {
	switch {
	case len(args) >= 3 && args[0] == "run":
		return run(args[1], args[2:])
	case len(args) == 2 && args[0] == "slowest":
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return 0, fmt.Errorf("%q is not a number of tests", args[1])
		}
		return 0, slowest(n)
	}
	return 0, fmt.Errorf("usage: scripts/tests run NAME [-servers] ARGUMENTS-OF-GO-TEST | scripts/tests slowest NUMBER")
}
