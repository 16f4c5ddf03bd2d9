package api

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"assay/backend/fault"
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
	return "*" + strings.Join(importable, ";*")
}

// OfferDropped makes files that were dropped on the window known to the page by token. Any script of a page can pretend a drop of
// any path, so that a person is asked first, outside the page: confirm gets the paths as they really are, links followed. Without a
// yes, and for what is no ordinary file of a kind that can be imported, nothing is known to anybody.
func (s *Server) OfferDropped(paths []string, confirm func(paths []string) bool) []UploadedFile {
	if !s.asking.TryLock() { // one question at a time, or a script could bury a person under them
		return nil
	}
	defer s.asking.Unlock()
	real := realFiles(paths)
	if len(real) == 0 || !confirm(real) {
		return nil
	}
	return s.offer(real)
}

// OfferChosen does the same for files that a person chose in a native dialog, which was the question.
func (s *Server) OfferChosen(paths []string) []UploadedFile { return s.offer(realFiles(paths)) }

func (s *Server) offer(real []string) []UploadedFile {
	var files []UploadedFile
	for _, path := range real {
		if f, err := s.uploads.offer(path); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// realFiles keeps what can be imported, by its path without links.
func realFiles(paths []string) []string {
	var real []string
	for _, path := range paths[:min(len(paths), offeredAtOnce)] {
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil || !filepath.IsAbs(path) {
			continue
		}
		info, err := os.Lstat(resolved)
		if err != nil || !info.Mode().IsRegular() || !slices.Contains(importable, strings.ToLower(filepath.Ext(resolved))) || slices.Contains(real, resolved) {
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
