package analyst

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/fault"
	"assay/backend/session"
)

// FuzzReadSession reads session files of strangers as an import does, up to what would be stored: whole ones, whose directory, manifest, signature and trace are reached, and
// session.json texts alone. What is taken can be packed again.
func FuzzReadSession(f *testing.F) {
	seed, err := os.ReadFile("testdata/session.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"format":"assay-session","version":1}`))
	f.Add([]byte(`{"format":"assay-session","version":2}`))
	f.Add(wholeFile(f, seed, false))
	f.Add(wholeFile(f, seed, true))
	f.Add([]byte(`{"format":"assay-session","version":3}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := session.Open(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			if fault.CodeOf(err) == fault.Internal {
				t.Errorf("without a sentence: %v", err)
			}
			return
		}
		if _, err := p.Model(); fault.CodeOf(err) == fault.Internal {
			t.Errorf("without a sentence: %v", err)
		}
		for _, turn := range p.File.Turns {
			if turn.Rows != "" {
				if _, err := p.Frame(turn.Rows); fault.CodeOf(err) == fault.Internal {
					t.Errorf("without a sentence: %v", err)
				}
			}
			read, err := Unpack(turn, nil, Arrival{SessionID: "s", RequestID: func(there string) string { return "new" + there }, RowsLeft: !p.Bare && turn.Rows == ""})
			if err != nil {
				continue
			}
			if !json.Valid(read.Answer) {
				t.Errorf("%s", read.Answer)
			}
			if _, err := Pack(read); err != nil {
				t.Errorf("what was read cannot be written: %v", err)
			}
			StateOf([]session.Turn{read})
		}
	})
}

// wholeFile writes the session of a session.json into a file of its own, with a frame, a part of a model and a trace.
func wholeFile(f *testing.F, raw []byte, signed bool) []byte {
	f.Helper()
	bare, err := session.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		f.Fatal(err)
	}
	var out bytes.Buffer
	w := session.NewWriter(&out)
	name, err := w.Frame([]byte("PAR1 as far as this package knows PAR1"))
	if err != nil {
		f.Fatal(err)
	}
	if err := w.Model("context/entities/orders.yaml", []byte("entity: orders\n")); err != nil {
		f.Fatal(err)
	}
	bare.File.Turns[0].Rows = name
	m := session.Manifest{Program: "test", Created: bare.File.Created, Contains: session.Contains{Frames: session.FramesWhole, Model: true}}
	var sign session.Sign
	if signed {
		key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
		m.Signer = &session.Signer{Name: "Ada", PublicKey: hex.EncodeToString(key.Public().(ed25519.PublicKey))}
		sign = func(manifest []byte) []byte { return ed25519.Sign(key, manifest) }
	}
	if err := w.Close(bare.File, m, sign); err != nil {
		f.Fatal(err)
	}
	p, err := session.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || signed != (p.Signature == session.SignatureValid) || len(p.File.Turns[0].Trace) == 0 {
		f.Fatalf("the seed is not read whole: %v", err)
	}
	return out.Bytes()
}

// TestTravelledAnswersAreHeldToThemselves bends a real answer in every way that a type alone would let through.
func TestTravelledAnswersAreHeldToThemselves(t *testing.T) {
	raw, err := os.ReadFile("testdata/session.json")
	if err != nil {
		t.Fatal(err)
	}
	read := func(raw []byte) error {
		p, err := session.Open(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return err
		}
		for _, turn := range p.File.Turns {
			if _, err := Unpack(turn, nil, Arrival{SessionID: "s", RequestID: func(there string) string { return there }}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := read(raw); err != nil {
		t.Fatal(fault.Detail(err))
	}
	for _, c := range [][2]string{
		{`"level":"AA"`, `"level":"AAAA"`},
		{`"outcome":"answer","status":"completed","understood"`, `"outcome":"refuse","status":"completed","understood"`},
		{`"acceptance":null`, `"acceptance":{"required":true,"deadline":null}`},
		{`"escalation":null`, `"escalation":{"roles":["steward"],"reason":""}`},
		{`"row_count":8`, `"row_count":9`},
		{`"rows":[["Beverages",`, `"rows":[["Beverages",1,`},
		{`"rows":[["Beverages",`, `"rows":[[["Beverages"],`},
		{`"role":"metric"`, `"role":"<b>"`},
		{`"type":"decimal"`, `"type":"code"`},
		{`"dialect":"duckdb"`, `"dialect":"sh"`},
		{`"citations":[{"start":`, `"citations":[{"start":-`},
		{`"row":0,"column":"revenue"`, `"row":800,"column":"revenue"`},
		{`"row":0,"column":"revenue"`, `"row":0,"column":"elsewhere"`},
		{`"by":"template"`, `"by":"somebody"`},
		{`"chart":{"type":"bar"`, `"chart":{"type":"script"`},
		{`"x":"category_name"`, `"x":"elsewhere"`},
		{`"error_likelihood":0`, `"error_likelihood":7`},
		{`"autonomy_level":`, `"autonomy_level":7`},
		{`"severity":"`, `"severity":"very `},
		{`"frame_ql":"SELECT`, `"frame_ql":"DROP`},
		{`"kind":"frame"}`, `"kind":"chart"}`},
		{`"confidence":1}`, `"confidence":3}`},
	} {
		if !bytes.Contains(raw, []byte(c[0])) {
			t.Errorf("%s is not in the session", c[0])
			continue
		}
		if err := read(bytes.Replace(raw, []byte(c[0]), []byte(c[1]), 1)); err == nil {
			t.Errorf("%s was taken", c[1])
		}
	}
}

// TestSpecificationsOfChartsDoNotTravel brings one along that would run somewhere else.
func TestSpecificationsOfChartsDoNotTravel(t *testing.T) {
	raw, err := os.ReadFile("testdata/session.json")
	if err != nil {
		t.Fatal(err)
	}
	raw = bytes.Replace(raw, []byte(`"vega_lite":null`), []byte(`"vega_lite":{"data":{"url":"http://evil.example/"},"mark":"bar"}`), 1)
	p, err := session.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	turn, err := Unpack(p.File.Turns[0], nil, Arrival{SessionID: "s", RequestID: func(there string) string { return there }})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(turn.Answer, []byte("evil.example")) || !bytes.Contains(turn.Answer, []byte(`"mark":"bar"`)) {
		t.Errorf("%s", turn.Answer)
	}
}

func TestMembersOfAnObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var value func(depth int) any
		value = func(depth int) any {
			switch rapid.IntRange(0, 5+min(depth, 0)*2).Draw(t, "kind") {
			case 0:
				return nil
			case 1:
				return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
			case 2, 3:
				return rapid.StringOf(rapid.SampledFrom([]rune(`"\{}[]:, aé`))).Draw(t, "text")
			case 4:
				return []any{value(depth - 1), value(depth - 1)}
			default:
				return map[string]any{rapid.StringMatching(`[a-z_]{1,8}`).Draw(t, "inner"): value(depth - 1)}
			}
		}
		object := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			object[rapid.StringMatching(`[a-z_]{1,8}`).Draw(t, "name")] = value(2)
		}
		raw, _ := json.MarshalIndent(object, "", rapid.SampledFrom([]string{"", " "}).Draw(t, "indent"))
		want := map[string]json.RawMessage{}
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if got := membersOf(raw); !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			t.Errorf("of %s: %s, want %s", raw, got, want)
		}
	})
}
