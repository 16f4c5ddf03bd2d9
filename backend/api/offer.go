package api

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/session"
	"assay/backend/text"
)

// offeredAtOnce is how many files are taken from one drop or dialog.
const offeredAtOnce = 100

// importable are the endings of files that can be imported; one more .gz behind them does not matter.
var importable = []string{
	".csv", ".tsv", ".txt", ".json", ".ndjson", ".jsonl", ".parquet", ".xlsx", ".sqlite", ".sqlite3", ".db", ".duckdb", ".gz",
}

// ImportPatterns are the file patterns for a dialog: "*.csv;*.tsv".
func ImportPatterns() string {
	return "*" + strings.Join(importable, ";*") + ";*" + sessionEnding + ";*" + knowledge.BundleEnding + ";*" + zipEnding
}

// Offered are files that the window took in, by token, and those that it did not take.
type Offered struct {
	Files    []UploadedFile `json:"files"`    // of data
	Sessions []UploadedFile `json:"sessions"` // session files: they are previewed before they are taken in
	Bundles  []UploadedFile `json:"bundles"`  // of what colleagues taught: likewise
	Refused  []ImportFailed `json:"refused"`
	Look     bool           `json:"look"` // a person has not said yet that they are to be imported: they are to be looked at first
}

// Empty says whether there is nothing to tell the page.
func (o Offered) Empty() bool { return len(o.Files)+len(o.Sessions)+len(o.Bundles)+len(o.Refused) == 0 }

// OfferDropped makes files that were dropped on the window known to the page by token. Any script of a page can pretend a drop of
// any path, so that a person is asked first, outside the page: confirm gets the paths as they really are, links followed. Without a
// yes, and for what is no ordinary file of a kind that can be imported, nothing is known to anybody. What is refused is so by its name
// alone, which says nothing about the disk.
func (s *Server) OfferDropped(paths []string, confirm func(paths []string) bool) Offered {
	if !s.asking.TryLock() { // one question at a time, or a script could bury a person under them
		return Offered{}
	}
	defer s.asking.Unlock()
	var o Offered
	for _, path := range paths[:min(len(paths), offeredAtOnce)] {
		if err := refusedByName(path); err != nil && path != "" {
			o.refuse(path, err)
		}
	}
	if real := realFiles(paths, MayOpen); len(real) > 0 && confirm(real) {
		s.offer(&o, real)
	}
	return o
}

// OfferChosen does the same for files that a person chose in a native dialog, which was the question.
func (s *Server) OfferChosen(paths []string) Offered {
	var o Offered
	s.sort(&o, paths)
	return o
}

// OfferOpened does the same for files that the program was started with: by a person, a file manager or a second start. They are to be
// looked at before they are imported.
func (s *Server) OfferOpened(paths []string) Offered {
	o := Offered{Look: true}
	s.sort(&o, paths)
	return o
}

// sort offers what can be imported and says of everything else why it is not taken.
func (s *Server) sort(o *Offered, paths []string) {
	taken := paths[:min(len(paths), offeredAtOnce)]
	s.offer(o, realFiles(taken, opens))
	for _, path := range taken {
		if err := refusal(path); err != nil {
			o.refuse(path, err)
		}
	}
	if more := len(paths) - len(taken); more > 0 {
		o.refuse(paths[len(taken)], fault.New(fault.Limit, "open file", text.Count("api.open_many", int64(more), "n", more, "most", offeredAtOnce), text.Say("api.open_many_hint")))
	}
}

func (o *Offered) refuse(path string, why error) {
	o.Refused = append(o.Refused, ImportFailed{File: shownName(path), Problem: *problemOf(why)})
}

func (s *Server) offer(o *Offered, real []string) {
	for _, path := range real {
		within := endingOf(path) == sessionEnding || holdsSession(path)
		bundle := !within && (endingOf(path) == knowledge.BundleEnding || holdsBundle(path))
		if !within && !bundle && !Opens(path) {
			o.refuse(path, unknownKind(path))
			continue
		}
		f, err := s.uploads.offer(path)
		switch {
		case err != nil: // it went meanwhile
		case within:
			o.Sessions = append(o.Sessions, f)
		case bundle:
			o.Bundles = append(o.Bundles, f)
		default:
			o.Files = append(o.Files, f)
		}
	}
}

