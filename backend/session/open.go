package session

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Package is a session file that was opened: all but the rows of its frames has been read, held to its bounds and to its checksums.
// Nothing in it is trusted for that: what answers and artifacts hold is judged where their types are (package analyst).
type Package struct {
	Manifest    Manifest // of a session.json alone: what it would say
	File        File
	Signature   SignatureState
	Fingerprint string // of the key; empty: it is not signed
	Bare        bool   // a session.json alone, with rows and trace within

	entries map[string]*zip.File
	hashes  map[string]string
}

// Open reads a session file, or a session.json alone. It takes no more memory than a few times the size of session.json, whatever the file is.
//
// Faults: Invalid (no session file, cut off, damaged, or something in it does not fit), Limit (larger than is opened), Conflict (written by
// a newer version).
func Open(r io.ReaderAt, size int64) (*Package, error) {
	if size > MaxFileBytes {
		return nil, tooLarge("file")
	}
	var head [4]byte
	n, _ := r.ReadAt(head[:], 0)
	switch begin := string(head[:n]); {
	case strings.HasPrefix(begin, "PK\x03\x04"), strings.HasPrefix(begin, "PK\x05\x06"):
		return openZip(r, size)
	case strings.HasPrefix(strings.TrimLeft(begin, " \t\r\n\ufeff"), "{"):
		return openBare(r, size)
	}
	return nil, foreign()
}

// openBare reads a session.json alone.
func openBare(r io.ReaderAt, size int64) (*Package, error) {
	if size > maxSession {
		return nil, tooLarge("session.json")
	}
	raw := make([]byte, size)
	if _, err := r.ReadAt(raw, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, damaged("session.json", err)
	}
	if !json.Valid(raw) && bytes.LastIndexByte(bytes.TrimSpace(raw), '}') != len(bytes.TrimSpace(raw))-1 {
		return nil, cutOff(io.ErrUnexpectedEOF)
	}
	p := &Package{Bare: true, Signature: SignatureNone}
	if err := p.readFile(raw); err != nil {
		return nil, err
	}
	p.Manifest = Manifest{Format: FileFormat, Version: p.File.Version, Program: p.File.Program, Created: p.File.Updated, Contains: Contains{Frames: FramesWhole}}
	return p, nil
}

func openZip(r io.ReaderAt, size int64) (*Package, error) {
	entries, err := readZip(r, size)
	if err != nil {
		return nil, err
	}
	p := &Package{entries: entries, hashes: map[string]string{}, Signature: SignatureNone}
	manifest, err := contentOf(entries["manifest.json"])
	if err != nil {
		return nil, err
	}
	if err := readVersioned(manifest, "manifest.json", &p.Manifest); err != nil {
		return nil, err
	}
	if err := p.checkFiles(); err != nil {
		return nil, err
	}
	if err := p.checkSignature(manifest); err != nil {
		return nil, err
	}
	raw, err := p.read("session.json")
	if err != nil {
		return nil, err
	}
	if err := p.readFile(raw); err != nil {
		return nil, err
	}
	return p, p.readTrace()
}

// readVersioned reads a JSON text that begins with a format and a version. The version is asked for before anything else: a newer one may
// hold what this program cannot know.
func readVersioned(raw []byte, where string, into any) error {
	if err := CheckJSON(raw, where); err != nil {
		return err
	}
	var is struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(raw, &is); err != nil || is.Format != FileFormat {
		return foreign()
	}
	if is.Version > FileVersion {
		return newer(is.Version)
	}
	if is.Version < 1 {
		return misfit(where+": version", nil)
	}
	return DecodeStrict(raw, into, where)
}

// checkFiles compares the entries with the manifest: each is listed once, and has the bytes and the hash that stand there.
func (p *Package) checkFiles() error {
	switch p.Manifest.Contains.Frames {
	case FramesWhole, FramesMasked, FramesNone:
	default:
		return misfit("manifest.json: contains.frames", nil)
	}
	for i, f := range p.Manifest.Files {
		where := fmt.Sprintf("manifest.json: files[%d]", i)
		entry := p.entries[f.Name]
		switch {
		case entry == nil || f.Name == "manifest.json" || f.Name == "signature.json" || p.hashes[f.Name] != "":
			return misfit(where, fmt.Errorf("%q", f.Name))
		case int64(entry.UncompressedSize64) != f.Bytes || !hexadecimal(f.SHA256, sha256.Size):
			return damaged(where, nil)
		}
		p.hashes[f.Name] = f.SHA256
		if err := p.checkHash(f.Name); err != nil {
			return err
		}
	}
	for name := range p.entries {
		if p.hashes[name] == "" && name != "manifest.json" && name != "signature.json" {
			return misfit(name, errors.New("not in the manifest"))
		}
		if strings.HasPrefix(name, "model/") && !p.Manifest.Contains.Model || strings.HasPrefix(name, "frames/") && p.Manifest.Contains.Frames == FramesNone {
			return misfit(name, errors.New("the manifest says that there is none"))
		}
	}
	return nil
}

