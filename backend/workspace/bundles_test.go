package workspace

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// colleague is somebody elsewhere, with a key of their own.
func colleague(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func bundleOf(t *testing.T, author string, key ed25519.PrivateKey, number int64, says ...string) []byte {
	t.Helper()
	b := knowledge.Bundle{Author: author, Key: hex.EncodeToString(key.Public().(ed25519.PublicKey)), Workspace: "northwind", Number: number}
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

// keyed gives the people of roles.yaml the keys of colleagues 1, 2, 3 and 4.
func keyed() string {
	all := people
	for i, name := range []string{"ada", "bob", "cyd", "dan"} {
		key := hex.EncodeToString(colleague(byte(i + 1)).Public().(ed25519.PublicKey))
		all = strings.Replace(all, "os_users: ["+name+"]", "os_users: ["+name+"], keys: ["+key+"]", 1)
	}
	return all
}

// TestBundlesInAnyOrder: whichever comes first, and however often each comes, the same candidates come of them.
func TestBundlesInAnyOrder(t *testing.T) {
	var all [][]byte
	for i, name := range []string{"ada", "bob", "cyd", "dan"} {
		all = append(all, bundleOf(t, name, colleague(byte(i+1)), 1, "turnover=revenue", fmt.Sprintf("word%d=freight", i)), bundleOf(t, name, colleague(byte(i+1)), 2, "turnover=revenue"))
	}
	order := rand.New(rand.NewPCG(1, 0))
	want := ""
	for round := range 4 {
		w := openShared(t, t.TempDir())
		write(t, w.dir, rules.Folder+"/"+rules.RolesFile, keyed())
		for range 2 {
			order.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
			for _, raw := range all {
				if _, err := w.ReadBundle(t.Context(), bytes.NewReader(raw)); err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Fatal(fault.Detail(err))
				}
			}
		}
		got := ""
		for _, v := range shared(t, w, "gil") {
			got += fmt.Sprint(v.Term, "=", v.Means, " ", v.People, " ", v.Seniors, " ", v.Stands, "; ")
		}
		if want == "" {
			want = "turnover=revenue 4 4 pending; "
		}
		if got != want {
			t.Errorf("round %d: %q", round, got)
		}
		for _, who := range []string{"ada", "eve"} { // it helps nobody before it is approved, also not whose name it bears
			if q, a := readAs(t, w, as(who), newID(), "turnover by month"); len(a.Remembered) != 0 {
				t.Errorf("%s's question is read with %+v: %s", who, a.Remembered, q)
			}
		}
		w.Close()
	}
}

// TestNoVoiceThatIsNotTheirs: a key that nobody is bound to, somebody else's name, an older bundle and a number that was used are refused, and leave nothing.
func TestNoVoiceThatIsNotTheirs(t *testing.T) {
	w := openShared(t, t.TempDir())
	write(t, w.dir, rules.Folder+"/"+rules.RolesFile, keyed())
	for n := byte(10); n < 30; n++ { // one person with twenty keys
		_, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "ada", colleague(n), 1, "revenue=freight")))
		if fault.CodeOf(err) != fault.Unauthorized {
			t.Fatalf("an unknown key: %v", err)
		}
	}
	if _, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "bob", colleague(1), 1, "revenue=freight"))); fault.CodeOf(err) != fault.Unauthorized || !strings.Contains(err.Error(), "bob") {
		t.Errorf("under another name: %v", err)
	}
	got, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "ada", colleague(1), 5, "turnover=revenue")))
	if err != nil || got.New != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for name, raw := range map[string][]byte{
		"an older one":               bundleOf(t, "ada", colleague(1), 4, "revenue=freight"),
		"another of the same number": bundleOf(t, "ada", colleague(1), 5, "revenue=freight"),
	} {
		if _, err := w.ReadBundle(t.Context(), bytes.NewReader(raw)); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err := w.memory.CorrectionsAbout(t.Context(), "order_lines"); err != nil || len(all) != 1 || all[0].Means != "revenue" {
		t.Errorf("%+v, %v", all, err)
	}
	// What a newer one does not say any more is gone.
	if _, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "ada", colleague(1), 6))); err != nil {
		t.Fatal(err)
	}
	if all, err := w.memory.CorrectionsAbout(t.Context(), "order_lines"); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if v, err := w.memory.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestTwoMachinesOfOnePerson: what somebody says at one machine takes nothing back that they said at another, in whatever order it comes, and is one voice.
