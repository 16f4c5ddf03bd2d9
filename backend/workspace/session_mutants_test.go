package workspace

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
	"assay/backend/store"
)

// zipped is an entry of a session file.
type zipped struct {
	name    string
	content []byte
}

func unzipped(t testing.TB, raw []byte) []zipped {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var all []zipped
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, zipped{f.Name, content})
	}
	return all
}

// rezipped puts entries together again, with the checksums that they have now.
func rezipped(t testing.TB, all []zipped) []byte {
	t.Helper()
	var m session.Manifest
	for i, e := range all {
		if e.name == "manifest.json" && json.Unmarshal(e.content, &m) == nil {
			m.Files = []session.ManifestFile{}
			for _, f := range all {
				if f.name != "manifest.json" && f.name != "signature.json" {
					sum := sha256.Sum256(f.content)
					m.Files = append(m.Files, session.ManifestFile{Name: f.name, Bytes: int64(len(f.content)), SHA256: hex.EncodeToString(sum[:])})
				}
			}
			raw, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			all[i].content = raw
		}
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range all {
		w, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// mutator makes hostile files of a good one.
type mutator struct {
	t    testing.TB
	r    *rand.Rand
	good []byte
}

// strange are values that stand in the place of others.
var strange = []any{
	nil, true, -1, 0, 1e308, json.Number("99999999999999999999999999"), "", "..", "<script>alert(1)</script>", "'; DROP TABLE session; --", "\u202e\u0000", "=1+1",
	[]any{},
	map[string]any{},
	[]any{[]any{[]any{}}},
	map[string]any{"$ref": "#"},
	strings.Repeat("x", 5000), json.Number("-0"), "2026-13-45T99:99:99Z", "art_x_1_0", "frames/0001.parquet",
}

func (m *mutator) flipped(raw []byte) []byte {
	raw = bytes.Clone(raw)
	for range 1 + m.r.IntN(8) {
		if len(raw) > 0 {
			raw[m.r.IntN(len(raw))] ^= 1 << m.r.IntN(8)
		}
	}
	return raw
}

// cut takes a piece away, or puts it in twice.
func (m *mutator) cut(raw []byte) []byte {
	if len(raw) < 2 {
		return nil
	}
	from := m.r.IntN(len(raw))
	to := min(len(raw), from+1+m.r.IntN(200))
	if m.r.IntN(2) == 0 {
		return slices.Concat(raw[:from], raw[to:])
	}
	return slices.Concat(raw[:to], raw[from:])
}

// next makes a mutant: of the bytes, of an entry, of a JSON value, of the entries.
func (m *mutator) next() []byte {
	switch m.r.IntN(10) {
	case 0:
		return m.flipped(m.good)
	case 1:
		return m.good[:m.r.IntN(len(m.good))]
	case 2:
		return m.cut(m.good)
	}
	all := unzipped(m.t, m.good)
	i := m.r.IntN(len(all))
	switch e := &all[i]; m.r.IntN(8) {
	case 0:
		e.content = m.flipped(e.content)
	case 1:
		e.content = m.cut(e.content)
	case 2:
		e.name = []string{"../x", "/x", "frames/0001.parquet", "session.json", "frames/99999.parquet", "model/context/x.yaml", "x"}[m.r.IntN(7)]
	case 3:
		all = append(all, all[m.r.IntN(len(all))])
	case 4:
		all = slices.Delete(all, i, i+1)
	default:
		for j := range all {
			if all[j].name == "session.json" || all[j].name == "manifest.json" && m.r.IntN(4) == 0 {
				all[j].content = m.bent(all[j].content)
			}
		}
	}
	return rezipped(m.t, all)
}

// bent changes some values of a JSON text.
func (m *mutator) bent(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		m.t.Fatal(err)
	}
	for range 1 + m.r.IntN(3) {
		m.bend(x)
	}
	out, err := json.Marshal(x)
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

// bend goes down to some value and puts another one there.
func (m *mutator) bend(x any) {
	for {
		var child any
		var put func(any)
		switch x := x.(type) {
		case map[string]any:
			if len(x) == 0 {
				return
			}
			keys := make([]string, 0, len(x))
			for k := range x {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			k := keys[m.r.IntN(len(keys))]
			child, put = x[k], func(v any) { x[k] = v }
			if m.r.IntN(30) == 0 {
				delete(x, k)
				return
			}
			if m.r.IntN(60) == 0 {
				x[k+"_"] = child
				return
			}
		case []any:
			if len(x) == 0 {
				return
			}
			i := m.r.IntN(len(x))
			child, put = x[i], func(v any) { x[i] = v }
		default:
			return
		}
		switch child.(type) {
		case map[string]any, []any:
			if m.r.IntN(12) > 0 {
				x = child
				continue
			}
		}
		put(strange[m.r.IntN(len(strange))])
		return
	}
}

// TestMutants hands over hundreds of hostile files (ASSAY_MUTANTS: as many): each is refused with a sentence or taken for what it is, nothing lands of one that is
// refused, nothing runs, nothing is written outside of the profile, and what landed can be opened and forked.
func TestMutants(t *testing.T) {
	n := 300
	if more, err := strconv.Atoi(os.Getenv("ASSAY_MUTANTS")); err == nil {
		n = more
	}
	home, keepIn := t.TempDir(), os.TempDir()
	elsewhere := []string{t.TempDir(), t.TempDir()}
	w := openTarget(t, Target{}, filepath.Join(home, "data"))
	good, err := os.ReadFile(exported(t, w, told(t, w), SessionChoice{Model: true, Sign: true}))
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	if s, err := strconv.ParseUint(os.Getenv("ASSAY_SEED"), 10, 64); err == nil {
		seed = s
	}
	m := &mutator{t, rand.New(rand.NewPCG(seed, 2)), good}
	path := filepath.Join(home, "mutant.assay")
	t.Setenv("TMPDIR", elsewhere[0])
	t.Chdir(elsewhere[1])
	taken := 0
	peak := watchMemory()
	for i := range n {
		peak.begin(i%50 == 0)
		logged := lastLogged(t, w)
		raw := m.next()
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		arrived, err := w.tryMutant(path, i)
		peak.look()
		if now := lastLogged(t, w); now != logged {
			t.Errorf("mutant %d: %d entries of the audit log came of it", i, now-logged)
		}
		switch code := fault.CodeOf(err); {
		case err == nil:
			taken++
			if taken%10 == 0 {
				goOnFrom(t, w, arrived)
				showMutant(t, w, arrived)
			}
			if err := w.memory.Delete(t.Context(), arrived); err != nil {
				t.Fatal(err)
			}
		case code != fault.Invalid && code != fault.Limit && code != fault.Conflict:
			keep := filepath.Join(keepIn, fmt.Sprintf("assay-mutant-%d-%d.assay", seed, i))
			_ = os.WriteFile(keep, raw, 0o600)
			t.Errorf("mutant %d: %s (%s)", i, fault.Detail(err), keep)
		}
	}
	t.Logf("%d of %d mutants were taken", taken, n)
	if own, child := peak.end(); own > 0 {
		t.Logf("at most %d MB were resident, and %d MB of a child that read frames, which may take %d MB", own>>20, child>>20, store.RowsMemory>>20)
		if n >= 10_000 && own+child > 256<<20 {
			t.Errorf("%d MB were resident, want at most 256", (own+child)>>20)
		}
	}
	heads, err := w.memory.Sessions(t.Context())
	if err != nil || len(heads) > 1+taken/10 { // the one that was exported, and the forks
		t.Errorf("%d sessions, %v", len(heads), err)
	}
	left, err := filepath.Glob(filepath.Join(w.dir, ".assay", "session-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	outside, err := os.ReadDir(home)
	if err != nil || len(outside) != 2 {
		t.Errorf("beside the profile: %v %v", outside, err)
	}
	for _, dir := range elsewhere {
		if outside, err := os.ReadDir(dir); err != nil || len(outside) > 0 {
			t.Errorf("in the folder of temporary files, or the one in which it runs: %v %v", outside, err)
		}
	}
}

// lastLogged is the number of the last entry of the audit log: whatever runs has one before it does.
func lastLogged(t testing.TB, w *Workspace) int64 {
	t.Helper()
	entries, err := w.memory.Audit(context.Background(), memory.AuditFilter{Last: 1})
	if err != nil || len(entries) == 0 {
		t.Fatalf("%v %v", entries, err)
	}
	return entries[0].Seq
}

// tryMutant previews a file and takes it in. A panic is an error.
func (w *Workspace) tryMutant(path string, i int) (arrived string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	_, refused := w.PreviewSession(context.Background(), path)
	if refused != nil {
		var said *fault.Error
		if !errors.As(refused, &said) || said.Message == "" {
			return "", fmt.Errorf("without a sentence: %w", refused)
		}
		if i%5 > 0 {
			return "", refused
		}
	}
	a, err := w.ImportSession(context.Background(), path)
	if err == nil && refused != nil {
		err = fmt.Errorf("the preview refused what was taken in: %w", refused)
	}
	return a.SessionID, err
}

// goOnFrom opens a session that was taken in, forks it and asks on.
func goOnFrom(t *testing.T, w *Workspace, id string) {
	t.Helper()
	d, err := w.memory.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Turns) == 0 {
		return
	}
	fork, err := w.Fork(t.Context(), id, memory.ForkAt{Turn: d.Turns[len(d.Turns)-1].Index})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, err := w.Ask(t.Context(), analyst.Request{Question: "and by country", SessionID: fork.SessionID}, nil); err != nil {
		t.Error(fault.Detail(err))
	}
}