// checkHash reads an entry through, a piece at a time.
func (p *Package) checkHash(name string) error {
	f := p.entries[name]
	r, err := f.Open()
	if err != nil {
		return damaged(name, err)
	}
	defer r.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(r, int64(f.UncompressedSize64)+1)); err != nil {
		return damaged(name, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != p.hashes[name] {
		return damaged(name, errors.New("its checksum is another one"))
	}
	return nil
}

// read gives the bytes of an entry, which have the hash of the manifest.
func (p *Package) read(name string) ([]byte, error) {
	f := p.entries[name]
	if f == nil || p.hashes[name] == "" {
		return nil, misfit(name, errors.New("missing"))
	}
	raw, err := contentOf(f)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != p.hashes[name] {
		return nil, damaged(name, errors.New("its checksum is another one"))
	}
	return raw, nil
}

// Frame gives the Parquet of a frame, at most MaxFrameBytes. Whoever reads it takes it for hostile: that its checksum is right only says that
// its author wrote it. Fault Invalid.
func (p *Package) Frame(name string) ([]byte, error) {
	if !strings.HasPrefix(name, "frames/") {
		return nil, misfit(name, errors.New("no frame"))
	}
	return p.read(name)
}

// Model gives the files of the model that came with the session, by their path in a workspace. Faults: Invalid, Limit.
func (p *Package) Model() (map[string][]byte, error) {
	files, room := map[string][]byte{}, maxModel
	for name, entry := range p.entries {
		if inside, is := strings.CutPrefix(name, "model/"); is {
			if room -= int(entry.UncompressedSize64); room < 0 || len(files) >= maxModelFiles { // no entry has more than a file may
				return nil, tooLarge("model")
			}
			raw, err := p.read(name)
			if err != nil {
				return nil, err
			}
			files[inside] = raw
		}
	}
	return files, nil
}

// checkSignature finds out whether the manifest is as its signer left it.
func (p *Package) checkSignature(manifest []byte) error {
	entry, signer := p.entries["signature.json"], p.Manifest.Signer
	if entry == nil && signer == nil {
		return nil
	}
	p.Signature = SignatureNotValid
	if signer != nil {
		if len(signer.Name) > 200 || !hexadecimal(signer.PublicKey, ed25519.PublicKeySize) {
			return misfit("manifest.json: signer", nil)
		}
		p.Fingerprint = Fingerprint(signer.PublicKey)
	}
	if entry == nil {
		return nil
	}
	raw, err := contentOf(entry)
	if err != nil {
		return err
	}
	var s SignatureFile
	if err := CheckJSON(raw, "signature.json"); err != nil {
		return err
	}
	if err := DecodeStrict(raw, &s, "signature.json"); err != nil {
		return err
	}
	if s.Algorithm != "ed25519" || !hexadecimal(s.Signature, ed25519.SignatureSize) {
		return misfit("signature.json", nil)
	}
	if signer == nil {
		return nil
	}
	key, _ := hex.DecodeString(signer.PublicKey)
	signature, _ := hex.DecodeString(s.Signature)
	if ed25519.Verify(key, manifest, signature) {
		p.Signature = SignatureValid
	}
	return nil
}

// Fingerprint is how a person compares keys: 128 bits of the hash of a public key, in groups of four digits.
func Fingerprint(publicKey string) string {
	raw, _ := hex.DecodeString(publicKey)
	sum := sha256.Sum256(raw)
	digits := hex.EncodeToString(sum[:16])
	var groups []string
	for i := 0; i < len(digits); i += 4 {
		groups = append(groups, digits[i:i+4])
	}
	return strings.Join(groups, " ")
}

func hexadecimal(s string, bytes int) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == bytes && s == strings.ToLower(s)
}

func (p *Package) readFile(raw []byte) error {
	if err := readVersioned(raw, "session.json", &p.File); err != nil {
		return err
	}
	return p.check()
}

// readTrace puts the lines of trace.jsonl to their turns.
func (p *Package) readTrace() error {
	raw, err := p.read("trace.jsonl")
	if err != nil {
		return err
	}
	turns := map[string]*FileTurn{}
	for i := range p.File.Turns {
		turns[p.File.Turns[i].RequestID] = &p.File.Turns[i]
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, maxString+1024)
	for n := 1; lines.Scan(); n++ {
		where := fmt.Sprintf("trace.jsonl: %d", n)
		if err := CheckJSON(lines.Bytes(), where); err != nil {
			return err
		}
		var s FileStep
		if err := DecodeStrict(lines.Bytes(), &s, where); err != nil {
			return err
		}
		turn := turns[s.RequestID]
		if turn == nil {
			return misfit(where, fmt.Errorf("no request %q", s.RequestID))
		}
		if turn.Trace = append(turn.Trace, s.Step); len(turn.Trace) > maxSteps {
			return tooLarge(where)
		}
		if err := checkStep(s.Step, where); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return tooLarge("trace.jsonl")
	}
	return nil
}
