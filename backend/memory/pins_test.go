package memory

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// modernc.org/sqlite breaks silently with a modernc.org/libc other than the one that it was generated with, and another
// module's requirement can lift it unnoticed.
func TestLibcIsTheOneThatSQLiteWasMadeWith(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", "modernc.org/sqlite", "modernc.org/libc").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(string(bytes.TrimSpace(out)), "\n")
	_, sqliteDir, ok := strings.Cut(lines[0], " ")
	if !ok || len(lines) != 2 {
		t.Fatalf("go list answered %q", out)
	}
	used, _, _ := strings.Cut(lines[1], " ")
	raw, err := os.ReadFile(filepath.Join(sqliteDir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	made := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(raw)
	if made == nil {
		t.Fatal("SQLite's go.mod names no libc")
	}
	if used != string(made[1]) {
		t.Errorf("go.mod uses modernc.org/libc %s, SQLite was made with %s: pin that one", used, made[1])
	}
}

// Below 3.51.3 a WAL reset could damage the file.
func TestSQLiteHasTheWALRepair(t *testing.T) {
	var version string
	if err := fresh(t).read.QueryRow("SELECT sqlite_version()").Scan(&version); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(version, ".")
	if major, _ := strconv.Atoi(parts[0]); major < 3 || len(parts) < 2 {
		t.Fatalf("version %s", version)
	}
	if minor, _ := strconv.Atoi(parts[1]); minor < 53 {
		t.Errorf("SQLite %s is older than 3.53", version)
	}
}

func TestEveryConnectionHasTheSafeSettings(t *testing.T) {
	m := fresh(t)
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "trusted_schema": "0", "busy_timeout": "10000"} {
		var got string
		if err := m.write.QueryRow("PRAGMA " + name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
}
