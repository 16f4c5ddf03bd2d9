//go:build cgo

package frameqltest_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
)

type drawn struct {
	w *World
	q string
}

func TestZZSurvey(t *testing.T) {
	from, _ := strconv.Atoi(os.Getenv("ZZ_FROM"))
	n, _ := strconv.Atoi(os.Getenv("ZZ_N"))
	if n == 0 {
		t.Skip()
	}
	gen := rapid.Custom(func(t *rapid.T) drawn { w := DrawWorld(t); return drawn{w, DrawQuery(t, w)} })
	e := openEngine(t)
	bad := 0
	report := func(seed int, d drawn, kind, more, sql string) {
		bad++
		f := fmt.Sprintf("/tmp/w/fx/%d.txt", seed)
		os.WriteFile(f, []byte(kind+"\n"+more+"\n"+reproduction(d.w, d.q, sql)), 0o644)
		lines := strings.Split(more, "\n")
		fmt.Printf("%d %s | %s\n     %s\n", seed, kind, d.q, strings.Join(lines[:min(len(lines), 5)], "\n     "))
	}
	outside := map[string]int{}
	refused, compared, unsure := map[string]int{}, 0, 0
	for seed := from; seed < from+n; seed++ {
		d := gen.Example(seed)
		q, err := frameql.Parse(d.q)
		if err != nil {
			report(seed, d, "parse", err.Error(), "")
			continue
		}
		plan, refusals := frameql.Resolve(q, env(d.w))
		if plan == nil {
			refused[refusals[0].Code]++
			continue
		}
		statement, err := plan.Statement(frameql.DuckDB)
		if err != nil {
			report(seed, d, "compile", err.Error(), "")
			continue
		}
		if err := e.load(d.w); err != nil {
			t.Fatal(err)
		}
		got, err := e.run(statement.SQL)
		if err != nil {
			report(seed, d, "sql", err.Error(), statement.SQL)
			continue
		}
		want, err := d.w.Answer(q)
		if errors.Is(err, ErrUnsure) {
			unsure++
			continue
		}
		if err != nil {
			outside[err.Error()]++
			if os.Getenv("ZZ_OUT") != "" { fmt.Println(seed, "OUTSIDE", err, d.q) }
			continue
		}
		compared++
		if x := Diff(got, want); x != "" {
			report(seed, d, "diff", x, statement.SQL)
		}
	}
	fmt.Println("bad", bad, "compared", compared, "unsure", unsure, "refused", refused, "outside", outside)
}
