package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/backend/store"
)

// TestMain lets the scripts call `assay` as a process of its own, with a page that is only a heading, which keeps no frames of its own accord; `assay-window`,
// the same with a window that only says what it was started with; `assay-patient`, to which nothing takes too long; `assay-keeps`, to which
// every question is worth a frame as well; `assay-asked`, at whose standard input somebody sits.
func TestMain(m *testing.M) {
	if status, asked := store.Work(os.Args[1:]); asked {
		os.Exit(status)
	}
	program := Program{Version: "v0.0.0-test", Page: fstest.MapFS{"index.html": {Data: []byte("<h1>Assay</h1>")}}}
	testscript.Main(m, map[string]func(){
		"assay": func() {
			confine()
			program.Frames = store.FramesOptions{Saves: time.Hour} // what is kept must not depend on how fast the machine is
			os.Exit(Main(os.Args[1:], program))
		},
		"assay-keeps": func() {
			confine()
			program.Frames = store.FramesOptions{Saves: 1, Opening: -1, Quiet: 1, Wait: time.Minute, Parting: time.Minute}
			os.Exit(Main(os.Args[1:], program))
		},
		"assay-patient": func() {
			program.Frames = store.FramesOptions{Wait: time.Minute, Parting: time.Minute}
			os.Exit(Main(os.Args[1:], program))
		},
		"assay-asked": func() {
			program.Terminal = func(io.Reader) bool { return true }
			os.Exit(Main(os.Args[1:], program))
		},
		"assay-window": func() {
			program.Window = func(_ context.Context, w WindowStart) error {
				fmt.Println("window of", w.Workspace, "safe", w.Safe, "opens", w.Words)
				return nil
			}
			os.Exit(Main(os.Args[1:], program))
		},
	})
}

func TestScripts(t *testing.T) {
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		shared = "../../../shared"
	}
	shared, err := filepath.Abs(shared)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("ASSAY_HOME", filepath.Join(e.WorkDir, "home-of-assay"))
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("SHARED", shared)
			me, err := user.Current()
			if err == nil {
				e.Setenv("ME", me.Username)
			}
			return err
		},
		Condition: func(c string) (bool, error) {
			if c == "shared" {
				_, err := os.Stat(shared)
				return err == nil, nil
			}
			return false, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repeat": repeatText,
			"field":  fieldOf,
			"fill":   fillIn,
		},
	})
}

// repeatText writes a file of a text repeated: repeat FILE COUNT TEXT.
func repeatText(ts *testscript.TestScript, _ bool, args []string) {
	count := 0
	for _, digit := range args[1] {
		count = count*10 + int(digit-'0')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], count)), 0o644))
}

// fillIn writes variables of the script over their names in a file, $NAME: fill FILE.
func fillIn(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(os.Expand(ts.ReadFile(args[0]), ts.Getenv)), 0o644))
}

// fieldOf keeps the first text of a field in the JSON on standard output, or in a file: field VARIABLE NAME [FILE].
func fieldOf(ts *testscript.TestScript, _ bool, args []string) {
	found := regexp.MustCompile(`"` + regexp.QuoteMeta(args[1]) + `":"([^"]*)"`).FindStringSubmatch(ts.ReadFile(append(args, "stdout")[2]))
	if found == nil {
		ts.Fatalf("no field %s", args[1])
	}
	ts.Setenv(args[0], found[1])
}

// The engine's plan stands before the statement as comments, so that the whole can be pasted; nothing runs.
func TestExplainedSQL(t *testing.T) {
	out := run(t, assay(t, t.TempDir(), "sql", "--sample", "northwind", "--explain", `SELECT "ShipCountry", count(*) FROM "Orders" GROUP BY 1`))
	for _, said := range []string{"Nothing ran", "-- Plan of the engine:", "SEQ_SCAN Orders (about", "\nSELECT \"ShipCountry\""} {
		out.says(t, said)
	}
}
