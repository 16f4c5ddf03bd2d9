package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// A session that finds no room, or a folder that nobody may write to, leaves nothing half-written: what stood there stands, and the session can be
// handed over to another place.
func TestNoSpaceForASession(t *testing.T) {
	disk, home, dir := smallDisk(t, "2m"), t.TempDir(), filepath.Join(t.TempDir(), "w")
	workspaceWith(t, home, dir)
	run(t, assay(t, home, "ask", "--workspace", dir, "--session", "s1", "total amount by region")).says(t, "20.25")
	file := filepath.Join(disk, "handed.assay")
	run(t, assay(t, home, "session", "export", "--workspace", dir, "s1", "-o", file)).says(t, file)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(disk, "ballast")
	fill(t, ballast)
	folder := listing(t, disk)
	run(t, assay(t, home, "session", "export", "--workspace", dir, "s1", "-o", file)).complains(t, exitFault, "handed.assay")
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file that stood there changed, %v", err)
	}
	if after := listing(t, disk); after != folder {
		t.Errorf("the folder held %s and holds %s", folder, after)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	run(t, assay(t, home, "session", "export", "--workspace", dir, "s1", "-o", file)).says(t, file)
}

// A page, a report and a workbook are written whole or not at all.
func TestNoSpaceForAPage(t *testing.T) {
	disk, home, dir := smallDisk(t, "2m"), t.TempDir(), filepath.Join(t.TempDir(), "w")
	workspaceWith(t, home, dir)
	run(t, assay(t, home, "ask", "--workspace", dir, "--session", "s1", "total amount by region")).says(t, "20.25")
	file := filepath.Join(disk, "handed.html")
	fill(t, filepath.Join(disk, "ballast"))
	folder := listing(t, disk)
	for name, command := range map[string][]string{
		"handed.html": {"session", "page", "s1"}, "handed.xlsx": {"session", "workbook", "s1"}, "report.html": {"report", "session:s1"},
	} {
		run(t, assay(t, home, append(command, "--workspace", dir, "-o", filepath.Join(disk, name))...)).complains(t, exitFault, name)
	}
	if after := listing(t, disk); after != folder {
		t.Errorf("the folder held %s and holds %s", folder, after)
	}
	if err := os.Remove(filepath.Join(disk, "ballast")); err != nil {
		t.Fatal(err)
	}
	run(t, assay(t, home, "session", "page", "--workspace", dir, "s1", "-o", file)).says(t, file)
}

func TestNoSpaceForAnImportedSession(t *testing.T) {
	disk, home, from := smallDisk(t, "3m"), t.TempDir(), filepath.Join(t.TempDir(), "w")
	workspaceWith(t, home, from)
	run(t, assay(t, home, "ask", "--workspace", from, "--session", "s1", "total amount by region")).says(t, "20.25")
	handed := filepath.Join(t.TempDir(), "handed.assay")
	run(t, assay(t, home, "session", "export", "--workspace", from, "s1", "-o", handed)).says(t, handed)

	to := filepath.Join(disk, "w")
	workspaceWith(t, home, to)
	ballast := filepath.Join(disk, "ballast")
	fill(t, ballast)
	run(t, assay(t, home, "session", "import", "--yes", "--workspace", to, handed)).complains(t, exitFault, "Check the free space")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if o := run(t, assay(t, home, "session", "list", "--json", "--workspace", to)); o.stdout != `{"sessions":[]}`+"\n" {
		t.Errorf("half of it landed: %s", o.stdout)
	}
	run(t, assay(t, home, "session", "import", "--yes", "--workspace", to, handed)).says(t, "total amount by region")
	stillWorks(t, home, to)
}

func TestSessionIntoAFolderThatCannotBeWrittenTo(t *testing.T) {
	home, dir, closed := openTo(t, t.TempDir()), filepath.Join(openTo(t, t.TempDir()), "w"), openTo(t, t.TempDir())
	c := assay(t, home, "import", "--workspace", dir, openTo(t, file(t, "small.csv", smallCSV)))
	c.Env = append(c.Env, nobodyEnv+"=1")
	run(t, c).says(t, "small: 2 rows")
	c = assay(t, home, "ask", "--workspace", dir, "--session", "s1", "total amount by region")
	c.Env = append(c.Env, nobodyEnv+"=1")
	run(t, c).says(t, "20.25")
	if err := os.Chmod(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	c = assay(t, home, "session", "export", "--workspace", dir, "s1", "-o", filepath.Join(closed, "handed.assay"))
	c.Env = append(c.Env, nobodyEnv+"=1")
	run(t, c).complains(t, exitFault, "handed.assay")
	if got := listing(t, closed); got != "" {
		t.Errorf("left behind %s", got)
	}
}
