package retrieval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/backend/fault"
)

var ctx = context.Background()

func open(t testing.TB, o Options) (*Store, int) {
	t.Helper()
	if o.Embedder.Embed == nil {
		o.Embedder = BuiltIn()
	}
	s, rebuilt, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, rebuilt
}

func golden(id, question string) Record { return Record{Kind: Golden, ID: id, Question: question} }

func ids(matches []Match) string {
	var all []string
	for _, m := range matches {
		all = append(all, m.ID)
	}
	return strings.Join(all, " ")
}

func nearest(t testing.TB, s *Store, q Query, n int) []Match {
	t.Helper()
	matches, err := s.Nearest(ctx, q, n)
	if err != nil {
		t.Fatal(err)
	}
	return matches
}

var desk = []Record{
	golden("revenue", "revenue by category in 1997"),
	golden("orders", "how many orders did each employee handle"),
	golden("freight", "average freight by shipper"),
}

func TestNearestComesFirst(t *testing.T) {
	s, rebuilt := open(t, Options{Records: desk})
	if rebuilt != 3 || s.Count(Golden, "") != 3 {
		t.Errorf("%d embedded, %d there", rebuilt, s.Count(Golden, ""))
	}
	for question, want := range map[string]string{
		"sales per product category last year": "revenue", "number of orders per staff member": "orders", "mean shipping cost per carrier": "freight",
	} {
		best, ok, err := s.Best(ctx, Query{Kind: Golden, Question: question})
		if !ok || err != nil || best.ID != want || best.Similarity < 0.6 {
			t.Errorf("%q: %+v, %v, %v", question, best, ok, err)
		}
	}
	if m := nearest(t, s, Query{Kind: Golden, Question: "revenue by category in 1997"}, 9); len(m) != 3 || m[0].ID != "revenue" || m[0].Similarity < 0.999 {
		t.Errorf("%+v", m)
	}
	for _, q := range []Query{{Kind: Golden}, {Kind: Correction, Question: "revenue"}, {Kind: "x", Question: "revenue"}} {
		if _, ok, err := s.Best(ctx, q); ok || err != nil {
			t.Errorf("%+v finds something: %v", q, err)
		}
	}
}

func TestEqualOnesComeInOrderOfTheirIDs(t *testing.T) {
	var records []Record
	for i := range 200 {
		records = append(records, golden(fmt.Sprintf("g%03d", i), "revenue by category"))
	}
	for range 5 {
		s, _ := open(t, Options{Records: records})
		if got := ids(nearest(t, s, Query{Kind: Golden, Question: "revenue by category"}, 4)); got != "g000 g001 g002 g003" {
			t.Fatalf("got %s", got)
		}
	}
}

// TestTheFirstOfManyAreTheNearest: looking at a part gives what looking at all gives, for records with one text, the other, or both.
func TestTheFirstOfManyAreTheNearest(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	words := strings.Fields("revenue orders customers margin region month category units price discount store week north south late paid")
	phrase := func() string {
		var all []string
		for range 1 + random.Intn(4) {
			all = append(all, words[random.Intn(len(words))])
		}
		return strings.Join(all, " ")
	}
	var records []Record
	for i := range 600 {
		r := Record{Kind: Golden, ID: fmt.Sprint(i), Question: phrase(), FrameQL: "SELECT " + strings.ReplaceAll(phrase(), " ", ", ")}
		switch random.Intn(4) {
		case 0:
			r.Question = ""
		case 1:
			r.FrameQL = ""
		}
		records = append(records, r)
	}
	s, _ := open(t, Options{Records: records})
	for range 100 {
		q := Query{Kind: Golden, Question: phrase(), FrameQL: "SELECT " + strings.ReplaceAll(phrase(), " ", ", ")}
		all, err := s.Nearest(ctx, q, len(records))
		if err != nil || len(all) != len(records) {
			t.Fatal(len(all), err)
		}
		few, err := s.Nearest(ctx, q, 3)
		if err != nil || !slices.Equal(few, all[:3]) {
			t.Errorf("%+v: %+v, want %+v %v", q, few, all[:3], err)
		}
	}
}

