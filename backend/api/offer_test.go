package api

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/session"
)

// A drop that a script pretends shows a person what it would take, and takes nothing without a yes.
func TestForgedDropsTakeNothing(t *testing.T) {
	server, _ := serving(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"sales.csv", "UP.CSV.GZ", "secret.pem", "new\nline.csv"} {
		if err := os.WriteFile(in(name), []byte("a,b\n1,2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(in("folder.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"harmless.csv": "secret.pem", "again.csv": "sales.csv"} {
		if err := os.Symlink(in(to), in(link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	paths := []string{
		"/etc/passwd", "/dev/zero", in("gone.csv"), in("folder.csv"), in("secret.pem"), in("harmless.csv"), in("new\nline.csv"), "sales.csv", "", "\x00",
		in("sales.csv"), in("again.csv"), in("UP.CSV.GZ"), dir + "/folder.csv/../sales.csv",
	}
	want := []string{in("sales.csv"), in("UP.CSV.GZ")}
	var shown []string
	if got := server.OfferDropped(paths, func(p []string) bool { shown = p; return false }); got.Files != nil || !reflect.DeepEqual(shown, want) {
		t.Errorf("refused: %v; shown %v, want %v", got, shown, want)
	}
	if len(server.uploads.paths) != 0 {
		t.Errorf("refused, and known: %v", server.uploads.paths)
	}
	dropped := server.OfferDropped(paths, func([]string) bool { return true })
	files := dropped.Files
	var refused []string
	for _, one := range dropped.Refused { // by their names alone: whether they are there is not said
		refused = append(refused, one.File)
	}
	if want := []string{"passwd", "zero", "secret.pem", "\x00"[1:]}; !reflect.DeepEqual(refused, want) {
		t.Errorf("refused: %q, want %q", refused, want)
	}
	if len(files) != 2 || files[0].Name != "sales.csv" || len(files[0].Token) != 64 || strings.Contains(files[0].Token, "sales") {
		t.Errorf("confirmed: %+v", files)
	}
	if path, err := server.uploads.path(files[0].Token); err != nil || path != want[0] {
		t.Errorf("%s, %v", path, err)
	}
	for _, forged := range []string{"", strings.ToUpper(files[0].Token), files[0].Token + "0", in("sales.csv"), "../" + files[0].Token} {
		if _, err := server.uploads.path(forged); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("token %q: %v", forged, err)
		}
	}
	asked := 0
	server.OfferDropped([]string{"/etc/passwd"}, func([]string) bool { asked++; return true })
	server.OfferDropped(paths, func([]string) bool {
		asked++
		server.OfferDropped(paths, func([]string) bool { asked++; return true }) // while a person is being asked
		return false
	})
	if asked != 1 {
		t.Errorf("a person was asked %d times", asked)
	}
	if got := server.OfferChosen([]string{in("sales.csv"), in("secret.pem")}); len(got.Files) != 1 || len(got.Refused) != 1 || got.Look {
		t.Errorf("chosen: %+v", got)
	}
}

// Whatever the program is started with, each file is offered or it is said by name why not and what to do.
func TestFilesTheProgramIsStartedWith(t *testing.T) {
	server, _ := serving(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"sales.csv", "mine.assay", "notes.pdf"} {
		if err := os.WriteFile(in(name), []byte("a,b\n1,2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(in("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(in("notes.pdf"), in("notes.csv")); err != nil {
		t.Fatal(err)
	}
	got := server.OfferOpened([]string{in("sales.csv"), in("mine.assay"), in("notes.pdf"), in("folder"), in("gone.parquet"), in("notes.csv"), in("\u202eevil.exe")})
	if len(got.Files) != 1 || got.Files[0].Name != "sales.csv" || len(got.Sessions) != 1 || got.Sessions[0].Name != "mine.assay" || !got.Look {
		t.Errorf("offered: %+v %+v", got.Files, got.Sessions)
	}
	want := []struct{ file, code, says string }{
		{"notes.pdf", "invalid", "notes.pdf is of no kind that can be imported. These endings can be: .csv"},
		{"folder", "invalid", "folder is a folder. Open the files in it"},
		{"gone.parquet", "not_found", "There is no file gone.parquet."},
		{"notes.csv", "invalid", "notes.csv is no ordinary file"},
		{"evil.exe", "invalid", "evil.exe is of no kind"},
	}
	if len(got.Refused) != len(want) {
		t.Fatalf("refused: %+v", got.Refused)
	}
	for i, w := range want {
		r := got.Refused[i]
		if r.File != w.file || r.Problem.Code != w.code || !strings.HasPrefix(r.Problem.Message+" "+r.Problem.Hint, w.says) || r.Problem.Hint == "" {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
	many := make([]string, offeredAtOnce+7)
	for i := range many {
		many[i] = in("sales.csv")
	}
	if got := server.OfferOpened(many); len(got.Files) != 1 || len(got.Refused) != 1 || !strings.Contains(got.Refused[0].Problem.Message, "7 more files") {
		t.Errorf("many: %d files, %+v", len(got.Files), got.Refused)
	}
	if !server.OfferOpened(nil).Empty() {
		t.Error("nothing is something")
	}
}

func TestUploadsThatWaitAreBounded(t *testing.T) {
	u := newUploads(t.TempDir(), time.Now())
	for range uploadsHeld {
		if _, err := u.receive("a.csv", strings.NewReader("a\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := u.receive("a.csv", strings.NewReader("a\n")); fault.CodeOf(err) != fault.Limit {
		t.Errorf("one more: %v", err)
	}
}

func TestNamesOfUploads(t *testing.T) {
	for given, want := range map[string]string{
		"a.csv": "a.csv", "../../a.csv": "a.csv", `C:\x\a.csv`: "a.csv", "/etc/passwd": "passwd", "ü b.csv": "ü b.csv",
		"": "", ".": "", "..": "", "a/..": "", "a/": "", "a\x00.csv": "", "a\n.csv": "", "a\u202egpj.csv": "", "\xff": "", strings.Repeat("a", 256): "",
	} {
		got, ok := plainName(given)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", given, got, ok)
		}
	}
}

func TestOnlyPlainAddressesAreOpened(t *testing.T) {
	l := &links{now: func() time.Time { return noon }}
	for _, good := range []string{"https://example.com", "https://Example.com/a?b=c#d", "https://sub.example.co.uk:8443/"} {
		if link, err := l.issue(good); err != nil || !strings.HasPrefix(link.URL, "https://") || strings.ToLower(link.Host) != link.Host {
			t.Errorf("%s: %+v, %v", good, link, err)
		}
	}
	for _, bad := range []string{
		"", "http://example.com", "javascript:alert(1)", "file:///etc/passwd", "smb://example.com/x", "vscode://x", "mailto:a@example.com", "data:text/html,x",
		"//example.com", "https:example.com", "https:/example.com", "https://", "https:///x", "https://user@example.com", "https://user:pw@example.com",
		"https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://0x7f.0.0.1.", "https://example.com.", "https://exa mple.com", "https://example.com/\nx",
		"https://еxample.com", "https://example.com/\u202e", `https://example.com\@evil.example`, "https://evil..example", "https://%65xample.com", " https://example.com", "ms-search:x",
	} {
		if link, err := l.issue(bad); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %+v, %v", bad, link, err)
		}
	}
}

func TestLinksAreOpenedOnceAndSoon(t *testing.T) {
	now := noon
	l := &links{now: func() time.Time { return now }}
	first, _ := l.issue("https://example.com/1")
	second, _ := l.issue("https://example.com/2")
	if got, err := l.take(first.ID); err != nil || got.URL != "https://example.com/1" {
		t.Errorf("%+v, %v", got, err)
	}
	now = now.Add(linkLife)
	for name, id := range map[string]string{"taken": first.ID, "old": second.ID, "made up": "x", "empty": "", "an address": "https://example.com/2"} {
		if _, err := l.take(id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 300 {
		_, _ = l.issue("https://example.com/3")
	}
	if len(l.all) != linksHeld {
		t.Errorf("%d are held", len(l.all))
	}
}

// sessionNamed writes a session under a name: as a package, or alone as JSON.
func sessionNamed(t *testing.T, path string, bare bool) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	document := session.File{Format: session.FileFormat, Version: session.FileVersion, ID: "s", Title: "What came", Turns: []session.FileTurn{}}
	if bare {
		err = session.WriteJSON(f, document)
	} else {
		err = session.NewWriter(f).Close(document, session.Manifest{Contains: session.Contains{Frames: session.FramesWhole}}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A session is known by what is in it, whatever its file is called; what only looks like one by its name stays what it is.
func TestRenamedSessionsAreSessions(t *testing.T) {
	server, _ := serving(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, content := range map[string]string{
		"rows.json": `[{"format": "assay-session"}]`, "one.json": `{"rows": [1, 2], "format": "other"}`, "plain.zip": "PK\x03\x04 no directory", "empty.zip": "",
	} {
		if err := os.WriteFile(in(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sessions := []string{
		sessionNamed(t, in("handed.zip"), false), sessionNamed(t, in("session.json"), true), sessionNamed(t, in("handed.csv"), false), sessionNamed(t, in("mine.assay"), false),
	}
	odd := sessionNamed(t, in("handed.bin"), false)
	paths := append([]string{in("rows.json"), in("one.json"), in("plain.zip"), in("empty.zip"), odd}, sessions...)
	names := func(files []UploadedFile) (all []string) {
		for _, f := range files {
			all = append(all, f.Name)
		}
		return all
	}
	refused := func(o Offered) (all []string) {
		for _, r := range o.Refused {
			all = append(all, r.File)
		}
		return all
	}
	// Chosen by a person: whatever it is called.
	o := server.OfferChosen(paths)
	if got, want := names(o.Sessions), []string{"handed.bin", "handed.zip", "session.json", "handed.csv", "mine.assay"}; !reflect.DeepEqual(got, want) {
		t.Errorf("chosen, sessions: %v", got)
	}
	if got, want := names(o.Files), []string{"rows.json", "one.json"}; !reflect.DeepEqual(got, want) {
		t.Errorf("chosen, files: %v", got)
	}
	if got, want := refused(o), []string{"plain.zip", "empty.zip"}; !reflect.DeepEqual(got, want) {
		t.Errorf("chosen, refused: %v", got)
	}
	// Dropped: by the name until a person said yes, then by what is in it.
	o = server.OfferDropped(paths, func([]string) bool { return true })
	if got, want := names(o.Sessions), []string{"handed.zip", "session.json", "handed.csv", "mine.assay"}; !reflect.DeepEqual(got, want) {
		t.Errorf("dropped, sessions: %v", got)
	}
	if got, want := refused(o), []string{"handed.bin", "plain.zip", "empty.zip"}; !reflect.DeepEqual(got, want) {
		t.Errorf("dropped, refused: %v", got)
	}
}

// Bundles of what somebody taught are told from data by what is in them, whatever they are called.
func TestBundlesAreKnownByWhatIsInThem(t *testing.T) {
	server, _ := serving(t)
	dir := t.TempDir()
	var paths []string
	for _, f := range []struct{ name, content string }{
		{"bob.assay-memory", "rubbish"},
		{"bob.jsonl", `{"assay_memory":1,"author":"bob"}` + "\n"},
		{"handed.bin", "\ufeff {\"author\":\"bob\", \"assay_memory\":1"},
		{"rows.jsonl", `{"term":"sales"}` + "\n" + `{"assay_memory":1}` + "\n"},
		{"nested.json", `{"rows":[{"assay_memory":1}]}`},
	} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	o := server.OfferChosen(paths)
	var bundles, files []string
	for _, f := range o.Bundles {
		bundles = append(bundles, f.Name)
	}
	for _, f := range o.Files {
		files = append(files, f.Name)
	}
	if !reflect.DeepEqual(bundles, []string{"bob.assay-memory", "bob.jsonl", "handed.bin"}) || !reflect.DeepEqual(files, []string{"rows.jsonl", "nested.json"}) || len(o.Refused) != 0 {
		t.Errorf("bundles %v, files %v, refused %+v", bundles, files, o.Refused)
	}
	// Dropped: by the name until a person said yes.
	if o = server.OfferDropped(paths, func([]string) bool { return true }); len(o.Bundles) != 2 || len(o.Refused) != 1 {
		t.Errorf("dropped: %+v", o)
	}
}