func TestTwoMachinesOfOnePerson(t *testing.T) {
	said := map[string][]byte{
		"desk":   bundleOf(t, "ada", colleague(1), 5, "turnover=revenue", "sales=revenue"),
		"laptop": bundleOf(t, "ada", colleague(2), 3, "turnover=revenue", "takings=revenue"),
	}
	for _, order := range [][]string{{"desk", "laptop"}, {"laptop", "desk"}} {
		w := openShared(t, t.TempDir())
		keys := hex.EncodeToString(colleague(1).Public().(ed25519.PublicKey)) + ", " + hex.EncodeToString(colleague(2).Public().(ed25519.PublicKey))
		write(t, w.dir, rules.Folder+"/"+rules.RolesFile, strings.Replace(people, "os_users: [ada]", "os_users: [ada], keys: ["+keys+"]", 1))
		w.refresh(t.Context())
		terms := func() (all []string) {
			t.Helper()
			about, err := w.memory.CorrectionsAbout(t.Context(), "order_lines")
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range about {
				if c.Author != "ada" {
					t.Errorf("%+v", c)
				}
				all = append(all, c.Term)
			}
			slices.Sort(all)
			return slices.Compact(all)
		}
		for _, at := range order {
			if _, err := w.ReadBundle(t.Context(), bytes.NewReader(said[at])); err != nil {
				t.Fatalf("%s of %v: %v", at, order, err)
			}
		}
		if got := terms(); !slices.Equal(got, []string{"sales", "takings", "turnover"}) {
			t.Errorf("%v: %v", order, got)
		}
		if got, err := w.ReadBundle(t.Context(), bytes.NewReader(said["desk"])); err != nil || got.New != 0 {
			t.Errorf("once more: %+v, %v", got, err)
		}
		// Taken back at one machine, it is still said at the other.
		if _, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "ada", colleague(1), 6, "sales=revenue"))); err != nil {
			t.Fatal(err)
		}
		if got := terms(); !slices.Equal(got, []string{"sales", "takings", "turnover"}) {
			t.Errorf("%v, taken back at the desk: %v", order, got)
		}
		if _, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, "ada", colleague(2), 4, "takings=revenue"))); err != nil {
			t.Fatal(err)
		}
		if got := terms(); !slices.Equal(got, []string{"sales", "takings"}) {
			t.Errorf("%v, taken back at both: %v", order, got)
		}
	}
}

// twoInstallations are those of ada and of bob, who know each other's keys, and how their bundles are called.
func twoInstallations(t *testing.T) (one, other *Workspace, files map[string]string) {
	t.Helper()
	one, other = openShared(t, t.TempDir()), openShared(t, t.TempDir())
	roles := people
	files = map[string]string{}
	for name, w := range map[string]*Workspace{"ada": one, "bob": other} {
		key, err := w.BundleKey()
		if err != nil {
			t.Fatal(err)
		}
		files[name] = name + "-" + key[:8] + ".assay-memory"
		roles = strings.Replace(roles, "os_users: ["+name+"]", "os_users: ["+name+"], keys: ["+key+"]", 1)
	}
	for _, w := range []*Workspace{one, other} {
		write(t, w.dir, rules.Folder+"/"+rules.RolesFile, roles)
		w.refresh(t.Context())
	}
	return one, other, files
}

