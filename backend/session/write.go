package session

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"assay/backend/fault"
	"assay/backend/text"
)

// Writer writes a session file from front to back: frames and model as they come, then Close with the document. It keeps no frame in memory
// longer than it writes it. A file that Open would not read is not written.
type Writer struct {
	zip    *zip.Writer
	files  []ManifestFile
	frames int
	total  int64
}

// NewWriter begins a file.
func NewWriter(out io.Writer) *Writer { return &Writer{zip: zip.NewWriter(out)} }

// Frame writes the Parquet of a frame and gives the name of its entry. Faults: Limit, and those of out.
func (w *Writer) Frame(parquet []byte) (name string, err error) {
	w.frames++
	name = fmt.Sprintf("frames/%04d.parquet", w.frames)
	return name, w.add(name, parquet, zip.Store) // its pages are compressed
}

// Model writes a file of the model, by its path in a workspace. Faults: Invalid (no session file has it), Limit, and those of out.
func (w *Writer) Model(path string, content []byte) error {
	return w.add("model/"+path, content, zip.Deflate)
}

// Sign signs bytes.
type Sign func(manifest []byte) (signature []byte)

// Close writes the document, its trace, the manifest and, with sign, the signature, and ends the file. m says what the file contains and who signs
// it; its files are filled in. Faults: Limit (the session is larger than a file may be), and those of out.
func (w *Writer) Close(f File, m Manifest, sign Sign) error {
	var trace bytes.Buffer
	lines := json.NewEncoder(&trace)
	for i := range f.Turns {
		for _, s := range f.Turns[i].Trace {
			if err := lines.Encode(FileStep{f.Turns[i].RequestID, s}); err != nil {
				return err
			}
		}
		f.Turns[i].Trace = nil
	}
	document, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := fits(document); err != nil {
		return err
	}
	if err := w.add("session.json", document, zip.Deflate); err != nil {
		return err
	}
	if err := w.add("trace.jsonl", trace.Bytes(), zip.Deflate); err != nil {
		return err
	}
	m.Format, m.Version, m.Files = FileFormat, FileVersion, w.files
	manifest, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	if err := w.add("manifest.json", manifest, zip.Deflate); err != nil {
		return err
	}
	if sign != nil {
		raw, err := json.Marshal(SignatureFile{Algorithm: "ed25519", Signature: hex.EncodeToString(sign(manifest))})
		if err != nil {
			return err
		}
		if err := w.add("signature.json", raw, zip.Deflate); err != nil {
			return err
		}
	}
	return w.zip.Close()
}

// add writes an entry and remembers its hash for the manifest.
func (w *Writer) add(name string, content []byte, method uint16) error {
	most := mostOf(name)
	if most == 0 {
		return fault.New(fault.Invalid, "export session", text.Say("session.file_misfit", "where", name), "")
	}
	w.total += int64(len(content))
	if int64(len(content)) > most || w.total > MaxFileBytes || len(w.files) >= maxEntries-3 {
		return outgrown()
	}
	if method == zip.Deflate && len(content) > ratioMatters && squeezed(content) {
		method = zip.Store
	}
	entry, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err != nil {
		return err
	}
	if _, err := entry.Write(content); err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	w.files = append(w.files, ManifestFile{Name: name, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])})
	return nil
}

// squeezed says whether a text becomes so small that it would be taken for a bomb where it is read.
func squeezed(content []byte) bool {
	var out bytes.Buffer
	c, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err == nil {
		_, err = c.Write(content)
	}
	return err != nil || c.Close() != nil || len(content) > maxRatio*out.Len()
}

// WriteJSON writes a session.json alone: f has rows and trace within. Faults: Limit, and those of out.
func WriteJSON(out io.Writer, f File) error {
	raw, err := json.Marshal(f)
	if err == nil {
		err = fits(raw)
	}
	if err == nil {
		_, err = out.Write(raw)
	}
	return err
}

func fits(document []byte) error {
	if len(document) > maxSession || CheckJSON(document, "session.json") != nil {
		return outgrown()
	}
	return nil
}

func outgrown() error {
	return fault.New(fault.Limit, "export session", text.Say("session.outgrown"), text.Say("session.outgrown_hint"))
}
