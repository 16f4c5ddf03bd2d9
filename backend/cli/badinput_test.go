package cli

import (
	"database/sql"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // writes a parquet file
)

const smallCSV = "region,day,amount\nEast,2025-01-05,10.25\nWest,2025-01-06,20.25\n"

// askFile is `assay ask` about one file.
func askFile(t *testing.T, path string) outcome {
	t.Helper()
	return run(t, assay(t, t.TempDir(), "ask", "--data", path, "total amount by region"))
}

// What is no file to read: a folder, a device, a pipe that nobody writes to.
func TestNotAFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder.csv")
	pipe := filepath.Join(t.TempDir(), "pipe.csv")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	askFile(t, folder).complains(t, exitFault, "folder.csv is a folder. Name the files in it.")
	askFile(t, os.DevNull).complains(t, exitFault, "null is not a file that can be imported. Save the data as a file first.")
	askFile(t, pipe).complains(t, exitFault, "pipe.csv is not a file that can be imported. Save the data as a file first.")
}

// A file that may not be read, as a user without the rights of root sees it.
func TestFileMayNotBeRead(t *testing.T) {
	path, home := file(t, "secret.csv", smallCSV), openTo(t, t.TempDir())
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	openTo(t, filepath.Dir(path))
	c := assay(t, home, "ask", "--data", path, "total amount")
	c.Env = append(c.Env, nobodyEnv+"=1")
	run(t, c).complains(t, exitFault, "secret.csv may not be read by you. Give yourself the right to read it.")
}

