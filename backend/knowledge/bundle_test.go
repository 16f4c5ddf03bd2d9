package knowledge_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

// signer is a key that every run has.
func signer(n byte) (sign func([]byte) []byte, public string) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
	return func(b []byte) []byte { return ed25519.Sign(private, b) }, hex.EncodeToString(private.Public().(ed25519.PublicKey))
}

func bundled(t *testing.T, b knowledge.Bundle) []byte {
	t.Helper()
	sign, key := signer(1)
	b.Key = key
	var out bytes.Buffer
	if err := b.Write(&out, sign); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func bundle() knowledge.Bundle {
	at := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	return knowledge.Bundle{Author: "ada", Workspace: "northwind", Number: 7, Made: at, Said: []knowledge.Statement{
		{Term: "turnover", Means: "revenue", Sort: knowledge.Factual, Domain: "order_lines", Detection: knowledge.ByCorrection, Quote: "no, <b>revenue</b> & 'more'", At: at},
		{Term: "freight", Means: "freight excluding beverages", Sort: knowledge.Gotcha, Domain: "orders", Detection: knowledge.ByDefinition, Quote: "", At: at},
	}}
}

func TestABundleComesBackAsItWas(t *testing.T) {
	want := bundle()
	got, err := knowledge.ReadBundle(bytes.NewReader(bundled(t, want)))
	if err != nil || got.Author != "ada" || got.Number != 7 || !reflect.DeepEqual(got.Said, want.Said) || len(got.Digest) != 64 {
		t.Fatalf("%+v, %v", got, err)
	}
	if a, b := want.Said[0].ID("ada"), want.Said[0].ID("bob"); a == b || a != got.Said[0].ID("ada") {
		t.Errorf("ids %s, %s", a, b)
	}
}

// TestNoBundleThatWasTouched: cut anywhere, with any byte changed, with lines left out, doubled or swapped, nothing of it is taken.
func TestNoBundleThatWasTouched(t *testing.T) {
	raw := bundled(t, bundle())
	for n := range raw {
		if _, err := knowledge.ReadBundle(bytes.NewReader(raw[:n])); fault.CodeOf(err) != fault.Invalid {
			t.Fatalf("cut at %d of %d: %v", n, len(raw), err)
		}
		for _, bit := range []byte{1, 32, 128} {
			touched := bytes.Clone(raw)
			touched[n] ^= bit
			if got, err := knowledge.ReadBundle(bytes.NewReader(touched)); err == nil && string(touched) != string(raw) {
				// The signature may be written in capitals: that is the same one.
				if !strings.EqualFold(string(touched), string(raw)) {
					t.Fatalf("byte %d changed: %+v", n, got)
				}
			}
		}
	}
	lines := strings.SplitAfter(string(raw), "\n")
	for name, all := range map[string][]string{
		"a line less":    {lines[0], lines[1], lines[3]},
		"a line twice":   {lines[0], lines[1], lines[1], lines[2], lines[3]},
		"lines swapped":  {lines[0], lines[2], lines[1], lines[3]},
		"two seals":      {lines[0], lines[1], lines[2], lines[3], lines[3]},
		"nothing but it": {lines[3]},
		"nothing":        {""},
		"no UTF-8":       {lines[0], "\xff\n", lines[3]},
	} {
		if _, err := knowledge.ReadBundle(strings.NewReader(strings.Join(all, ""))); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhatABundleMayNotSay: whoever holds a key may sign anything, and what is no correction is not taken, nor anything beside it.
func TestWhatABundleMayNotSay(t *testing.T) {
	wrong := map[string]func(*knowledge.Bundle){
		"no author":         func(b *knowledge.Bundle) { b.Author = "" },
		"no number":         func(b *knowledge.Bundle) { b.Number = 0 },
		"a term twice":      func(b *knowledge.Bundle) { b.Said = append(b.Said, b.Said[0]) },
		"no term":           func(b *knowledge.Bundle) { b.Said[0].Term = " - " },
		"itself":            func(b *knowledge.Bundle) { b.Said[0].Means = "Turnover" },
		"a permission":      func(b *knowledge.Bundle) { b.Said[0].Sort = knowledge.Permission },
		"a long term":       func(b *knowledge.Bundle) { b.Said[0].Term = strings.Repeat("a ", 50) },
		"a long meaning":    func(b *knowledge.Bundle) { b.Said[0].Means = strings.Repeat("a", 5000) },
		"a domain too long": func(b *knowledge.Bundle) { b.Said[0].Domain = strings.Repeat("d", 500) },
		"a time too late": func(b *knowledge.Bundle) {
			b.Said[0].At = time.Date(9999, 12, 31, 23, 59, 0, 0, time.FixedZone("", -3600))
		},
		"a time too early":   func(b *knowledge.Bundle) { b.Said[0].At = time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)) },
		"characters as term": func(b *knowledge.Bundle) { b.Said[0].Term = "\u202e\u200b" },
	}
	for name, spoil := range wrong {
		b := bundle()
		spoil(&b)
		if _, err := knowledge.ReadBundle(bytes.NewReader(bundled(t, b))); err == nil || fault.CodeOf(err) == fault.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := bundle()
	b.Said[0].Detection = knowledge.ByMandate // that is not theirs to say
	if got, err := knowledge.ReadBundle(bytes.NewReader(bundled(t, b))); err != nil || got.Said[0].Detection != knowledge.ByConfirmation {
		t.Errorf("%+v, %v", got.Said, err)
	}
	for b.Said = nil; len(b.Said) < knowledge.MostStatements+1; {
		b.Said = append(b.Said, knowledge.Statement{Term: fmt.Sprint("t", len(b.Said)), Means: "revenue", Sort: knowledge.Factual})
	}
	sign, _ := signer(1)
	if err := b.Write(&bytes.Buffer{}, sign); fault.CodeOf(err) != fault.Limit {
		t.Errorf("too many: %v", err)
	}
	if _, err := knowledge.ReadBundle(strings.NewReader(strings.Repeat("x", knowledge.MostBundle+1))); fault.CodeOf(err) != fault.Limit {
		t.Errorf("too long: %v", err)
	}
}
