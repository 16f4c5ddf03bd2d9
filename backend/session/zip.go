package session

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// The names that an entry may have, and the most that it expands to.
var entryForms = []struct {
	name *regexp.Regexp
	most int64
}{
	{regexp.MustCompile(`^manifest\.json$`), maxManifest},
	{regexp.MustCompile(`^session\.json$`), maxSession},
	{regexp.MustCompile(`^trace\.jsonl$`), maxTrace},
	{regexp.MustCompile(`^signature\.json$`), maxSignature},
	{regexp.MustCompile(`^frames/[0-9]{4}\.parquet$`), MaxFrameBytes},
	{regexp.MustCompile(`^model/context/([a-z-]{1,20}/)?[A-Za-z0-9_-][A-Za-z0-9._-]{0,120}\.(yaml|md)$`), maxModelFile},
}

// mostOf gives what an entry of a name may expand to; 0: no session has such an entry.
func mostOf(name string) int64 {
	for _, form := range entryForms {
		if form.name.MatchString(name) {
			return form.most
		}
	}
	return 0
}

// endBytes is the length of a zip's last record, without a comment, which no session file has.
const endBytes = 22

// readZip opens the directory of a zip and judges it before anything is expanded. It reads no more of a hostile one than its directory.
func readZip(r io.ReaderAt, size int64) (map[string]*zip.File, error) {
	if err := checkEnd(r, size); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, damaged("zip", err)
	}
	for _, must := range []string{"manifest.json", "session.json"} {
		if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == must }) {
			return nil, foreign()
		}
	}
	entries, total := map[string]*zip.File{}, int64(0)
	seen := map[string]bool{}
	for _, f := range z.File {
		if err := checkEntry(f, seen); err != nil {
			return nil, err
		}
		if total += int64(f.UncompressedSize64); total > MaxFileBytes {
			return nil, tooLarge(f.Name)
		}
		entries[f.Name] = f
	}
	return entries, apart(z.File)
}

// checkEnd reads the last record of a zip: how long the directory is and where it stands. It bounds what reading the directory takes.
func checkEnd(r io.ReaderAt, size int64) error {
	if size < endBytes {
		return cutOff(io.ErrUnexpectedEOF)
	}
	var end [endBytes]byte
	if _, err := r.ReadAt(end[:], size-endBytes); err != nil && !errors.Is(err, io.EOF) {
		return damaged("zip", err)
	}
	if !bytes.Equal(end[:4], []byte("PK\x05\x06")) {
		return cutOff(errors.New("no directory at the end"))
	}
	count, length, offset := binary.LittleEndian.Uint16(end[10:]), int64(binary.LittleEndian.Uint32(end[12:])), int64(binary.LittleEndian.Uint32(end[16:]))
	switch {
	case count > maxEntries || length > maxDirectory:
		return tooLarge("zip")
	case binary.LittleEndian.Uint32(end[4:]) != 0 || binary.LittleEndian.Uint16(end[8:]) != count || end[20] != 0 || end[21] != 0:
		return damaged("zip", errors.New("in several parts, or with a comment"))
	case offset+length != size-endBytes:
		return damaged("zip", errors.New("bytes before or behind it"))
	}
	return nil
}

func checkEntry(f *zip.File, seen map[string]bool) error {
	most := mostOf(f.Name)
	shown := fmt.Sprintf("%.80q", f.Name)
	folded := strings.ToLower(f.Name)
	switch {
	case most == 0:
		return misfit(shown, errors.New("no session has such an entry"))
	case seen[folded]:
		return misfit(shown, errors.New("twice"))
	case f.Flags&1 != 0:
		return misfit(shown, errors.New("encrypted"))
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return misfit(shown, fmt.Errorf("method %d", f.Method))
	case !f.Mode().IsRegular():
		return misfit(shown, errors.New("no ordinary file"))
	case f.UncompressedSize64 > uint64(most):
		return tooLarge(shown)
	case f.UncompressedSize64 > ratioMatters && f.UncompressedSize64 > maxRatio*f.CompressedSize64:
		return tooLarge(shown)
	}
	seen[folded] = true
	return nil
}

// apart says that no two entries share bytes, which is how a small zip becomes a large one.
func apart(files []*zip.File) error {
	type part struct{ from, to int64 }
	parts := make([]part, 0, len(files))
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil {
			return damaged(f.Name, err)
		}
		parts = append(parts, part{from, from + int64(f.CompressedSize64)})
	}
	slices.SortFunc(parts, func(a, b part) int { return int(min(max(a.from-b.from, -1), 1)) })
	for i := 1; i < len(parts); i++ {
		if parts[i].from < parts[i-1].to {
			return damaged("zip", errors.New("entries share bytes"))
		}
	}
	return nil
}

// contentOf expands an entry, no further than its directory says, which was judged before.
func contentOf(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, damaged(f.Name, err)
	}
	defer r.Close()
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, int64(f.UncompressedSize64)+1))
	if err == nil && n != int64(f.UncompressedSize64) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, damaged(f.Name, err)
	}
	return out.Bytes(), nil
}