// openTo lets everybody into a folder of the test.
func openTo(t *testing.T, dir string) string {
	t.Helper()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A wrong extension is no obstacle where the content is a table, and a sentence where it is none.
func TestWrongExtension(t *testing.T) {
	parquet := filepath.Join(t.TempDir(), "sales.csv")
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("COPY (SELECT 'East' AS region, 35.5 AS amount) TO '" + parquet + "' (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
	askFile(t, parquet).says(t, "35.5")
	askFile(t, file(t, "sales.xlsx", smallCSV)).says(t, "20.25")
	home := t.TempDir()
	run(t, assay(t, home, "import", "--workspace", filepath.Join(home, "w"), parquet)).says(t, "The name ends in .csv, but the content is parquet; the content counts.")

	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(t.TempDir(), "sales.csv")
	if err := os.Symlink(program, named); err != nil {
		t.Fatal(err)
	}
	askFile(t, named).complains(t, exitFault, "sales.csv holds no text and no table that can be recognised. Export the data as CSV, JSON, Parquet, Excel, SQLite or DuckDB.")
}

// maxMemory is what reading garbage may take, in bytes.
const maxMemory = 1536 << 20

// Garbage of any size is named as that, in bounded memory. ASSAY_BIG_INPUT=1 takes 2 GB of it instead of 64 MB.
func TestGarbage(t *testing.T) {
	size := int64(64 << 20)
	if os.Getenv("ASSAY_BIG_INPUT") != "" {
		size = 2 << 30
	}
	noise := rand.NewChaCha8([32]byte{7})
	cases := []struct {
		name, file, before string
		source             io.Reader
		sentence           string
	}{
		{"bytes", "noise.csv", "", noise, "noise.csv holds no text and no table that can be recognised."},
		{"bytes named parquet", "noise.parquet", "PAR1", noise, "noise.parquet cannot be read as parquet: "},
		{"characters", "text.csv", "", characters{noise}, "text.csv is not a table that can be read: "},
		{"characters named json", "text.json", "[", characters{noise}, "text.json is not valid JSON: line 1 cannot be read."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(f, io.LimitReader(io.MultiReader(strings.NewReader(c.before), c.source), size)); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			o := askFile(t, path)
			o.complains(t, exitFault, c.sentence)
			if o.peak > maxMemory {
				t.Errorf("it took %d MB", o.peak>>20)
			}
		})
	}
}

// characters makes printable lines of noise.
type characters struct{ noise io.Reader }

func (c characters) Read(p []byte) (int, error) {
	n, err := c.noise.Read(p)
	for i, b := range p[:n] {
		if p[i] = ' ' + b%95; b == 0 {
			p[i] = '\n'
		}
	}
	return n, err
}

// workspaceWith is a workspace that holds small.csv.
func workspaceWith(t *testing.T, home, dir string) {
	t.Helper()
	run(t, assay(t, home, "import", "--workspace", dir, file(t, "small.csv", smallCSV))).says(t, "small: 2 rows")
}

// fillingCSV does not pack well: a full disk is noticed while it is imported.
func fillingCSV(t *testing.T) string {
	noise := rand.NewChaCha8([32]byte{8})
	line := make([]byte, 48)
	var b strings.Builder
	b.WriteString("id,text\n")
	for range 80_000 {
		if _, err := noise.Read(line); err != nil {
			t.Fatal(err)
		}
		for i := range line {
			line[i] = 'a' + line[i]%26
		}
		b.WriteString("1," + string(line) + "\n")
	}
	return file(t, "big.csv", b.String())
}

// A disk that fills up during an import is named, and what was there can be asked about afterwards.
func TestNoSpaceForAnImport(t *testing.T) {
	big := fillingCSV(t)
	t.Run("limited files", func(t *testing.T) {
		home, dir := t.TempDir(), filepath.Join(t.TempDir(), "w")
		workspaceWith(t, home, dir)
		c := assay(t, home, "import", "--workspace", dir, big)
		c.Env = append(c.Env, fileLimitEnv+"=2000000")
		run(t, c).complains(t, exitFault, "No space left on the disk of ")
		stillWorks(t, home, dir)
	})
	t.Run("full disk", func(t *testing.T) {
		disk := smallDisk(t, "3m")
		home, dir := t.TempDir(), filepath.Join(disk, "w")
		workspaceWith(t, home, dir)
		run(t, assay(t, home, "import", "--workspace", dir, big)).complains(t, exitFault, "No space left on the disk of ")
		stillWorks(t, home, dir)
	})
}

func stillWorks(t *testing.T, home, dir string) {
	t.Helper()
	run(t, assay(t, home, "ask", "--workspace", dir, "total amount by region")).says(t, "20.25")
	if got := strays(t, dir); len(got) > 0 {
		t.Errorf("left behind %v", got)
	}
}

// smallDisk mounts a disk of some size, or skips where that is not allowed.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs the right to mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// When the memory cannot take a question, it is not answered: a sentence, exit status 1, and nothing of before is lost.
func TestNoSpaceForAQuestion(t *testing.T) {
	disk := smallDisk(t, "3m")
	home, dir := t.TempDir(), filepath.Join(disk, "w")
	workspaceWith(t, home, dir)
	run(t, assay(t, home, "ask", "--workspace", dir, "total amount by region")).says(t, "20.25")
	ballast := filepath.Join(disk, "ballast")
	fill(t, ballast)
	run(t, assay(t, home, "ask", "--workspace", dir, "number of smalls")).complains(t, exitFault, "Check the free space")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	o := run(t, assay(t, home, "session", "list", "--workspace", dir))
	o.says(t, "total amount by region")
	stillWorks(t, home, dir)
}

// fill takes all that is left of a disk.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
}

// A home, and a workspace, that can only be read.
func TestReadOnly(t *testing.T) {
	home := t.TempDir()
	for d := home; d != filepath.Dir(os.TempDir()) && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(home, 0o555); err != nil {
		t.Fatal(err)
	}
	c := assay(t, home, "ask", "revenue by category in 1997")
	c.Env = append(c.Env, nobodyEnv+"=1")
	run(t, c).complains(t, exitFault, "cannot be written to. Check its permissions and the free space, or choose another place with ASSAY_HOME.")

	dir := filepath.Join(openTo(t, t.TempDir()), "w")
	workspaceWith(t, home, dir)
	before := listing(t, dir)
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o555)
		}
		return os.Chmod(path, 0o444)
	}); err != nil {
		t.Fatal(err)
	}
	c = assay(t, t.TempDir(), "ask", "--workspace", dir, "total amount by region")
	c.Env = append(c.Env, nobodyEnv+"=1")
	run(t, c).complains(t, exitFault, "memory.sqlite")
	if after := listing(t, dir); after != before {
		t.Errorf("the folder held %s and holds %s", before, after)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	if err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(path, dir))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}
