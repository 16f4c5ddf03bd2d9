package store

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// The formats that can be imported.
const (
	formatCSV     = "csv"
	formatTSV     = "tsv"
	formatJSON    = "json"
	formatNDJSON  = "ndjson"
	formatParquet = "parquet"
	formatXLSX    = "xlsx"
	formatSQLite  = "sqlite"
	formatDuckDB  = "duckdb"
)

// input is a file that is about to be imported.
type input struct {
	path     string // absolute
	file     string // base name, for messages
	stem     string // base name without its extensions: the name of the table
	ext      string // lower case, without the dot; of name.csv.gz: csv
	format   string
	gzip     bool
	size     int64
	modified time.Time
}

// headSize is what is read of a file to recognise it, in bytes.
const headSize = 1 << 16

// look recognises a file by its content; its name is the second opinion. It reads the beginning only, whatever the
// size. Faults: NotFound, Unauthorized (no permission), Invalid (a folder, empty, no table in it).
func look(path string) (input, error) {
	const op = "look at file"
	abs := absolute(path)
	in := input{path: abs, file: filepath.Base(abs)}
	in.stem, in.ext = stem(in.file)
	info, err := os.Stat(abs) // before it is opened: opening a pipe waits for its writer
	if err != nil {
		return in, openFault(op, in, err)
	}
	switch {
	case info.IsDir():
		return in, invalid(op, "store.is_folder", in)
	case !info.Mode().IsRegular():
		return in, invalid(op, "store.not_regular", in)
	case info.Size() == 0:
		return in, invalid(op, "store.file_empty", in)
	}
	f, err := os.Open(abs)
	if err != nil {
		return in, openFault(op, in, err)
	}
	defer f.Close()
	in.size, in.modified = info.Size(), info.ModTime()
	head, err := readHead(f)
	if err != nil {
		return in, openFault(op, in, err)
	}
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		in.gzip = true
		if head, err = unzipHead(head); err != nil {
			return in, fault.Wrap(fault.Invalid, op, text.Say("store.gzip_damaged", "file", in.file), text.Say("store.damaged_hint"), err)
		}
		if len(head) == 0 {
			return in, invalid(op, "store.file_empty", in)
		}
	}
	in.format, err = recognise(f, in, head)
	return in, err
}

// absolute gives the one name of a file. In a folder that was entered by a symbolic link, ".." is not the folder above the
// link, which is what filepath.Abs takes it for.
func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	given, err := os.Stat(path)
	if err != nil {
		return abs
	}
	if found, err := os.Stat(abs); err == nil && os.SameFile(given, found) {
		return abs
	}
	if here, err := os.Getwd(); err == nil {
		if real, err := filepath.EvalSymlinks(here); err == nil {
			return filepath.Join(real, path)
		}
	}
	return abs
}

// stem splits a base name: "Order Details.csv.gz" gives "Order Details" and "csv".
func stem(file string) (name, ext string) {
	name = file
	ext = strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if ext == "gz" {
		ext = strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	if name == "" {
		name = file
	}
	return name, ext
}

// extensions are the endings that each format goes by.
var extensions = map[string]string{
	"csv": formatCSV, "txt": formatCSV, "tsv": formatTSV, "tab": formatTSV, "json": formatJSON, "ndjson": formatNDJSON, "jsonl": formatNDJSON,
	"parquet": formatParquet, "pq": formatParquet, "xlsx": formatXLSX, "xlsm": formatXLSX,
	"sqlite": formatSQLite, "sqlite3": formatSQLite, "db": formatSQLite, "duckdb": formatDuckDB, "ddb": formatDuckDB,
}

// misnamed says whether the ending of the name announces another kind of file than the content is. Delimited text may
// be cut by anything whatever it is called, .json may hold one object per line, and .db says no more than database.
func (in input) misnamed() bool {
	announced, known := extensions[in.ext]
	family := func(format string) string {
		switch format {
		case formatTSV:
			return formatCSV
		case formatNDJSON:
			return formatJSON
		}
		return format
	}
	if in.ext == "db" && in.format == formatDuckDB {
		return false
	}
	return known && family(announced) != family(in.format)
}

func readHead(f io.Reader) ([]byte, error) {
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}

func unzipHead(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(z, head)
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}

// recognise names the format of a file by its first bytes.
func recognise(f *os.File, in input, head []byte) (string, error) {
	const op = "recognise file"
	binary := ""
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		binary = formatParquet
	case bytes.HasPrefix(head, []byte("PARE")):
		return "", invalid(op, "store.encrypted", in)
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		binary = formatSQLite
	case len(head) >= 12 && bytes.Equal(head[8:12], []byte("DUCK")):
		binary = formatDuckDB
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		z, err := zip.NewReader(f, in.size)
		if err != nil {
			in.format = in.ext
			return "", damaged(op, in, err)
		}
		for _, part := range z.File {
			if part.Name == "xl/workbook.xml" {
				binary = formatXLSX
			}
		}
		if binary == "" {
			return "", invalid(op, "store.is_archive", in)
		}
	case bytes.HasPrefix(head, []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}):
		if oleEncrypted(f) {
			return "", invalid(op, "store.encrypted", in)
		}
		return "", invalid(op, "store.old_excel", in)
	}
	if binary != "" {
		if in.gzip {
			return "", invalid(op, "store.gzip_binary", in)
		}
		return binary, nil
	}
	return recogniseText(in, head)
}

