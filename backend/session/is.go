package session

import (
	"archive/zip"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// lookedAt is how far a JSON text is read to recognise a session.
const lookedAt = 64 << 10

// Is says whether a file looks like a session file, or a session.json alone, whatever it is called. It reads no more than the directory of a zip, or the beginning of a
// text. That it does says nothing of whether it can be opened.
func Is(r io.ReaderAt, size int64) bool {
	var head [4]byte
	n, _ := r.ReadAt(head[:], 0)
	switch begin := string(head[:n]); {
	case size > MaxFileBytes:
		return false
	case strings.HasPrefix(begin, "PK\x03\x04"):
		if checkEnd(r, size) != nil {
			return false
		}
		z, err := zip.NewReader(r, size)
		return err == nil && slices.ContainsFunc(z.File, entryNamed("manifest.json")) && slices.ContainsFunc(z.File, entryNamed("session.json"))
	case strings.HasPrefix(strings.TrimLeft(begin, " \t\r\n\ufeff"), "{"):
		return isBare(io.NewSectionReader(r, 0, min(size, lookedAt)))
	}
	return false
}

func entryNamed(name string) func(*zip.File) bool {
	return func(f *zip.File) bool { return f.Name == name }
}

// isBare says whether a JSON object names the format of a session near its beginning.
func isBare(r io.Reader) bool {
	d := json.NewDecoder(r)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
		if key == "format" {
			return string(value) == `"`+FileFormat+`"`
		}
	}
	return false
}
