//go:build linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A person who installs finds the program in the menu, and files of sessions open with it; removing takes away what was put there
// and nothing else. A home with spaces and signs is one like any other.
func TestInstalling(t *testing.T) {
	home := filepath.Join(t.TempDir(), `a home & more|\1`)
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		c := exec.Command("scripts/install.sh", args...)
		c.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "ASSAY_BIN=")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
		return string(out)
	}
	run("install", program)
	share := filepath.Join(home, ".local", "share")
	others := filepath.Join(share, "applications", "other.desktop")
	if err := os.WriteFile(others, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	entry, err := os.ReadFile(filepath.Join(share, "applications", "assay.desktop"))
	if err != nil || !strings.Contains(string(entry), "\nExec=\""+home+"/.local/bin/assay\" %U\n") {
		t.Errorf("%s %v", entry, err)
	}
	types, err := os.ReadFile(filepath.Join(share, "mime", "packages", "assay.xml"))
	if err != nil {
		t.Fatal(err)
	}
	opens := strings.Split(regexp.MustCompile(`(?m)^MimeType=(.*);$`).FindStringSubmatch(string(entry))[1], ";")
	for _, m := range regexp.MustCompile(`mime-type type="([^"]+)"`).FindAllStringSubmatch(string(types), -1) {
		if !slices.Contains(opens, m[1]) {
			t.Errorf("%s is declared, and nothing opens it", m[1])
		}
	}
	if !slices.Contains(opens, "x-scheme-handler/assay") {
		t.Error("nothing follows links")
	}
	icon := filepath.Join(share, "icons", "hicolor", "48x48", "mimetypes", "application-x-assay-session.png")
	for _, path := range []string{icon, filepath.Join(home, ".local", "bin", "assay")} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := exec.LookPath("update-mime-database"); err == nil {
		globs, err := os.ReadFile(filepath.Join(share, "mime", "globs2"))
		if err != nil || !strings.Contains(string(globs), "application/x-assay-session:*.assay\n") || !strings.Contains(string(globs), "application/x-assay-memory:*.assay-memory\n") {
			t.Errorf("the kind is not known: %s %v", globs, err)
		}
	}
	run("remove")
	for _, path := range []string{icon, filepath.Join(home, ".local", "bin", "assay"), filepath.Join(share, "applications", "assay.desktop")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
	if _, err := os.Stat(others); err != nil {
		t.Errorf("somebody else's entry is gone: %v", err)
	}
}

// The installers of macOS and Windows read the kinds of files from wails.json.
func TestOurFilesAreAssociated(t *testing.T) {
	raw, err := os.ReadFile("wails.json")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Info struct {
			FileAssociations []struct {
				Ext, Name, Role, IconName string
			}
		}
	}
	if err := json.Unmarshal(raw, &config); err != nil {
		t.Fatal(err)
	}
	all := config.Info.FileAssociations
	roles := map[string]string{"assay": "Editor", "assay-memory": "Viewer"}
	for _, one := range all {
		if roles[one.Ext] != one.Role || one.Name == "" {
			t.Errorf("%+v", one)
		}
		delete(roles, one.Ext)
		if _, err := os.Stat(filepath.Join("build", one.IconName+".png")); err != nil {
			t.Error(err)
		}
	}
	if len(roles) > 0 {
		t.Errorf("nothing opens %v", roles)
	}
}
