package store

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"assay/backend/text"
)

// The encodings of text that are read.
const (
	encodingUTF8    = "utf-8"
	encodingUTF16LE = "utf-16le"
	encodingUTF16BE = "utf-16be"
	encoding1252    = "windows-1252"
	encodingLatin1  = "iso-8859-1"
)

// plainText gives the path of the text as UTF-8 without NULs and with line feeds: the file itself when it is so already,
// otherwise a copy in the import's folder. The engine's parallel reader then has nothing to decode.
func (l *loader) plainText(ctx context.Context) (path, enc string, err error) {
	path = l.in.path
	if l.in.gzip {
		if path, l.facts, err = l.gunzip(ctx); err != nil {
			return "", "", err
		}
	}
	facts := l.facts
	f, err := os.Open(path)
	if err != nil {
		return "", "", openFault("read text", l.in, err)
	}
	defer f.Close()
	head, err := readHead(f)
	if err != nil {
		return "", "", openFault("read text", l.in, err)
	}
	_, enc = decodeHead(head)
	switch {
	case l.reading.Encoding != "":
		enc = l.reading.Encoding
	case enc == encodingUTF16LE, enc == encodingUTF16BE:
	case facts.utf8:
		enc = encodingUTF8
	case facts.highC1:
		enc = encodingLatin1
	default:
		enc = encoding1252
	}
	marked := bytes.HasPrefix(head, []byte("\ufeff")) && l.readsJSON() // the reader of JSON takes the mark for a value
	lines := facts.newlines || l.readsJSON()
	if enc == encodingUTF8 && facts.utf8 && !facts.nul && lines && !marked {
		return path, enc, nil
	}
	switch {
	case enc == encodingUTF8:
	case l.reading.Encoding != "" || enc == encodingUTF16LE || enc == encodingUTF16BE:
		l.note(text.Say("store.note_encoding", "encoding", enc))
	default: // nothing in the bytes tells it
		l.tell(Note{Code: EncodingGuess, Severity: "info"}, text.Say("store.note_encoding_guessed", "encoding", enc))
	}
	if facts.nul && enc != encodingUTF16LE && enc != encodingUTF16BE {
		l.note(text.Say("store.note_nul"))
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", "", openFault("read text", l.in, err)
	}
	r := transform.NewReader(bufio.NewReaderSize(f, 1<<20), transform.Chain(decoder(enc), &unixLines{}))
	plain, err := l.copyText(ctx, r, "text", nil)
	return plain, enc, err
}

func (l *loader) readsJSON() bool {
	return l.in.format == formatJSON || l.in.format == formatNDJSON
}

func decoder(enc string) transform.Transformer {
	var e encoding.Encoding
	switch enc {
	case encodingUTF16LE:
		e = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case encodingUTF16BE:
		e = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case encoding1252:
		e = charmap.Windows1252
	case encodingLatin1:
		e = charmap.ISO8859_1
	default:
		e = unicode.UTF8BOM
	}
	return e.NewDecoder()
}

// unixLines drops NULs and makes a line feed of a carriage return that stands alone.
type unixLines struct{ transform.NopResetter }

func (unixLines) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		c := src[nSrc]
		if c == '\r' && nSrc+1 == len(src) && !atEOF {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if c == 0 {
			nSrc++
			continue
		}
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		if c == '\r' && (nSrc+1 == len(src) || src[nSrc+1] != '\n') {
			c = '\n'
		}
		dst[nDst] = c
		nDst, nSrc = nDst+1, nSrc+1
	}
	return nDst, nSrc, nil
}

// gunzip unpacks the file into the import's folder and learns what its bytes tell.
func (l *loader) gunzip(ctx context.Context) (string, textFacts, error) {
	facts := newTextFacts()
	f, err := os.Open(l.in.path)
	if err != nil {
		return "", facts, openFault("unpack file", l.in, err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return "", facts, damaged("unpack file", l.in, err)
	}
	path, err := l.copyText(ctx, z, "unpacked", &facts)
	facts.end()
	return path, facts, err
}

// copyText writes a reader into a file of the import's folder.
func (l *loader) copyText(ctx context.Context, r io.Reader, name string, facts *textFacts) (string, error) {
	path := filepath.Join(l.dir, name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return "", writeFault("copy text", l.dir, err)
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		if ctx.Err() != nil {
			return "", canceled(ctx, "copy text")
		}
		n, err := r.Read(buf)
		if facts != nil {
			facts.add(buf[:n])
		}
		if _, err := f.Write(buf[:n]); err != nil {
			return "", writeFault("copy text", l.dir, err)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", damaged("copy text", l.in, err)
		}
	}
	if err := f.Close(); err != nil {
		return "", writeFault("copy text", l.dir, err)
	}
	return path, nil
}