func endingOf(path string) string { return strings.ToLower(filepath.Ext(path)) }

// Opens says whether a file of that name is one that Assay knows: to import, or to open as a session or a bundle.
func Opens(name string) bool {
	ending := endingOf(name)
	return ending == sessionEnding || ending == knowledge.BundleEnding || slices.Contains(importable, ending)
}

// The endings of session files, and of one that lost its own: it is a zip.
const (
	sessionEnding = ".assay"
	zipEnding     = ".zip"
)

// MayOpen says whether a file of that name may be one that Assay knows, before anybody looked into it.
func MayOpen(name string) bool { return Opens(name) || endingOf(name) == zipEnding }

// opens says whether a file that a person named is one that Assay knows: by its name, or by what is in it.
func opens(path string) bool { return Opens(path) || holdsSession(path) || holdsBundle(path) }

// holdsSession says whether an ordinary file is a session, whatever it is called.
func holdsSession(path string) bool { return holds(path, session.Is) }

// holdsBundle says whether an ordinary file means to be a bundle of what somebody taught, whatever it is called.
func holdsBundle(path string) bool {
	return holds(path, func(r io.ReaderAt, size int64) bool {
		head := make([]byte, min(size, headLooked))
		n, _ := r.ReadAt(head, 0) // what cannot be read is none
		return knowledge.IsBundle(head[:n])
	})
}

// headLooked is how much of the beginning of a file is looked at.
const headLooked = 4 << 10

// holds looks into an ordinary file.
func holds(path string, is func(r io.ReaderAt, size int64) bool) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && is(f, info.Size())
}

// refusedByName says why no file of that name can be imported; nil: one could. Fault Invalid.
func refusedByName(path string) error {
	if MayOpen(path) {
		return nil
	}
	return unknownKind(path)
}

func unknownKind(path string) error {
	kinds := strings.Join(importable, " ") + " " + sessionEnding + " " + knowledge.BundleEnding
	return fault.New(fault.Invalid, "open file", text.Say("api.open_kind", "file", shownName(path)), text.Say("api.open_kind_hint", "kinds", kinds))
}

// refusal says why a file that a person named is not taken; nil: it can be. Faults: Invalid, NotFound.
func refusal(path string) error {
	if !opens(path) {
		err := unknownKind(path)
		if info, statErr := os.Stat(path); statErr != nil || !info.IsDir() {
			return err
		}
	}
	name := shownName(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fault.Wrap(fault.NotFound, "open file", text.Say("api.open_missing", "file", name), text.Say("api.open_missing_hint"), err)
	case info.IsDir():
		return fault.New(fault.Invalid, "open file", text.Say("api.open_folder", "file", name), text.Say("api.open_folder_hint"))
	case len(realFiles([]string{path}, opens)) == 0: // a device, a name that hides something, a link to another kind
		return fault.New(fault.Invalid, "open file", text.Say("api.open_odd", "file", name), text.Say("api.open_odd_hint"))
	}
	return nil
}

// shownName is the last part of a path as a person may see it: without letters that control how it is shown, and not longer than a line.
func shownName(path string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(filepath.Base(path), "\ufffd"))
	if runes := []rune(name); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return name
}

// realFiles keeps what can be opened, as far as is asked, by its path without links.
func realFiles(paths []string, can func(path string) bool) []string {
	var real []string
	for _, path := range paths[:min(len(paths), offeredAtOnce)] {
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil || !filepath.IsAbs(path) {
			continue
		}
		info, err := os.Lstat(resolved)
		if err != nil || !info.Mode().IsRegular() || !can(resolved) || slices.Contains(real, resolved) {
			continue
		}
		if _, ok := plainName(resolved); ok && !strings.ContainsFunc(resolved, unicode.IsControl) { // it is shown to a person
			real = append(real, resolved)
		}
	}
	return real
}

// offer gives a token for a path.
func (u *uploads) offer(path string) (UploadedFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return UploadedFile{}, fault.Wrap(fault.NotFound, "offer file", text.Say("api.file_gone", "file", filepath.Base(path)), "", err)
	}
	token := newToken()
	u.add(token, path)
	return UploadedFile{Token: token, Name: filepath.Base(path), Bytes: info.Size()}, nil
}
