package api

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/knowledge"
	"assay/backend/workspace"
)

// colleague is somebody elsewhere, with a key of their own.
func colleague(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func keyOf(of ed25519.PrivateKey) string {
	return hex.EncodeToString(of.Public().(ed25519.PublicKey))
}

// bundleOf is the bundle of an author, signed with a key, with the sentences "TERM=MEANS".
func bundleOf(t *testing.T, author string, key ed25519.PrivateKey, number int64, says ...string) []byte {
	t.Helper()
	b := knowledge.Bundle{Author: author, Key: keyOf(key), Workspace: "northwind", Number: number}
	for _, s := range says {
		term, means, _ := strings.Cut(s, "=")
		b.Said = append(b.Said, knowledge.Statement{Term: term, Means: means, Sort: knowledge.Factual, Detection: knowledge.ByDefinition, Quote: s})
	}
	var out bytes.Buffer
	if err := b.Write(&out, func(raw []byte) []byte { return ed25519.Sign(key, raw) }); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// exchanging serves a workspace whose roles know the keys of bob (1) and cyd (2).
func exchanging(t *testing.T) (*workspace.Workspace, *httptest.Server) {
	t.Helper()
	ws := sample(t)
	roles := "default_role: analyst\nroles:\n  - {name: analyst, schemas: [\"*\"], tables: [\"*\"]}\n  - {name: senior, schemas: [\"*\"], tables: [\"*\"], seniority: senior}\n  - {name: steward, schemas: [\"*\"], tables: [\"*\"], steward: true}\nactors:\n" +
		"  - {id: bob, kind: human, role: senior, binds: {keys: [" + keyOf(colleague(1)) + "]}}\n  - {id: cyd, kind: human, role: senior, binds: {keys: [" + keyOf(colleague(2)) + "]}}\n"
	folder := filepath.Join(ws.Dir(), "rules")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "roles.yaml"), []byte(roles), 0o644); err != nil {
		t.Fatal(err)
	}
	_, web := servingOver(t, ws)
	return ws, web
}

// preview looks at a bundle; said is what the program answers.
func preview(t *testing.T, base string, raw []byte) (p workspace.BundlePreview, token, said string, status int) {
	t.Helper()
	token = handOver(t, base, "x.assay-memory", raw)
	status, said = post(t, base+"/api/memory/bundle/preview", `{"token":"`+token+`"}`, "application/json")
	if status == http.StatusOK {
		if err := json.Unmarshal([]byte(said), &p); err != nil {
			t.Fatal(err)
		}
	}
	return p, token, said, status
}

func take(t *testing.T, base, token string) (b workspace.Brought, said string, status int) {
	t.Helper()
	status, said = post(t, base+"/api/memory/bundle/import", `{"token":"`+token+`"}`, "application/json")
	if status == http.StatusOK {
		if err := json.Unmarshal([]byte(said), &b); err != nil {
			t.Fatal(err)
		}
	}
	return b, said, status
}

func TestABundleIsWrittenAndFetched(t *testing.T) {
	_, web := exchanging(t)
	at := web.URL + "/api/memory/bundle"
	var holds workspace.BundleContents
	if status := get(t, at, &holds); status != http.StatusOK || holds.Statements != 0 || holds.Key != "" || holds.Bound || holds.Folder != "" {
		t.Fatalf("%d %+v", status, holds)
	}
	for _, words := range []string{"turnover means revenue", "mail of mary@example.com means revenue"} {
		if status, said := post(t, web.URL+"/api/corrections", `{"words":"`+words+`"}`, "application/json"); status != http.StatusOK {
			t.Fatalf("%d %s", status, said)
		}
	}
	if get(t, at, &holds); holds.Statements != 1 || holds.Left != 1 || holds.Key != "" {
		t.Errorf("before it is written: %+v", holds)
	}
	status, said := post(t, at, `{}`, "application/json")
	var written BundleWritten
	if status != http.StatusOK || json.Unmarshal([]byte(said), &written) != nil || !strings.HasSuffix(written.Name, knowledge.BundleEnding) || strings.Contains(written.Name, ":") || written.Statements != 1 || written.Left != 1 {
		t.Fatalf("%d %s", status, said)
	}
	raw := fetched(t, web.URL+"/api/exports/"+written.ID)
	b, err := knowledge.ReadBundle(bytes.NewReader(raw))
	if err != nil || len(b.Said) != 1 || b.Said[0].Term != "turnover" || strings.Contains(string(raw), "@example.com") {
		t.Fatalf("%s, %v", raw, err)
	}
	if get(t, at, &holds); holds.Key != b.Key || holds.Author != b.Author {
		t.Errorf("once it is written: %+v", holds)
	}
	// One's own is shown as that; nobody here vouches for it.
	if p, _, said, _ := preview(t, web.URL, raw); !p.Own || p.Refused == "" || p.Role != "" {
		t.Errorf("%s", said)
	}
}

