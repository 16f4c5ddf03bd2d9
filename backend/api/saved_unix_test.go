//go:build unix

package api

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"assay/backend/export"
	"assay/backend/fault"
	"assay/backend/frameql"
)

// fullDiskEnv names the folder in which a process of this test may write no file beyond fullAt bytes.
const (
	fullDiskEnv = "ASSAY_TEST_FULL_DISK"
	fullAt      = 64 << 10
)

// noise is a table of random texts that no format makes small.
func noise(rows int) export.Table {
	random := rand.New(rand.NewPCG(6, 8))
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	for range rows {
		texts.Append(fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()))
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "noise", Type: arrow.BinaryTypes.String}}, nil)
	record := array.NewRecordBatch(schema, []arrow.Array{texts.NewArray()}, int64(rows))
	return export.Table{
		Title: "Noise", Columns: []frameql.Column{{Name: "noise", Type: "text"}},
		Records: iter.Seq2[arrow.RecordBatch, error](func(yield func(arrow.RecordBatch, error) bool) { yield(record, nil) }),
	}
}

// writeOnFullDisk exports and saves until the disk is full, and prints what a person would read and what is left.
func writeOnFullDisk(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	large, there := filepath.Join(dir, "large.png"), filepath.Join(dir, "there.png")
	_ = os.WriteFile(large, bytes.Repeat([]byte("x"), 2*fullAt), 0o600)
	_ = os.WriteFile(there, []byte("before"), 0o600)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: fullAt, Max: fullAt}); err != nil {
		fmt.Println(err)
		return
	}
	e := newExports(dir, time.Now)
	for _, f := range []export.Format{export.CSV, export.XLSX, export.Parquet, export.JSON} {
		_, err := e.write(f.MediaType(), func(out io.Writer) (string, error) { return "noise", export.Write(out, f, noise(20_000)) })
		fmt.Println(f, fault.CodeOf(err), err)
	}
	fmt.Println("saved", saveAs(large, there))
	raw, err := os.ReadFile(there)
	fmt.Println("there", string(raw), err)
}

// On a full disk every export says so in a sentence, and nothing half-written is left: not in the folder of the exports, not where a
// person wanted the file.
func TestAFullDiskKeepsNothingHalf(t *testing.T) {
	dir := t.TempDir()
	full := exec.Command(os.Args[0])
	full.Env = append(os.Environ(), fullDiskEnv+"="+dir)
	out, err := full.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	for _, want := range []string{
		"csv unavailable The file could not be written. Make room on the disk and export again.\n", "xlsx unavailable The file could not", "parquet unavailable The file could not", "json unavailable The file could not",
		"saved there.png cannot be saved: the disk is full. Make room, or choose a folder on another disk. Nothing of it was kept.\n", "there before <nil>\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	for _, pattern := range []string{"*.part", ".assay-*", ".assay/exports/*"} {
		if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// The same table is written where there is room, or the test above would prove nothing.
func TestWithRoomTheSameIsWritten(t *testing.T) {
	e := newExports(t.TempDir(), time.Now)
	for _, f := range []export.Format{export.CSV, export.XLSX, export.Parquet, export.JSON} {
		made, err := e.write(f.MediaType(), func(out io.Writer) (string, error) { return "noise", export.Write(out, f, noise(20_000)) })
		if err != nil || made.Bytes <= fullAt {
			t.Errorf("%s: %d bytes, %v", f, made.Bytes, err)
		}
	}
}

// A folder that may not be written is said to be one, whoever asks: an ordinary person finds it by its mode, root only on a file system
// that is read-only, for which /proc stands here.
func TestAReadOnlyFolderIsSaid(t *testing.T) {
	from := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(from, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		closed = "/proc/self"
		if _, err := os.Stat(closed); err != nil {
			t.Skip("root may write everywhere, and there is no /proc")
		}
	}
	err := saveAs(from, filepath.Join(closed, "a.csv"))
	if fault.CodeOf(err) != fault.Unavailable || !strings.HasPrefix(err.Error(), "a.csv cannot be saved there") {
		t.Errorf("%v", err)
	}
	for _, why := range []error{syscall.EROFS, syscall.EACCES, syscall.EPERM} {
		if got := SavingFault("a.csv", &os.PathError{Op: "open", Path: "/x/a.csv", Err: why}).Error(); got != "a.csv cannot be saved there: the folder is read-only, or not yours. Choose another folder. Nothing was changed in this one." {
			t.Errorf("%v: %s", why, got)
		}
	}
}

// A picture is saved as it was drawn, once; nothing that is no picture gets out that way, and no file that the page did not send.
func TestPicturesAreSaved(t *testing.T) {
	server, _ := serving(t)
	place := filepath.Join(t.TempDir(), "chart.png")
	asked := ""
	choose := func(name string) string { asked = name; return place }
	send := func(name, body string) string {
		f, err := server.uploads.receive(name, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		return f.Token
	}
	token := send("Sales by region.png", "\x89PNG\r\n\x1a\n...")
	if err := server.SaveImage(token, choose); err != nil || asked != "Sales by region.png" {
		t.Fatal(err, asked)
	}
	if raw, err := os.ReadFile(place); err != nil || string(raw) != "\x89PNG\r\n\x1a\n..." {
		t.Errorf("%q %v", raw, err)
	}
	if err := server.SaveImage(token, choose); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("saved twice: %v", err)
	}
	if err := server.SaveImage(send("a.svg", "<svg/>"), func(string) string { return "" }); err != nil {
		t.Errorf("a closed dialog is a fault: %v", err)
	}
	asked = ""
	mine := filepath.Join(t.TempDir(), "mine.svg")
	if err := os.WriteFile(mine, []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	server.uploads.add("offered", mine)
	for name, token := range map[string]string{
		"no SVG": send("a.svg", "#!/bin/sh"), "another kind": send("a.desktop", "<svg/>"), "cut off": send("a.png", "\x89PN"), "a file of the person": "offered",
	} {
		if err := server.SaveImage(token, choose); fault.CodeOf(err) != fault.Invalid || asked != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
