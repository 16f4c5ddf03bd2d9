package session

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
)

var asked = time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)

// small is a session of two turns: one was refused, the other failed.
func small() File {
	return File{
		Format: FileFormat, Version: FileVersion, Program: "1.0", ID: "s", Title: "weather", Created: asked, Updated: asked,
		Workspace: FileWorkspace{Name: "w", Tables: map[string]string{}},
		State:     State{Entities: []string{}, Filters: []string{}, Corrections: []CorrectedTurn{}, Choices: []Chosen{}},
		Turns: []FileTurn{
			{
				Turn:      Turn{Index: 1, Place: 1, Chosen: true, RequestID: "r1", Question: "weather", Asked: asked, Outcome: "refuse", Status: "completed", Answer: json.RawMessage(`{"outcome":"refuse"}`)},
				Artifacts: []FileArtifact{{ID: "art_s_1_0", Kind: KindRefusal, Title: "No", Created: asked}}, Trace: []Step{{Name: "intake", Status: "done", Started: asked}},
			},
			{
				Turn:      Turn{Index: 2, Place: 2, Chosen: true, RequestID: "r2", Question: "again", Asked: asked, Outcome: Failed, Status: Failed, Answer: json.RawMessage("null"), Fault: &Fault{Code: "internal"}},
				Artifacts: []FileArtifact{},
			},
		},
	}
}

func key() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)) }

