// Package desktop holds what the desktop window needs and what needs no window: that there is one window for a workspace, where it
// stood, and whether it is drawn without the graphics card. Everything is kept in one folder, in files named after the workspace.
//
// The window itself is in main, which is the home of its framework.
package desktop

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"assay/backend/fault"
	"assay/backend/text"
)

// Folder is where the window of one workspace keeps what it remembers on this machine.
type Folder struct {
	dir, name string
}

// Open makes the folder under the data folder of a person. workspace names the workspace: a path, or any other name.
// Fault Unavailable.
func Open(data, workspace string) (Folder, error) {
	sum := sha256.Sum256([]byte(workspace))
	f := Folder{filepath.Join(data, "window"), hex.EncodeToString(sum[:6])}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return f, fault.Wrap(fault.Unavailable, "open window folder", text.Say("desktop.cannot_write", "dir", f.dir), text.Say("desktop.cannot_write_hint"), err)
	}
	return f, nil
}

func (f Folder) path(ending string) string { return filepath.Join(f.dir, f.name+ending) }

// read reads a file of the folder. What is not there or damaged is as if nothing had been kept.
func (f Folder) read(ending string, into any) bool {
	raw, err := os.ReadFile(f.path(ending))
	return err == nil && json.Unmarshal(raw, into) == nil
}

// write replaces a file of the folder, whole or not at all.
func (f Folder) write(ending string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(f.dir, "new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(raw)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), f.path(ending))
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}
