package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"assay/backend/api"
	"assay/backend/fault"
	"assay/backend/text"
	"assay/backend/workspace"
)

// served tells this person's other programs where a workspace is served, and by which token they may enter. It stands in a file
// that nobody else can read, named by the process, from the moment the port answers until the process ends.
type served struct {
	PID   int    `json:"pid"`
	Port  int    `json:"port"`
	Name  string `json:"workspace"`
	Dir   string `json:"dir"` // of the workspace
	Token string `json:"token"`
}

func servedFolder() (string, error) {
	dir, err := workspace.DataFolder(workspace.Options{})
	return filepath.Join(dir, "serve"), err
}

// writeServed writes the file, and removes those of processes that are no more. forget removes it again.
func writeServed(s served) (forget func(), err error) {
	dir, err := servedFolder()
	if err != nil {
		return nil, err
	}
	cannot := func(err error) error {
		return fault.Wrap(fault.Unavailable, "serve", text.Say("cli.serve_file", "dir", dir), text.Say("cli.serve_file_hint"), err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, cannot(err)
	}
	allServed(dir) // for what it removes
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, cannot(err)
	}
	path := filepath.Join(dir, strconv.Itoa(s.PID)+".json")
	f, err := os.CreateTemp(dir, "new-*") // mode 0600
	if err != nil {
		return nil, cannot(err)
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return nil, cannot(err)
	}
	return func() { os.Remove(path) }, nil
}

// allServed reads the files of a folder. One whose process ended without removing it is removed.
func allServed(dir string) []served {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.json")) // the pattern is good
	var all []served
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		var s served
		if err != nil || json.Unmarshal(raw, &s) != nil || !alive(s.PID) {
			os.Remove(path)
			continue
		}
		all = append(all, s)
	}
	return all
}

// alive says whether a process is there. Another one may have got its number; then its port does not answer to the token.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	return runtime.GOOS == "windows" || !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// newLinks prints a new link to every workspace that is being served. fault.NotFound when there is none.
func (p Program) newLinks(ctx context.Context) error {
	dir, err := servedFolder()
	if err != nil {
		return err
	}
	found := false
	for _, s := range allServed(dir) {
		url, err := askForLink(ctx, s)
		if err != nil {
			continue // it is ending, or the number is another process's by now
		}
		found = true
		fmt.Fprintln(p.Stdout, text.Say("cli.serving", "name", s.Name, "url", url))
	}
	if !found {
		return fault.New(fault.NotFound, "serve", text.Say("cli.nothing_served"), text.Say("cli.nothing_served_hint"))
	}
	return nil
}

func askForLink(ctx context.Context, s served) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address(s.Port)+api.LinkPath, http.NoBody)
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	answer, err := http.DefaultTransport.RoundTrip(r) // follows nothing: the token goes to this port alone
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var link struct {
		URL string `json:"url"`
	}
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("port %d answers %d", s.Port, answer.StatusCode)
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, 4<<10)).Decode(&link)
	return link.URL, err
}