func TestPutTakesThePlaceOfTheFormer(t *testing.T) {
	s, _ := open(t, Options{Records: desk})
	for _, r := range []Record{
		golden("revenue", "headcount by department"),
		{Kind: Golden, ID: "orders", Owner: "u1", FrameQL: "SELECT employee, COUNT(*) FROM orders"},
	} {
		if err := s.Put(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if got := nearest(t, s, Query{Kind: Golden, Question: "sales by category in 1997"}, 1); got[0].Similarity > 0.3 {
		t.Errorf("the former text is still found: %+v", got)
	}
	if got := nearest(t, s, Query{Kind: Golden, Question: "how many orders did each employee handle"}, 9); strings.Contains(ids(got), "orders") {
		t.Errorf("the former owner's is still found: %+v", got)
	}
	if err := s.Remove(ctx, Golden, "revenue"); err != nil || s.Count(Golden, "") != 1 || s.Count(Golden, "u1") != 2 {
		t.Errorf("%v, %d and %d left", err, s.Count(Golden, ""), s.Count(Golden, "u1"))
	}
	if err := s.Remove(ctx, Golden, "revenue"); err != nil {
		t.Errorf("removed twice: %v", err)
	}
	if got := ids(nearest(t, s, Query{Kind: Golden, Question: "headcount by department"}, 9)); got != "freight" {
		t.Errorf("left: %s", got)
	}
	for _, r := range []Record{{}, {Kind: Golden, ID: "x"}, {Kind: "other", ID: "x", Question: "y"}, {Kind: Golden, Question: "y"}} {
		if err := s.Put(ctx, r); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// What is somebody's is found by nobody else, whatever their name is, and also when a collection holds what it should not.
func TestEachFindsTheirOwn(t *testing.T) {
	users := []string{"ann", "bob", "", "ann\x00question\x00bob", "*", "a"}
	s, _ := open(t, Options{})
	for i, user := range users {
		for _, kind := range []Kind{Correction, Memory} {
			if err := s.Put(ctx, Record{Kind: kind, ID: fmt.Sprintf("%s%d", kind, i), Owner: user, Question: "revenue means net revenue"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, user := range users {
		want := fmt.Sprintf("correction2 correction%d", i) // 2 is everyone's
		if user == "" {
			want = "correction2"
		} else if i < 2 {
			want = fmt.Sprintf("correction%d correction2", i)
		}
		if got := ids(nearest(t, s, Query{Kind: Correction, Viewer: user, Question: "what does revenue mean"}, 99)); got != want {
			t.Errorf("%q finds %s, want %s", user, got, want)
		}
	}

	// Move the vector of one into the collection of another, as a bug or a forged file would.
	c := s.db.GetCollection(nameOf(Memory, "ann", questionField), noEmbedding)
	doc, err := c.GetByID(ctx, "memory0")
	if err != nil {
		t.Fatal(err)
	}
	other := s.db.GetCollection(nameOf(Memory, "bob", questionField), noEmbedding)
	if err := other.AddDocument(ctx, doc); err != nil {
		t.Fatal(err)
	}
	if got := ids(nearest(t, s, Query{Kind: Memory, Viewer: "bob", Question: "revenue"}, 99)); got != "memory1 memory2" {
		t.Errorf("bob finds %s", got)
	}
	s.owners[keyOf(Memory, "memory0")] = "bob" // and the list of owners says so too: the vector itself still names ann
	if got := ids(nearest(t, s, Query{Kind: Memory, Viewer: "bob", Question: "revenue"}, 99)); got != "memory1 memory2" {
		t.Errorf("bob finds %s", got)
	}
}

func TestFrameQLCountsMore(t *testing.T) {
	s, _ := open(t, Options{Records: []Record{
		{Kind: Golden, ID: "a", Question: "how are we doing", FrameQL: "SELECT month, revenue DURING THIS YEAR"},
		{Kind: Golden, ID: "b", Question: "revenue by month", FrameQL: "SELECT order_date.month, refunds WHERE region = 'x'"},
		{Kind: Golden, ID: "c", Question: "revenue by month of the year"},
	}})
	got := nearest(t, s, Query{Kind: Golden, Question: "revenue by month", FrameQL: "SELECT month, revenue DURING THIS YEAR"}, 3)
	if got[0].ID != "a" || got[0].Similarity < 0.999 {
		t.Errorf("the same query in other words: %+v", got)
	}
	for _, m := range got {
		if m.ID == "b" && m.Similarity > 0.75 {
			t.Errorf("the same words that were read as another query: %+v", m)
		}
	}
	if got := nearest(t, s, Query{Kind: Golden, Question: "revenue by month"}, 1); got[0].ID != "b" || got[0].Similarity < 0.999 {
		t.Errorf("by the question alone: %+v", got)
	}
	if got := nearest(t, s, Query{Kind: Golden, FrameQL: "SELECT month, revenue DURING THIS YEAR"}, 3); ids(got) != "a b" {
		t.Errorf("by the query alone: %+v", got)
	}
}

func TestTheFileIsKeptAndTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "index")
	records := append([]Record{{Kind: Memory, ID: "m", Owner: "ann", Question: "we call churn attrition", FrameQL: "SELECT churn"}}, desk...)
	s, _ := open(t, Options{Path: path, Records: records})
	q := Query{Kind: Memory, Viewer: "ann", Question: "attrition"}
	before := nearest(t, s, q, 5)
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	raw, _ := os.ReadFile(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, mode %v", err, info.Mode())
	}
	if bytes.Contains(raw, []byte("attrition")) || bytes.Contains(raw, []byte("churn")) {
		t.Error("the file holds a text")
	}
	counting := BuiltIn()
	embedded := 0
	inner := counting.Embed
	counting.Embed = func(ctx context.Context, text string, frameQL bool) ([]float32, error) {
		embedded++
		return inner(ctx, text, frameQL)
	}
	s, rebuilt := open(t, Options{Path: path, Records: records, Embedder: counting})
	if rebuilt != 0 || embedded != 0 {
		t.Errorf("%d records embedded again, %d texts", rebuilt, embedded)
	}
	if after := nearest(t, s, q, 5); !reflect.DeepEqual(after, before) {
		t.Errorf("%+v, before %+v", after, before)
	}

	changed := append([]Record{}, records[1:]...) // one is gone, one says something else, one has another owner, one is new
	changed[0].Question = "profit by category"
	changed[1].Owner = "bob"
	changed = append(changed, golden("new", "late orders"))
	s, rebuilt = open(t, Options{Path: path, Records: changed})
	if rebuilt != 3 || s.Count(Memory, "ann") != 0 || s.Count(Golden, "bob") != 4 || s.Count(Golden, "") != 3 {
		t.Errorf("%d embedded, %d, %d, %d", rebuilt, s.Count(Memory, "ann"), s.Count(Golden, "bob"), s.Count(Golden, ""))
	}
	if got := nearest(t, s, Query{Kind: Memory, Viewer: "ann", Question: "attrition"}, 5); len(got) != 0 {
		t.Errorf("what is gone is found: %+v", got)
	}
	other := BuiltIn()
	other.ID = "another-1"
	if _, rebuilt := open(t, Options{Path: path, Records: records, Embedder: other}); rebuilt != len(records) {
		t.Errorf("%d embedded by another embedder", rebuilt)
	}
}

// Whatever happens to the file, what is found is what the records say.
func TestDamagedFilesAreRebuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	s, _ := open(t, Options{Path: path, Records: desk})
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	q := Query{Kind: Golden, Question: "turnover by category"}
	want := nearest(t, s, q, 3)
	random := rand.New(rand.NewSource(1))
	check := func(name string, raw []byte) {
		t.Helper()
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		s, rebuilt := open(t, Options{Path: path, Records: desk})
		if got := nearest(t, s, q, 3); !reflect.DeepEqual(got, want) || rebuilt != 3 {
			t.Errorf("%s: %d embedded, %+v", name, rebuilt, got)
		}
	}
	check("empty", nil)
	check("text", []byte("hello\nworld"))
	check("only the head", good[:bytes.IndexByte(good, '\n')+1])
	for i := range 60 {
		raw := bytes.Clone(good)
		switch i % 3 {
		case 0:
			raw[random.Intn(len(raw))] ^= byte(1 << random.Intn(8))
		case 1:
			raw = raw[:random.Intn(len(raw))]
		case 2:
			from := random.Intn(len(raw) - 64)
			clear(raw[from : from+64])
		}
		if !bytes.Equal(raw, good) { // not zeros over zeros
			check(fmt.Sprintf("damage %d", i), raw)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	s, rebuilt := open(t, Options{Path: path, Records: desk})
	if rebuilt != 3 {
		t.Errorf("a folder in its place: %d embedded", rebuilt)
	}
	if err := s.Save(); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("it cannot be saved, and says %v", err)
	}
	if left, _ := filepath.Glob(path + ".new-*"); len(left) != 0 {
		t.Errorf("it leaves %v", left)
	}
}

func TestEmbeddersThatFail(t *testing.T) {
	failure := errors.New("no model")
	for name, embed := range map[string]func(context.Context, string, bool) ([]float32, error){
		"an error":         func(context.Context, string, bool) ([]float32, error) { return nil, failure },
		"other dimensions": func(context.Context, string, bool) ([]float32, error) { return []float32{1, 0}, nil },
		"nothing":          func(context.Context, string, bool) ([]float32, error) { return make([]float32, 4), nil },
	} {
		e := Embedder{ID: "bad", Dimensions: 4, Embed: embed}
		if _, _, err := Open(ctx, Options{Embedder: e, Records: desk}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	s, _ := open(t, Options{Path: filepath.Join(t.TempDir(), "index"), Records: desk})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				id := fmt.Sprintf("%d-%d", i, j%3)
				switch j % 4 {
				case 0:
					_ = s.Remove(ctx, Golden, id)
				case 1:
					_ = s.Save()
				default:
					_ = s.Put(ctx, golden(id, "orders by month"))
				}
				if _, ok, err := s.Best(ctx, Query{Kind: Golden, Question: "revenue by category"}); !ok || err != nil {
					t.Error(ok, err)
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkBestOfAThousand(b *testing.B) {
	var records []Record
	for i := range 1000 {
		records = append(records, Record{Kind: Golden, ID: fmt.Sprint(i), Question: fmt.Sprintf("metric %d by dimension %d", i, i%17), FrameQL: fmt.Sprintf("SELECT d%d, m%d", i%17, i)})
	}
	s, _ := open(b, Options{Records: records})
	for b.Loop() {
		if _, _, err := s.Best(ctx, Query{Kind: Golden, Question: "metric 7 by dimension 3", FrameQL: "SELECT d3, m7"}); err != nil {
			b.Fatal(err)
		}
	}
}
