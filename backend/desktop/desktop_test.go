package desktop

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"assay/backend/fault"
)

// heldEnv names the folder that a process of this test holds until it is killed.
const heldEnv = "ASSAY_TEST_WINDOW"

func TestMain(m *testing.M) {
	if dir := os.Getenv(heldEnv); dir != "" {
		f, err := Open(dir, "w")
		if err == nil {
			f.BeginDrawing(false)
			_, err = f.Claim(context.Background(), Opening{}, func(there Opening) { fmt.Println("heard", there) })
		}
		fmt.Println("holds", err)
		select {}
	}
	os.Exit(m.Run())
}

func folder(t *testing.T) Folder {
	t.Helper()
	dir, err := os.MkdirTemp("", "a") // a socket wants a short name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	f, err := Open(dir, "w")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A later start hands its files over, absolute, and is no window; another workspace has a window of its own; what was closed may be
// claimed again.
func TestOneWindowForAWorkspace(t *testing.T) {
	f := folder(t)
	heard := make(chan Opening, 3)
	first, err := f.Claim(t.Context(), Opening{}, func(there Opening) { heard <- there })
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	t.Chdir(f.dir)
	for _, words := range [][]string{{"a.csv", "/x/b.csv", "assay://session/s1/r-2"}, nil} {
		named, err := Named(words)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := f.Claim(t.Context(), named, nil); second != nil || err != nil {
			t.Fatal("a second window", second, err)
		}
	}
	here, _ := filepath.Abs(".")
	if got := <-heard; !reflect.DeepEqual(got, Opening{[]string{filepath.Join(here, "a.csv"), "/x/b.csv"}, &Link{"s1", "r-2"}}) {
		t.Errorf("handed over: %v", got)
	}
	if got := <-heard; len(got.Paths) != 0 || got.Link != nil {
		t.Errorf("handed over without files: %v", got)
	}
	other, err := Open(filepath.Dir(f.dir), "another")
	if err != nil {
		t.Fatal(err)
	}
	beside, err := other.Claim(t.Context(), Opening{}, nil)
	if err != nil || beside == nil {
		t.Fatal("another workspace:", err)
	}
	beside.Close()
	first.Close()
	again, err := f.Claim(t.Context(), Opening{}, nil)
	if err != nil || again == nil {
		t.Fatal("claimed again:", err)
	}
	again.Close()
}

// Files come as paths or as addresses of this machine, links in their one form; anything else that calls itself a link is refused by name.
func TestWhatACommandLineNames(t *testing.T) {
	dir, _ := filepath.Abs(".")
	named, err := Named([]string{"file:///data/a%20b.csv", "file://localhost/c.csv"})
	if want := (Opening{Paths: []string{"/data/a b.csv", "/c.csv"}}); err != nil || !reflect.DeepEqual(named, want) {
		t.Errorf("%v %v", named, err)
	}
	// The file of another machine is none of this one; it is a path that is not there.
	if named, err := Named([]string{"file://elsewhere/a.csv"}); err != nil || named.Paths[0] != filepath.Join(dir, "file:/elsewhere/a.csv") {
		t.Errorf("%v %v", named, err)
	}
	for raw, want := range map[string]Link{
		"assay://session/a1/b_2": {"a1", "b_2"}, "assay://session/a1": {Session: "a1"}, "assay://session/a1/": {Session: "a1"},
	} {
		if got, err := ParseLink(raw); err != nil || got != want {
			t.Errorf("%s: %v %v", raw, got, err)
		}
	}
	for _, raw := range []string{
		"assay:", "assay:s.csv", "assay://", "assay://session/", "assay://session/../x", "assay://session/a/b/c", "assay://session/a?x=1", "assay://session/a#b",
		"assay://host/session/a", "assay://session/a%2Fb", "assay://session/a b", "assay://session/" + strings.Repeat("a", 65), "assay://session/ä", "assay://session/a\n",
	} {
		if _, err := Named([]string{raw}); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

// Whatever is written into the socket, the window goes on to hear.
func TestNonsenseInTheSocketIsIgnored(t *testing.T) {
	f := folder(t)
	heard := make(chan Opening, 1)
	first, err := f.Claim(t.Context(), Opening{}, func(there Opening) { heard <- there })
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for _, nonsense := range []string{"", "\n", "GET / HTTP/1.1\r\n\r\n", `{"paths":"x"}`, `[`, `{"paths":[],"link":{"session":"../x"}}`} {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "unix", f.path(".sock"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(nonsense))
		c.Close()
	}
	if second, err := f.Claim(t.Context(), Opening{Paths: []string{"/x"}}, nil); second != nil || err != nil {
		t.Fatal(err)
	}
	if got := <-heard; !reflect.DeepEqual(got.Paths, []string{"/x"}) {
		t.Errorf("%v", got)
	}
}

// A window that was killed leaves its socket and its word that nothing is painted: the next one opens, and is safe.
func TestAKilledWindowLocksNobodyOut(t *testing.T) {
	f := folder(t)
	held := exec.Command(os.Args[0])
	held.Env = append(os.Environ(), heldEnv+"="+filepath.Dir(f.dir))
	out, err := held.StdoutPipe()
	if err == nil {
		err = held.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "holds <nil>\n" {
		t.Fatal(line, err)
	}
	if second, err := f.Claim(t.Context(), Opening{}, nil); second != nil || err != nil {
		t.Fatalf("while it lives: %v %v", second, err)
	}
	_ = held.Process.Kill()
	_ = held.Wait()
	if _, err := os.Stat(f.path(".sock")); err != nil {
		t.Errorf("the killed process took its socket away; this proves nothing: %v", err)
	}
	first, err := f.Claim(t.Context(), Opening{}, nil)
	if err != nil || first == nil {
		t.Fatal("after it was killed:", err)
	}
	first.Close()
	if g := f.BeginDrawing(false); g != (Graphics{Safe: true, Crashed: true}) {
		t.Errorf("after a crash before the first picture: %+v", g)
	}
}

// A first one that holds the lock and does not answer is a conflict, and says so in time.
func TestAWindowThatDoesNotAnswer(t *testing.T) {
	f := folder(t)
	first, err := f.Claim(t.Context(), Opening{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_ = first.socket.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := f.Claim(ctx, Opening{}, nil); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("%v", err)
	}
}

func TestTheWindowComesBackWhereItCanBeReached(t *testing.T) {
	laptop, beside := Screen{0, 30, 1280, 770}, Screen{1280, 0, 1920, 1080}
	was := Place{X: 1500, Y: 100, Width: 1400, Height: 900}
	for _, c := range []struct {
		name    string
		was     Place
		screens []Screen
		want    Place
	}{
		{"nothing has changed", was, []Screen{laptop, beside}, was},
		{"its monitor is gone", was, []Screen{laptop}, Place{X: 0, Y: 30, Width: 1280, Height: 770}},
		{"a small one whose monitor is gone", Place{X: 4000, Y: 100, Width: 800, Height: 600, Maximised: true}, []Screen{laptop}, Place{X: 240, Y: 115, Width: 800, Height: 600, Maximised: true}},
		{"half of it hangs out", Place{X: 900, Y: 200, Width: 800, Height: 600}, []Screen{laptop}, Place{X: 900, Y: 200, Width: 800, Height: 600}},
		{"only a strip of it is there", Place{X: 1270, Y: 200, Width: 800, Height: 600}, []Screen{laptop}, Place{X: 240, Y: 115, Width: 800, Height: 600}},
		{"its title is above the screen", Place{X: 100, Y: -500, Width: 800, Height: 600}, []Screen{laptop}, Place{X: 240, Y: 115, Width: 800, Height: 600}},
		{"to the left of the first screen", Place{X: -1800, Y: 50, Width: 800, Height: 600}, []Screen{laptop, {-1920, 0, 1920, 1080}}, Place{X: -1800, Y: 50, Width: 800, Height: 600}},
		{"too small to use", Place{X: 10, Y: 40, Width: 5, Height: 5}, []Screen{laptop}, Place{X: 452, Y: 165, Width: 375, Height: 500}},
		{"a screen smaller than the least window", was, []Screen{{0, 0, 320, 240}}, Place{Width: 320, Height: 240}},
		{"nothing is known of screens", was, nil, was},
	} {
		if got := c.was.Fit(c.screens); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestThePlaceIsRememberedForEachWorkspace(t *testing.T) {
	f := folder(t)
	if p, known := f.LastPlace(); known {
		t.Errorf("known before: %+v", p)
	}
	want := Place{X: -5, Y: 7, Width: 900, Height: 700, Maximised: true}
	f.KeepPlace(want)
	if p, known := f.LastPlace(); !known || p != want {
		t.Errorf("%+v %v", p, known)
	}
	if other, _ := Open(filepath.Dir(f.dir), "another"); other.name == f.name {
		t.Error("two workspaces share a name")
	} else if p, known := other.LastPlace(); known {
		t.Errorf("another workspace knows %+v", p)
	}
	for _, damaged := range []string{"", "{", `{"width":0,"height":5}`, `{"x":99999999,"y":1,"width":5,"height":5}`, `{"x":"1"}`} {
		if err := os.WriteFile(f.path(".place.json"), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if p, known := f.LastPlace(); known {
			t.Errorf("%q: %+v", damaged, p)
		}
	}
}

func TestCardsAreFound(t *testing.T) {
	for name, want := range map[string]bool{"dri/card0": true, "dri/renderD128": true, "dxg": true, "nvidia0": true, "null": false, "dri": false, "nvidiactl": false} {
		if got := HasCard(fstest.MapFS{name: {}}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSafeMode(t *testing.T) {
	f := folder(t)
	begin := func(asked bool, want Graphics) {
		t.Helper()
		if got := f.BeginDrawing(asked); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	begin(false, Graphics{})
	f.Painted()
	begin(true, Graphics{Safe: true}) // for this start alone
	f.Painted()
	begin(false, Graphics{}) // and this one dies without a picture
	begin(false, Graphics{Safe: true, Crashed: true})
	f.Painted()
	begin(false, Graphics{Safe: true, Crashed: true}) // it stays so: the card is not mended by one start without it
	f.Painted()
	if err := f.TryGraphics(); err != nil {
		t.Fatal(err)
	}
	begin(false, Graphics{})
}