// oleEncrypted says whether a compound file holds the stream of an encrypted workbook.
func oleEncrypted(f io.ReadSeeker) bool {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	raw, err := io.ReadAll(io.LimitReader(f, 64<<20))
	if err != nil {
		return false
	}
	var name []byte
	for _, u := range utf16.Encode([]rune("EncryptedPackage")) {
		name = append(name, byte(u), byte(u>>8))
	}
	return bytes.Contains(raw, name)
}

func recogniseText(in input, head []byte) (string, error) {
	const op = "recognise file"
	plain, _ := decodeHead(head)
	if unreadable(plain) {
		return "", invalid(op, "store.not_a_table", in)
	}
	body := bytes.TrimLeft(plain, " \t\r\n")
	if len(body) == 0 {
		return "", invalid(op, "store.file_blank", in)
	}
	switch body[0] {
	case '[':
		next := bytes.TrimLeft(body[1:], " \t\r\n")
		if len(next) == 0 || next[0] == '{' || next[0] == '[' || next[0] == ']' || in.ext == formatJSON {
			return formatJSON, nil
		}
	case '{':
		next := bytes.TrimLeft(body[1:], " \t\r\n")
		if len(next) == 0 || next[0] == '"' || next[0] == '}' {
			line, rest, _ := bytes.Cut(body, []byte("\n"))
			line = bytes.TrimRight(line, " \t\r")
			if bytes.HasSuffix(line, []byte("}")) && (in.ext != formatJSON || len(bytes.TrimSpace(rest)) > 0) {
				return formatNDJSON, nil
			}
			return formatJSON, nil
		}
	}
	if in.ext == "tsv" || in.ext == "tab" {
		return formatTSV, nil
	}
	return formatCSV, nil
}

// unreadable says whether a decoded head holds so many control characters that it is no text: more than one in fifty, a
// few in a short text aside. NULs among them are cut out later.
func unreadable(head []byte) bool {
	control := 0
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b || b == 0x7f {
			control++
		}
	}
	return control > 4+len(head)/50
}

// decodeHead gives the UTF-8 text of a head and the encoding that its first bytes tell; "" when they tell none.
func decodeHead(head []byte) (plain []byte, encoding string) {
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		return head[3:], encodingUTF8
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return fromUTF16(head[2:], false), encodingUTF16LE
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return fromUTF16(head[2:], true), encodingUTF16BE
	}
	var nul [2]int
	for i, b := range head {
		if b == 0 {
			nul[i%2]++
		}
	}
	switch quarter := len(head) / 4; {
	case len(head) >= 4 && nul[1] > quarter && nul[0] < quarter/10+1:
		return fromUTF16(head, false), encodingUTF16LE
	case len(head) >= 4 && nul[0] > quarter && nul[1] < quarter/10+1:
		return fromUTF16(head, true), encodingUTF16BE
	}
	return head, ""
}

func fromUTF16(raw []byte, bigEndian bool) []byte {
	var out []byte
	units := make([]uint16, len(raw)/2)
	for i := range units {
		a, b := uint16(raw[2*i]), uint16(raw[2*i+1])
		if bigEndian {
			a, b = b, a
		}
		units[i] = a | b<<8
	}
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// openFault classifies a file that cannot be opened or read.
func openFault(op string, in input, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(fault.NotFound, op, text.Say("store.file_missing", "file", in.path), text.Say("store.file_missing_hint"), err)
	case errors.Is(err, fs.ErrPermission):
		return fault.Wrap(fault.Unauthorized, op, text.Say("store.file_forbidden", "file", in.path), text.Say("store.file_forbidden_hint"), err)
	default:
		return fault.Wrap(fault.Unavailable, op, text.Say("store.file_unreadable", "file", in.path), text.Say("store.file_unreadable_hint"), err)
	}
}

// invalid is a fault about the file as it is; the hint stands beside the message in the catalogue.
func invalid(op, key string, in input) error {
	return fault.New(fault.Invalid, op, text.Say(key, "file", in.file), text.Say(key+"_hint"))
}

func damaged(op string, in input, err error) error {
	return fault.Wrap(fault.Invalid, op, text.Say("store.damaged", "file", in.file, "format", in.format), text.Say("store.damaged_hint"), err)
}