func TestABundleIsLookedAtBeforeItIsTaken(t *testing.T) {
	ws, web := exchanging(t)
	p, token, said, _ := preview(t, web.URL, bundleOf(t, "bob", colleague(1), 1, "turnover=revenue", "karma=good deeds"))
	if p.Author != "bob" || p.Role != "senior" || p.New != 2 || p.Gone != 0 || p.Same || p.Refused != "" || p.Workspace != "northwind" || len(p.Said) != 2 || !p.Said[0].Understood || p.Said[1].Understood || p.Fingerprint == "" {
		t.Fatalf("%s", said)
	}
	if all, err := ws.Memory().CorrectionsAbout(t.Context(), "order_lines"); err != nil || len(all) != 0 {
		t.Errorf("a look has brought %+v, %v", all, err)
	}
	if b, said, status := take(t, web.URL, token); status != http.StatusOK || b.Author != "bob" || b.New != 2 || b.Problem != "" {
		t.Errorf("%d %s", status, said)
	}
	if _, said, status := take(t, web.URL, token); status != http.StatusNotFound {
		t.Errorf("a token that is used up: %d %s", status, said)
	}
	again, token, said, _ := preview(t, web.URL, bundleOf(t, "bob", colleague(1), 1, "turnover=revenue", "karma=good deeds"))
	if !again.Same || again.New != 0 || again.Refused != "" {
		t.Errorf("the same once more: %s", said)
	}
	if b, said, status := take(t, web.URL, token); status != http.StatusOK || b.New != 0 {
		t.Errorf("%d %s", status, said)
	}
	if next, _, said, _ := preview(t, web.URL, bundleOf(t, "bob", colleague(1), 2, "turnover=revenue", "drinks=beverages")); next.New != 1 || next.Gone != 1 || next.Same {
		t.Errorf("the next one: %s", said)
	}
	if p, _, said, _ := preview(t, web.URL, bundleOf(t, "cyd", colleague(2), 1)); p.Refused != "" || p.New != 0 || len(p.Said) != 0 {
		t.Errorf("an empty one: %s", said)
	}
}