// TestASharedRemote: they exchange over a git repository without looking at its working copies; an address that is elsewhere is only used when something may leave the machine.
func TestASharedRemote(t *testing.T) {
	one, other, files := twoInstallations(t)
	bare := t.TempDir()
	if _, err := gogit.PlainInit(bare, true); err != nil {
		t.Fatal(err)
	}
	at := map[*Workspace]Place{}
	for _, w := range []*Workspace{one, other} {
		folder := t.TempDir()
		repo, err := gogit.PlainInit(folder, false)
		if err != nil {
			t.Fatal(err)
		}
		for name, address := range map[string]string{"team": bare, "gone": filepath.Join(bare, "nowhere"), "elsewhere": "https://git.example.com/team.git"} {
			if _, err := repo.CreateRemote(&config.RemoteConfig{Name: name, URLs: []string{address}}); err != nil {
				t.Fatal(err)
			}
		}
		at[w] = Place{Folder: folder, Remote: "team"}
	}
	teach(t, one, "ada", "turnover means revenue")
	exchange := func(w *Workspace, who string) Exchanged {
		t.Helper()
		done, err := w.Exchange(t.Context(), at[w], "", as(who))
		if err != nil || done.Remote != bare {
			t.Fatal(done, fault.Detail(err))
		}
		return done
	}
	if done := exchange(one, "ada"); !done.Wrote || len(done.Brought) != 0 {
		t.Errorf("%+v", done)
	}
	if done := exchange(other, "bob"); !done.Wrote || len(done.Brought) != 1 || done.Brought[0].File != files["ada"] || done.Brought[0].New != 1 {
		t.Errorf("%+v", done)
	}
	if done := exchange(one, "ada"); done.Wrote || len(done.Brought) != 1 || done.Brought[0].File != files["bob"] || done.Brought[0].Problem != "" {
		t.Errorf("again: %+v", done)
	}
	if lying, err := os.ReadDir(at[one].Folder); err != nil || len(lying) != 1 {
		t.Errorf("in the working copy lie %v, %v", lying, err)
	}
	if !audited(t, one, `"what":"pushed"`, files["ada"]) {
		t.Error("the log does not say what was pushed")
	}
	_, err := one.Exchange(t.Context(), Place{Folder: at[one].Folder, Remote: "elsewhere"}, "", as("ada"))
	if fault.CodeOf(err) != fault.Unauthorized || !strings.Contains(err.Error(), "git.example.com") {
		t.Errorf("nothing leaves this machine: %v", err)
	}
	if done, err := one.Exchange(t.Context(), Place{Folder: at[one].Folder, Remote: "gone"}, "", as("ada")); fault.CodeOf(err) != fault.Unavailable || done.Remote != "" {
		t.Errorf("nothing was fetched: %+v, %v", done, err)
	}
	write(t, one.dir, "workspace.yaml", "workspace: ws\nexchange: "+filepath.ToSlash(at[one].Folder)+"\nexchange_remote: team\n")
	if c, err := one.BundleContents(t.Context(), "", as("ada")); err != nil || c.Remote != bare {
		t.Errorf("%+v, %v", c, err)
	}
	if done, err := one.ExchangeShared(t.Context(), "", as("ada")); err != nil || done.Remote != bare || done.Wrote {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestASharedFolder: two installations exchange through a folder, each writing its own file alone; what is broken there is said, and is in nobody's way.
func TestASharedFolder(t *testing.T) {
	folder := t.TempDir()
	one, other, files := twoInstallations(t)
	write(t, folder, "mallory.assay-memory", "rubbish\n")
	teach(t, one, "ada", "turnover means revenue")
	teach(t, one, "ada", "mail of ada@example.com means revenue")
	exchange := func(w *Workspace, who string) []Brought {
		t.Helper()
		all, err := w.Exchange(t.Context(), Place{Folder: folder}, "", as(who))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return all.Brought
	}
	if all := exchange(one, "ada"); len(all) != 1 || all[0].File != "mallory.assay-memory" || all[0].Problem == "" {
		t.Errorf("%+v", all)
	}
	raw, err := os.ReadFile(filepath.Join(folder, files["ada"]))
	if err != nil || strings.Contains(string(raw), "@example.com") || !strings.Contains(string(raw), "turnover") {
		t.Fatalf("%s, %v", raw, err)
	}
	if all := exchange(other, "bob"); len(all) != 2 || all[0].Author != "ada" || all[0].New != 1 {
		t.Errorf("%+v", all)
	}
	before, _ := os.ReadFile(filepath.Join(folder, files["bob"]))
	if all := exchange(other, "bob"); all[0].New != 0 || all[0].Problem != "" {
		t.Errorf("again: %+v", all)
	}
	if after, _ := os.ReadFile(filepath.Join(folder, files["bob"])); !bytes.Equal(before, after) {
		t.Error("a bundle that says nothing new was written again")
	}
	if _, err := one.Exchange(t.Context(), Place{Folder: filepath.Join(folder, "nowhere")}, "", as("ada")); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestHowAlikeIsARule: what does not compile here is alike by its words, and how alike it has to be is said by roles.yaml.
func TestHowAlikeIsARule(t *testing.T) {
	for similarity, want := range map[string]int{"0.8": 1, "0.95": 0} {
		w := openShared(t, t.TempDir())
		write(t, w.dir, rules.Folder+"/"+rules.RolesFile, keyed()+"\nconsensus: {more_than: 3, seniority: [senior, lead, principal, manager], similarity: "+similarity+"}\n")
		for i, means := range []string{
			"harbours whose pilots speak the language of crew and captain", "harbours whose pilots speak the language of crew and captain", "pilots of harbours whose captain and crew speak the language",
			"harbours whose pilots speak the written language of crew and captain",
		} {
			if _, err := w.ReadBundle(t.Context(), bytes.NewReader(bundleOf(t, []string{"ada", "bob", "cyd", "dan"}[i], colleague(byte(i+1)), 1, "fluent="+means))); err != nil {
				t.Fatal(fault.Detail(err))
			}
		}
		all := shared(t, w, "gil")
		if len(all) != want || want == 1 && (all[0].People != 4 || all[0].Checked.Understood) {
			t.Errorf("similarity %s: %+v", similarity, all)
		}
	}
}