func written1(t testing.TB, f File, sign bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	if _, err := w.Frame([]byte("PAR1 and so on")); err != nil {
		t.Fatal(err)
	}
	if err := w.Model("context/metrics/revenue.yaml", []byte("metric: revenue\n")); err != nil {
		t.Fatal(err)
	}
	m := Manifest{Program: "1.0", Created: asked, Contains: Contains{Frames: FramesWhole, Model: true}}
	var s Sign
	if sign {
		m.Signer = &Signer{Name: "Mary", PublicKey: hex.EncodeToString(key().Public().(ed25519.PublicKey))}
		s = func(manifest []byte) []byte { return ed25519.Sign(key(), manifest) }
	}
	if err := w.Close(f, m, s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(raw []byte) (*Package, error) { return Open(bytes.NewReader(raw), int64(len(raw))) }

func TestSessionFileIsRead(t *testing.T) {
	p, err := open(written1(t, small(), true))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if p.Signature != SignatureValid || p.Fingerprint == "" || p.Manifest.Signer.Name != "Mary" || len(p.File.Turns) != 2 || len(p.File.Turns[0].Trace) != 1 || p.File.Turns[0].Question != "weather" {
		t.Errorf("%+v", p)
	}
	if raw, err := p.Frame("frames/0001.parquet"); err != nil || string(raw) != "PAR1 and so on" {
		t.Errorf("%q %v", raw, err)
	}
	if files, err := p.Model(); err != nil || string(files["context/metrics/revenue.yaml"]) != "metric: revenue\n" {
		t.Errorf("%v %v", files, err)
	}
	if _, err := p.Frame("manifest.json"); err == nil {
		t.Error("the manifest is a frame")
	}
	var alone bytes.Buffer
	if err := WriteJSON(&alone, small()); err != nil {
		t.Fatal(err)
	}
	if p, err := open(alone.Bytes()); err != nil || !p.Bare || p.Signature != SignatureNone || len(p.File.Turns[0].Trace) != 1 {
		t.Errorf("%+v %v", p, err)
	}
}

// part is an entry of a zip that is put together by hand.
type part struct {
	name    string
	content []byte
	header  func(*zip.FileHeader)
}

// unpacked takes a file apart.
func unpacked(t testing.TB, raw []byte) []part {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var parts []part
	for _, f := range z.File {
		content, err := contentOf(f)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part{name: f.Name, content: content})
	}
	return parts
}

func packed(t testing.TB, parts []part) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, p := range parts {
		h := &zip.FileHeader{Name: p.name, Method: zip.Deflate}
		if p.header != nil {
			p.header(h)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(p.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// with gives the file with one entry changed, and a manifest that agrees with what is there.
func with(t testing.TB, name string, change func([]byte) []byte) []byte {
	t.Helper()
	parts := unpacked(t, written1(t, small(), false))
	for i := range parts {
		if parts[i].name == name {
			parts[i].content = change(parts[i].content)
		}
	}
	return packed(t, agreed(t, parts))
}

// agreed writes the hashes of the entries into the manifest.
func agreed(t testing.TB, parts []part) []part {
	t.Helper()
	var m Manifest
	for i := range parts {
		if parts[i].name != "manifest.json" {
			continue
		}
		if err := json.Unmarshal(parts[i].content, &m); err != nil {
			return parts // it was changed itself
		}
		m.Files = nil
		for _, p := range parts {
			if p.name != "manifest.json" && p.name != "signature.json" {
				sum := sha256.Sum256(p.content)
				m.Files = append(m.Files, ManifestFile{p.name, int64(len(p.content)), hex.EncodeToString(sum[:])})
			}
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		parts[i].content = raw
	}
	return parts
}

func replaced(old, fresh string) func([]byte) []byte {
	return func(raw []byte) []byte {
		if !bytes.Contains(raw, []byte(old)) {
			panic(old + " is not there")
		}
		return bytes.Replace(raw, []byte(old), []byte(fresh), 1)
	}
}

// TestHostileFiles is a zoo: each is refused with its own sentence, and none does harm.
func TestHostileFiles(t *testing.T) {
	good := written1(t, small(), false)
	extra := func(p part) []byte { return packed(t, agreed(t, append(unpacked(t, good), p))) }
	document := func(old, fresh string) []byte { return with(t, "session.json", replaced(old, fresh)) }
	sized := func(raw []byte, signature string, at int, value uint32) []byte {
		bent := bytes.Clone(raw)
		i := bytes.LastIndex(bent, []byte(signature))
		binary.LittleEndian.PutUint32(bent[i+at:], value)
		return bent
	}
	for name, c := range map[string]struct {
		raw  []byte
		code fault.Code
		says string
	}{
		"empty":              {nil, fault.Invalid, "not a session file"},
		"a text":             {[]byte("hello"), fault.Invalid, "not a session file"},
		"a database":         {append([]byte("SQLite format 3\x00"), make([]byte, 4096)...), fault.Invalid, "not a session file"},
		"another zip":        {packed(t, []part{{name: "word/document.xml", content: []byte("<a/>")}}), fault.Invalid, "not a session file"},
		"another flat zip":   {packed(t, []part{{name: "a.txt", content: []byte("a")}}), fault.Invalid, "not a session file"},
		"no entries":         {packed(t, nil), fault.Invalid, "not a session file"},
		"another json":       {[]byte(`{"type":"FeatureCollection"}`), fault.Invalid, "not a session file"},
		"half a json":        {[]byte(`{"format":"assay-session","version":1,"id":"s`), fault.Invalid, "cut off"},
		"half":               {good[:len(good)/2], fault.Invalid, "cut off"},
		"without its end":    {good[:len(good)-1], fault.Invalid, "cut off"},
		"with a tail":        {append(bytes.Clone(good), 0), fault.Invalid, "cut off"},
		"with a head":        {append([]byte("PK\x03\x04"), good...), fault.Invalid, "damaged"},
		"newer":              {with(t, "session.json", replaced(`"version":2`, `"version":3`)), fault.Conflict, "newer version"},
		"newer, with more":   {with(t, "session.json", replaced(`"version":2`, `"version":9,"soul":{}`)), fault.Conflict, "newer version"},
		"of no version":      {document(`"version":2`, `"version":0`), fault.Invalid, "does not fit"},
		"an unknown field":   {document(`"title"`, `"soul":1,"title"`), fault.Invalid, "does not fit"},
		"a key twice":        {document(`"title"`, `"title":"a","title"`), fault.Invalid, "does not fit"},
		"not UTF-8":          {document(`weather`, "\xff\xfe"), fault.Invalid, "damaged"},
		"too deep":           {document(`{"outcome":"refuse"}`, strings.Repeat("[", 40)+strings.Repeat("]", 40)), fault.Limit, "larger"},
		"a long list":        {document(`{"outcome":"refuse"}`, "["+strings.Repeat("0,", maxItems)+"0]"), fault.Limit, "larger"},
		"a long text":        {document(`{"outcome":"refuse"}`, `"`+strings.Repeat("x", maxString+1)+`"`), fault.Limit, "larger"},
		"a long number":      {document(`{"outcome":"refuse"}`, strings.Repeat("7", maxString+1)), fault.Limit, "larger"},
		"turns out of order": {document(`"index":2,"place":2`, `"index":1,"place":1`), fault.Invalid, "does not fit"},
		"no such place":      {document(`"index":2,"place":2`, `"index":2,"place":1`), fault.Invalid, "does not fit"},
		"cleared in part": {with(t, "session.json", func(raw []byte) []byte {
			raw = replaced(`"index":2,"place":2,"chosen":true`, `"index":2,"place":1,"instead_of":"r1","chosen":false`)(raw)
			return replaced(`"made_by":null`, `"made_by":null,"archived":"2026-01-15T12:00:00Z"`)(raw)
		}), fault.Invalid, "does not fit"},
		"cleared some time": {document(`"made_by":null`, `"made_by":null,"archived":"some time"`), fault.Invalid, "does not fit"},
		"a request twice":   {document(`"r2"`, `"r1"`), fault.Invalid, "does not fit"},
		"an odd name":       {document(`"r2"`, "\"r\\u0000\""), fault.Invalid, "does not fit"},
		"an odd outcome":    {document(`"outcome":"refuse","status"`, `"outcome":"<script>","status"`), fault.Invalid, "does not fit"},
		"an odd kind":       {document(`"kind":"refusal"`, `"kind":"exec"`), fault.Invalid, "does not fit"},
		"an odd artifact":   {document(`art_s_1_0`, `../../x`), fault.Invalid, "does not fit"},
		"a frame elsewhere": {document(`"artifacts":[]`, `"artifacts":[],"rows":"frames/9999.parquet"`), fault.Invalid, "does not fit"},
		"a frame of others": {document(`"artifacts":[]`, `"artifacts":[],"rows":"../../etc/passwd"`), fault.Invalid, "does not fit"},
		"a step of nobody":  {with(t, "trace.jsonl", replaced(`"r1"`, `"r9"`)), fault.Invalid, "does not fit"},
		"no step":           {with(t, "trace.jsonl", func([]byte) []byte { return []byte("[]\n") }), fault.Invalid, "does not fit"},
		"a changed frame":   {packed(t, changed(unpacked(t, good), "frames/0001.parquet", []byte("PAR1 and so no"))), fault.Invalid, "damaged"},
		"a way out":         {extra(part{name: "../evil.sh"}), fault.Invalid, "does not fit"},
		"a way out in":      {extra(part{name: "model/context/../../evil.yaml"}), fault.Invalid, "does not fit"},
		"an absolute name":  {extra(part{name: "/etc/passwd"}), fault.Invalid, "does not fit"},
		"a backslash":       {extra(part{name: `frames\..\0002.parquet`}), fault.Invalid, "does not fit"},
		"a folder":          {extra(part{name: "frames/"}), fault.Invalid, "does not fit"},
		"a zip inside":      {extra(part{name: "frames/inner.zip", content: good}), fault.Invalid, "does not fit"},
		"an entry twice":    {extra(part{name: "session.json", content: []byte("{}")}), fault.Invalid, "does not fit"},
		"an entry too many": {packed(t, append(unpacked(t, good), part{name: "frames/0002.parquet"})), fault.Invalid, "does not fit"},
		"a link": {extra(part{name: "frames/0002.parquet", content: []byte("/etc/passwd"), header: func(h *zip.FileHeader) {
			h.SetMode(fs.ModeSymlink | 0o777)
		}}), fault.Invalid, "does not fit"},
		"a bomb":               {extra(part{name: "frames/0002.parquet", content: make([]byte, MaxFrameBytes)}), fault.Limit, "larger"},
		"a larger one":         {extra(part{name: "frames/0002.parquet", content: make([]byte, MaxFrameBytes+1)}), fault.Limit, "larger"},
		"a claimed size":       {sized(good, "PK\x01\x02", 24, 1<<31), fault.Limit, "larger"},
		"a smaller claim":      {sized(good, "PK\x01\x02", 24, 3), fault.Invalid, "damaged"},
		"a directory too long": {sized(good, "PK\x05\x06", 12, 1<<30), fault.Limit, "larger"},
		"a directory astray":   {sized(good, "PK\x05\x06", 16, 7), fault.Invalid, "damaged"},
		"encrypted":            {sized(good, "PK\x01\x02", 6, 0x00010014), fault.Invalid, "does not fit"},
		"another method":       {sized(good, "PK\x01\x02", 10, 99), fault.Invalid, "does not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := open(c.raw)
			if err == nil || fault.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: %s, want %s: %s", p != nil, fault.Detail(err), c.code, c.says)
			}
		})
	}
}

func changed(parts []part, name string, content []byte) []part {
	for i := range parts {
		if parts[i].name == name {
			parts[i].content = content
		}
	}
	return parts
}

// TestSignatureCoversEverything changes what is signed in every way, with right checksums.
func TestSignatureCoversEverything(t *testing.T) {
	parts := func() []part { return unpacked(t, written1(t, small(), true)) }
	manifest := func(old, fresh string) []byte {
		all := parts()
		for i := range all {
			if all[i].name == "manifest.json" {
				all[i].content = replaced(old, fresh)(all[i].content)
			}
		}
		return packed(t, all)
	}
	var unsigned []part
	for _, p := range parts() {
		if p.name != "signature.json" {
			unsigned = append(unsigned, p)
		}
	}
	for name, raw := range map[string][]byte{
		"another frame": packed(t, agreed(t, changed(parts(), "frames/0001.parquet", []byte("PAR1 and so no")))),
		"another name":  manifest("Mary", "Anna"),
		"another key":   manifest(hex.EncodeToString(key().Public().(ed25519.PublicKey)), strings.Repeat("0", 64)),
		"no signature":  packed(t, unsigned),
	} {
		if p, err := open(raw); err != nil || p.Signature != SignatureNotValid {
			t.Errorf("%s: %+v %v", name, p, err)
		}
	}
	for name, raw := range map[string][]byte{
		"no hexadecimal":    packed(t, changed(parts(), "signature.json", []byte(`{"algorithm":"ed25519","signature":"zz"}`))),
		"another algorithm": packed(t, changed(parts(), "signature.json", []byte(fmt.Sprintf(`{"algorithm":"none","signature":"%0128d"}`, 0)))),
		"half a key":        manifest(`"public_key": "`, `"public_key": "zz`),
	} {
		if _, err := open(raw); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEntriesThatShareBytes lets two entries of the directory point at the same bytes.
func TestEntriesThatShareBytes(t *testing.T) {
	raw := written1(t, small(), false)
	first := bytes.Index(raw, []byte("PK\x01\x02"))
	second := first + 4 + bytes.Index(raw[first+4:], []byte("PK\x01\x02"))
	copy(raw[second+42:second+46], raw[first+42:first+46])
	if _, err := open(raw); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
}

func TestWhatIsTooLargeIsNotWritten(t *testing.T) {
	w := NewWriter(&bytes.Buffer{})
	if _, err := w.Frame(make([]byte, MaxFrameBytes+1)); fault.CodeOf(err) != fault.Limit {
		t.Errorf("%v", err)
	}
	if err := w.Model("../x.yaml", nil); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	f := small()
	f.Turns[0].Question = strings.Repeat("x", maxString+1)
	if err := WriteJSON(&bytes.Buffer{}, f); fault.CodeOf(err) != fault.Limit {
		t.Errorf("%v", err)
	}
	f.Turns[0].Question = strings.Repeat("x", maxString) // as repetitive as a bomb, and read all the same
	if _, err := open(written1(t, f, false)); err != nil {
		t.Error(fault.Detail(err))
	}
}

func TestConform(t *testing.T) {
	type inner struct {
		Word string   `json:"word" enum:"a,b"`
		List []string `json:"list" maxItems:"2" enum:"x,y"`
		Size int      `json:"size" minimum:"1" maximum:"3"`
		Long string   `json:"long,omitempty" maxLength:"2"`
	}
	type outer struct {
		Inner *inner             `json:"inner"`
		All   []inner            `json:"all"`
		Map   map[string]float64 `json:"map"`
		Raw   json.RawMessage    `json:"raw"`
		Any   any                `json:"any"`
		At    time.Time          `json:"at"`
	}
	good := inner{Word: "a", Size: 2}
	v := outer{Inner: &good, All: []inner{good}}
	if err := Conform(&v); err != nil || v.All[0].List == nil || v.Map == nil || v.Raw != nil {
		t.Errorf("%+v %v", v, err)
	}
	for _, wrong := range []inner{
		{Word: "c", Size: 2}, {Word: "a", Size: 0}, {Word: "a", Size: 4}, {Word: "a", Size: 2, Long: "abc"}, {Word: "a", Size: 2, List: []string{"z"}}, {Word: "a", Size: 2, List: []string{"x", "x", "x"}},
	} {
		if err := Conform(&outer{All: []inner{wrong}}); err == nil {
			t.Errorf("%+v conforms", wrong)
		}
	}
}