// TestABundleOfAStranger: whatever is wrong is said in a sentence, before and when it is to be taken, and nothing of it is there afterwards.
func TestABundleOfAStranger(t *testing.T) {
	ws, web := exchanging(t)
	good := bundleOf(t, "bob", colleague(1), 5, "turnover=revenue")
	_, token, _, _ := preview(t, web.URL, good)
	if _, said, status := take(t, web.URL, token); status != http.StatusOK {
		t.Fatalf("%d %s", status, said)
	}
	lines := strings.SplitAfter(string(good), "\n")
	huge := bytes.Repeat([]byte(`{"term":"turnover","means":"revenue"}`+"\n"), knowledge.MostBundle/30)
	for _, c := range []struct {
		name string
		raw  []byte
		says string
		seen bool // what is wrong is not in the file: it is shown, with why it would be refused
	}{
		{"rubbish", []byte("rubbish\n"), "cut off", false},
		{"nothing", nil, "cut off", false},
		{"a table", []byte("a,b\n1,2\n"), "no bundle", false},
		{"no text", []byte("\xff\xfe\x00\n\x00\n"), "no bundle", false},
		{"a head alone", []byte(lines[0]), "cut off", false},
		{"without its seal", []byte(lines[0] + lines[1]), "cut off", false},
		{"cut in its seal", good[:len(good)-9], "cut off", false},
		{"without a statement", []byte(lines[0] + lines[2]), "cut off", false},
		{"another meaning", bytes.Replace(good, []byte(`"means":"revenue"`), []byte(`"means":"freight"`), 1), "changed since", false},
		{"another author", bytes.Replace(good, []byte(`"author":"bob"`), []byte(`"author":"cyd"`), 1), "changed since", false},
		{"of a newer version", bytes.Replace(good, []byte(`"assay_memory":1`), []byte(`"assay_memory":2`), 1), "newer version", false},
		{"with a key of its own", bytes.Replace(good, []byte(`"number"`), []byte(`"role":"steward","number"`), 1), "no bundle", false},
		{"huge", append([]byte(lines[0]), huge...), "at most 4 MB", false},
		{"too many", bundleOfMany(t), "at most 1000", false},
		{"a statement that is none", bundleOf(t, "bob", colleague(1), 9, "turnover="), "Line 2", false},
		{"a word twice", bundleOf(t, "bob", colleague(1), 9, "turnover=revenue", "Turnover=freight"), "Line 3", false},
		{"with a key that nobody knows", bundleOf(t, "bob", colleague(9), 9, "turnover=freight"), "Nobody in the roles", true},
		{"in somebody else's name", bundleOf(t, "b\u202eob", colleague(1), 9, "turnover=freight"), "that of somebody else", true},
		{"an older one", bundleOf(t, "bob", colleague(1), 4, "turnover=freight"), "taken before", true},
		{"another of the same number", bundleOf(t, "bob", colleague(1), 5, "turnover=freight"), "taken before", true},
	} {
		p, token, said, status := preview(t, web.URL, c.raw)
		if c.seen != (status == http.StatusOK) || c.seen && (!strings.Contains(p.Refused, c.says) || p.New != 0 || len(p.Said) != 1) || !strings.Contains(said, c.says) || strings.Contains(said, "\u202e") {
			t.Errorf("%s, looked at: %d %s", c.name, status, said)
		}
		if _, said, status := take(t, web.URL, token); status < 400 || status >= 500 || !strings.Contains(said, c.says) {
			t.Errorf("%s, taken: %d %s", c.name, status, said)
		}
		all, err := ws.Memory().CorrectionsAbout(t.Context(), "order_lines")
		if err != nil || len(all) != 1 || all[0].Means != "revenue" {
			t.Errorf("%s left %+v, %v", c.name, all, err)
		}
	}
	if v, err := ws.Memory().VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("%+v, %v", v, err)
	}
}

// bundleOfMany has a statement more than a bundle has, and is signed all the same.
func bundleOfMany(t *testing.T) []byte {
	t.Helper()
	key := colleague(1)
	head, err := json.Marshal(knowledge.Bundle{Version: 1, Author: "bob", Key: keyOf(key), Number: 9})
	if err != nil {
		t.Fatal(err)
	}
	body := slices.Concat(head, []byte("\n"), bytes.Repeat([]byte("{}\n"), knowledge.MostStatements+1))
	end, err := json.Marshal(map[string]any{"statements": knowledge.MostStatements + 1, "signature": hex.EncodeToString(ed25519.Sign(key, body))})
	if err != nil {
		t.Fatal(err)
	}
	return append(append(body, end...), '\n')
}

func TestBundlesOfTheFolderThatColleaguesShare(t *testing.T) {
	ws, web := exchanging(t)
	if status, said := post(t, web.URL+"/api/memory/exchange", `{}`, "application/json"); status != http.StatusNotFound || !strings.Contains(said, "names no folder") {
		t.Errorf("%d %s", status, said)
	}
	folder := t.TempDir()
	file := filepath.Join(ws.Dir(), "workspace.yaml")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(raw, "exchange: "+filepath.ToSlash(folder)+"\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{
		"bob": bundleOf(t, "bob", colleague(1), 1, "turnover=revenue"), "cyd": []byte("rubbish"), "dan": bundleOf(t, "dan", colleague(7), 1, "turnover=freight"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name+knowledge.BundleEnding), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var holds workspace.BundleContents
	if get(t, web.URL+"/api/memory/bundle", &holds); holds.Folder != filepath.ToSlash(folder) {
		t.Errorf("%+v", holds)
	}
	status, said := post(t, web.URL+"/api/memory/exchange", `{}`, "application/json")
	var list workspace.Exchanged
	if status != http.StatusOK || json.Unmarshal([]byte(said), &list) != nil || len(list.Brought) != 3 || list.Brought[0].New != 1 || list.Brought[0].Problem != "" || list.Brought[1].Problem == "" || list.Brought[2].Problem == "" {
		t.Fatalf("%d %s", status, said)
	}
	if all, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if status, said := post(t, web.URL+"/api/memory/exchange", `{}`, "application/json"); status != http.StatusServiceUnavailable || !strings.Contains(said, "folder is there") {
		t.Errorf("%d %s", status, said)
	}
}
