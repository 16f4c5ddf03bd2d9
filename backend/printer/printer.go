// Package printer prints pages as PDF with a browser that is on this machine: Chromium, Chrome or Edge, without a window, without a network, and with a
// profile of its own that is forgotten with the job.
package printer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

const (
	atMost     = 60 * time.Second
	afterwards = 5 * time.Second // for what it has started to be gone
	mostBytes  = 256 << 20       // of a PDF
	pathEnv    = "ASSAY_BROWSER" // names the browser; a name or a path
)

// names are those of browsers that print, in the order in which they are looked for.
func names() []string {
	return []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge-stable", "microsoft-edge", "msedge"}
}

// Browser is a program that prints.
type Browser struct{ path string }

// Find finds a browser: the one that ASSAY_BROWSER names, else the first in PATH. Fault Unavailable: there is none.
func Find() (Browser, error) {
	wanted := os.Getenv(pathEnv)
	if wanted != "" {
		path, err := exec.LookPath(wanted)
		if err != nil {
			return Browser{}, fault.Wrap(fault.Unavailable, "print", text.Say("printer.not_there", "browser", wanted), text.Say("printer.none_hint"), err)
		}
		return Browser{path}, nil
	}
	for _, name := range names() {
		if path, err := exec.LookPath(name); err == nil {
			return Browser{path}, nil
		}
	}
	return Browser{}, fault.New(fault.Unavailable, "print", text.Say("printer.none"), text.Say("printer.none_hint"))
}

// Print prints a page that stands alone, and gives the PDF. The page is read from a folder that only this person may read and that is removed, with the
// profile, before Print returns; the browser and what it has started are ended by then. It may ask nothing of any address. A minute is the longest that it may
// take.
//
// Faults: Canceled, Limit (it took too long, or the PDF is too large), Unavailable (the disk, or the browser did not print).
func (b Browser) Print(ctx context.Context, page []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "assay-print-*")
	if err != nil {
		return nil, failed(err)
	}
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	if err := os.WriteFile(from, page, 0o600); err != nil {
		return nil, failed(err)
	}
	limited, stop := context.WithTimeout(ctx, atMost)
	defer stop()
	var said bytes.Buffer
	command := exec.CommandContext(limited, b.path, arguments(dir, from, to)...)
	command.Dir, command.Env, command.WaitDelay = dir, environment(dir), afterwards
	command.Stderr = &tail{buffer: &said}
	apart(command)
	err = command.Run()
	end(command)
	switch {
	case ctx.Err() != nil:
		return nil, fault.Wrap(fault.Canceled, "print", text.Say("printer.canceled"), "", ctx.Err())
	case limited.Err() != nil:
		return nil, fault.New(fault.Limit, "print", text.Say("printer.slow"), text.Say("printer.failed_hint"))
	case err != nil:
		return nil, failed(fmt.Errorf("%w: %s", err, said.String()))
	}
	info, err := os.Stat(to)
	if err != nil {
		return nil, failed(fmt.Errorf("%w: %s", err, said.String()))
	}
	if info.Size() > mostBytes {
		return nil, fault.New(fault.Limit, "print", text.Say("printer.large"), text.Say("printer.large_hint"))
	}
	pdf, err := os.ReadFile(to)
	if err == nil && !(bytes.HasPrefix(pdf, []byte("%PDF-")) && bytes.Contains(pdf[max(0, len(pdf)-64):], []byte("%%EOF"))) {
		err = errors.New("what it wrote is no PDF")
	}
	if err != nil {
		return nil, failed(err)
	}
	return pdf, nil
}

func failed(err error) error {
	return fault.Wrap(fault.Unavailable, "print", text.Say("printer.failed"), text.Say("printer.failed_hint"), err)
}

// arguments let the browser print one file and do nothing else: no window, no network, nothing in the background, no header with an address.
func arguments(dir, from, to string) []string {
	all := []string{
		"--headless", "--print-to-pdf=" + to, "--no-pdf-header-footer", "--print-to-pdf-no-header", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=socks5://127.0.0.1:1", "--proxy-bypass-list=<-loopback>", "--disable-background-networking", "--disable-component-update", "--disable-domain-reliability", "--disable-sync",
		"--disable-extensions", "--disable-default-apps", "--disable-client-side-phishing-detection", "--disable-breakpad", "--metrics-recording-only", "--no-pings",
		"--no-first-run", "--no-default-browser-check", "--password-store=basic", "--use-mock-keychain", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
		"--force-color-profile=srgb",
	}
	if os.Geteuid() == 0 { // it refuses to begin as root with its sandbox; the page has a policy of its own, and no script but ours
		all = append(all, "--no-sandbox")
	}
	return append(all, (&url.URL{Scheme: "file", Path: filepath.ToSlash(from)}).String())
}

// environment is what the browser needs of this process's: where programs and fonts are. Everything that it keeps goes into the folder.
func environment(dir string) []string {
	all := []string{"HOME=" + dir, "TMPDIR=" + dir, "TMP=" + dir, "TEMP=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
	for _, name := range []string{"PATH", "LANG", "LC_ALL", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA", "USERPROFILE"} {
		if value, is := os.LookupEnv(name); is {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// tail keeps the end of what a program says.
type tail struct{ buffer *bytes.Buffer }

const mostSaid = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.buffer.Write(p)
	if over := t.buffer.Len() - mostSaid; over > 0 {
		t.buffer.Next(over)
	}
	return len(p), nil
}
