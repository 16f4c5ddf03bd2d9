package retrieval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"sync"

	chromem "github.com/philippgille/chromem-go"

	"assay/backend/fault"
	"assay/backend/text"
)

// Kind tells apart what is found.
type Kind string

// The kinds of records.
const (
	Golden     Kind = "golden"
	Correction Kind = "correction"
	Memory     Kind = "memory"
)

// Record is one text that may be found. Question or FrameQL may be empty, not both.
type Record struct {
	Kind     Kind
	ID       string // unique in its kind
	Owner    string // whose it is; empty: everyone's
	Question string
	FrameQL  string // canonical text
}

// Query asks for what is like a question, a Frame-QL query, or both.
type Query struct {
	Kind     Kind
	Viewer   string // who asks: finds what is everyone's and their own
	Question string
	FrameQL  string
}

// Match is a record that was found. Similarity is 0 to 1.
type Match struct {
	ID         string
	Owner      string
	Similarity float64
}

// The two texts of a record, each with a collection of its own.
const (
	questionField = "question"
	frameField    = "frameql"
)

// Store holds vectors of records. It is safe for concurrent use. The records are the truth, this can be thrown away.
type Store struct {
	embedder Embedder
	frames   Embedder // of Frame-QL, where the embedder is foreign
	path     string
	mu       sync.RWMutex
	db       *chromem.DB
	owners   map[string]string    // key of a record -> its owner, checked again after each search
	hashes   map[string]string    // key of a record -> hash of its texts
	sketches map[string]*sketches // by collection
	removals int                  // how many records were taken out or replaced: what was read for the file before that is not put in its place
}

func newStore(e Embedder, path string) *Store {
	return &Store{embedder: e, frames: BuiltIn(), path: path, db: chromem.NewDB(), owners: map[string]string{}, hashes: map[string]string{}, sketches: map[string]*sketches{}}
}

// Put adds a record, or takes the place of the one with its kind and id, also of another owner. fault.Invalid for a record
// without an id, a known kind or a text; the errors of the embedder as they are.
func (s *Store) Put(ctx context.Context, r Record) error {
	vectors, err := s.vectors(ctx, r, nil)
	if err != nil {
		return err
	}
	return s.put(ctx, r, vectors)
}

// put is Put with the vectors of the record.
func (s *Store) put(ctx context.Context, r Record, vectors map[string][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.remove(ctx, r.Kind, r.ID); err != nil {
		return err
	}
	for field, vector := range vectors {
		c, err := s.collection(r.Kind, r.Owner, field)
		if err != nil {
			return err
		}
		doc := chromem.Document{ID: r.ID, Metadata: map[string]string{"owner": r.Owner, "hash": hashOf(r)}, Embedding: vector}
		if err := c.AddDocument(ctx, doc); err != nil {
			return broken("put record", err)
		}
		s.sketchIn(nameOf(r.Kind, r.Owner, field), r.ID, vector)
	}
	s.owners[keyOf(r.Kind, r.ID)], s.hashes[keyOf(r.Kind, r.ID)] = r.Owner, hashOf(r)
	return nil
}

// vectors embeds the texts of a record before anything is changed. question is the vector of its question, where that is there already.
func (s *Store) vectors(ctx context.Context, r Record, question []float32) (map[string][]float32, error) {
	if r.ID == "" || r.Question == "" && r.FrameQL == "" || !slices.Contains([]Kind{Golden, Correction, Memory}, r.Kind) {
		return nil, fault.New(fault.Invalid, "put record", text.Say("retrieval.bad_record"), "")
	}
	vectors := map[string][]float32{}
	for field, t := range map[string]string{questionField: r.Question, frameField: r.FrameQL} {
		if t == "" {
			continue
		}
		if field == questionField && question != nil {
			vectors[field] = question
			continue
		}
		v, err := s.embed(ctx, t, field == frameField)
		if err != nil {
			return nil, err
		}
		vectors[field] = v
	}
	return vectors, nil
}

// embed gives the vector of a text, of length 1. Frame-QL is read by the built-in embedder, whichever reads the questions.
func (s *Store) embed(ctx context.Context, t string, frameQL bool) ([]float32, error) {
	e := s.reads(frameQL)
	v, err := e.Embed(ctx, t, frameQL)
	if err != nil {
		return nil, err
	}
	return e.unit(v)
}

// EmbedderID is that of the embedder that the vectors are of.
func (s *Store) EmbedderID() string { return s.embedder.ID }

// reads is the embedder of a text.
func (s *Store) reads(frameQL bool) Embedder {
	if frameQL && s.embedder.Many != nil {
		return s.frames
	}
	return s.embedder
}

// Remove forgets a record with its vectors. One that is not there is no error.
func (s *Store) Remove(ctx context.Context, kind Kind, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remove(ctx, kind, id)
}

func (s *Store) remove(ctx context.Context, kind Kind, id string) error {
	owner, ok := s.owners[keyOf(kind, id)]
	if !ok {
		return nil
	}
	for _, field := range []string{questionField, frameField} {
		if c := s.db.GetCollection(nameOf(kind, owner, field), noEmbedding); c != nil {
			if err := c.Delete(ctx, nil, nil, id); err != nil {
				return broken("remove record", err)
			}
		}
		if of := s.sketches[nameOf(kind, owner, field)]; of != nil {
			of.remove(id)
		}
	}
	delete(s.owners, keyOf(kind, id))
	delete(s.hashes, keyOf(kind, id))
	s.removals++
	return nil
}

// Len gives how many records there are, whoever they are of.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.owners)
}

// Owner gives whose a record is; empty: everyone's, or it is not there.
func (s *Store) Owner(kind Kind, id string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.owners[keyOf(kind, id)]
}

// Count gives how many records of a kind a viewer may find.
func (s *Store) Count(kind Kind, viewer string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for key, owner := range s.owners {
		if k, _ := splitKey(key); k == kind && (owner == "" || owner == viewer) {
			n++
		}
	}
	return n
}

// Best gives the most similar record that the viewer may find; ok is false when there is none.
func (s *Store) Best(ctx context.Context, q Query) (best Match, ok bool, err error) {
	all, err := s.Nearest(ctx, q, 1)
	if err != nil || len(all) == 0 {
		return Match{}, false, err
	}
	return all[0], true, nil
}

// Nearest gives up to n records, the most similar first and those that are equally similar by id. The similarity of two
// questions is that of their words. Where both sides have Frame-QL too, that counts for more: the greater of its own
// similarity and the mean of both, so that other words for the same query are nothing new, and the same words that were read
// as another query are.
func (s *Store) Nearest(ctx context.Context, q Query, n int) ([]Match, error) {
	if n <= 0 || q.Question == "" && q.FrameQL == "" {
		return nil, nil
	}
	asked := map[string][]float32{}
	for field, t := range map[string]string{questionField: q.Question, frameField: q.FrameQL} {
		if t == "" {
			continue
		}
		v, err := s.embed(ctx, t, field == frameField)
		if err != nil {
			return nil, err
		}
		asked[field] = v
	}

	s.mu.RLock()
	defer s.mu.RUnlock()
	var matches []Match
	for _, owner := range slices.Compact([]string{"", q.Viewer}) {
		nearest, err := s.nearestOf(ctx, q.Kind, owner, asked, n)
		if err != nil {
			return nil, err
		}
		matches = append(matches, nearest...)
	}
	return first(matches, n), nil
}

// nearestOf gives the n nearest of an owner's records. The most similar of each text are looked at, and more of them until no
// other can be as near as the n-th (the threshold algorithm of Fagin, Lotem and Naor, 2001).
func (s *Store) nearestOf(ctx context.Context, kind Kind, owner string, asked map[string][]float32, n int) ([]Match, error) {
	asked = s.rarely(kind, owner, asked)
	for want := max(64, 8*n); ; want *= 64 {
		found := map[string]*scores{}
		unseen := -1.0 // no record that was not found is nearer than this
		for field, vector := range asked {
			last, err := s.search(ctx, kind, owner, field, vector, want, found)
			if err != nil {
				return nil, err
			}
			unseen = math.Max(unseen, last)
		}
		matches := make([]Match, 0, len(found))
		for id, scored := range found {
			if s.owners[keyOf(kind, id)] != owner { // a collection that holds what is not its owner's shows it to nobody
				continue
			}
			for field, vector := range asked {
				s.complete(ctx, nameOf(kind, owner, field), id, field, vector, scored)
			}
			matches = append(matches, Match{ID: id, Owner: owner, Similarity: scored.similarity()})
		}
		matches = first(matches, n)
		if unseen < 0 || len(matches) == n && matches[n-1].Similarity > unseen {
			return matches, nil
		}
	}
}

// first gives the n most similar, and of those that are equally similar the first by id.
func first(all []Match, n int) []Match {
	slices.SortFunc(all, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(n, len(all))]
}

// scores are the similarities of one record, by field: below 0 where a text is not there.
type scores struct{ question, frame float64 }

func (s *scores) of(field string) *float64 {
	if field == questionField {
		return &s.question
	}
	return &s.frame
}

func (s *scores) similarity() float64 {
	if s.question >= 0 && s.frame >= 0 {
		return math.Max(s.frame, (s.question+s.frame)/2)
	}
	return math.Max(s.question, s.frame)
}

// search adds the records whose text of a field is the most similar, up to want, with their scores. No other is nearer than
// last, which is negative when there is no other.
func (s *Store) search(ctx context.Context, kind Kind, owner, field string, vector []float32, want int, found map[string]*scores) (last float64, err error) {
	c := s.db.GetCollection(nameOf(kind, owner, field), noEmbedding)
	if c == nil || c.Count() == 0 {
		return -1, nil
	}
	all := c.Count()
	var results []chromem.Result
	if all >= sketchFrom {
		results, want = s.sketched(nameOf(kind, owner, field), owner, vector, want), all
	} else {
		results, err = c.QueryEmbedding(ctx, vector, min(want, all), nil, nil)
	}
	if err != nil {
		if ctx.Err() != nil {
			return -1, ctx.Err()
		}
		return -1, broken("search", err)
	}
	for _, r := range results {
		if r.Metadata["owner"] != owner {
			continue
		}
		if found[r.ID] == nil {
			found[r.ID] = &scores{-1, -1}
		}
		*found[r.ID].of(field) = s.alike(field, float64(r.Similarity))
	}
	if want >= all {
		return -1, nil
	}
	return s.alike(field, float64(results[len(results)-1].Similarity)), nil
}

// complete scores a field of a record that a search in another field found.
func (s *Store) complete(ctx context.Context, collection, id, field string, vector []float32, scored *scores) {
	if *scored.of(field) >= 0 {
		return
	}
	c := s.db.GetCollection(collection, noEmbedding)
	if c == nil {
		return
	}
	if doc, err := c.GetByID(ctx, id); err == nil {
		*scored.of(field) = s.alike(field, dot(doc.Embedding, vector))
	}
}

// alike is the similarity of two texts of a field, by the product of their vectors: 0 where they are no more alike than texts that have nothing in common.
func (s *Store) alike(field string, product float64) float64 {
	b := s.reads(field == frameField).Baseline
	return between((product - b) / (1 - b))
}

// between makes a similarity of a product: 0 to 1, and with so few digits that the order in which it was summed does not show.
func between(x float64) float64 { return math.Min(1, math.Max(0, math.Round(x*1e6)/1e6)) }

// collection gives a collection, which it makes when it is not there.
func (s *Store) collection(kind Kind, owner, field string) (*chromem.Collection, error) {
	c, err := s.db.GetOrCreateCollection(nameOf(kind, owner, field), nil, noEmbedding)
	if err != nil {
		return nil, broken("open collection", err)
	}
	return c, nil
}

// noEmbedding stands where chromem-go would otherwise call a service on the network.
func noEmbedding(context.Context, string) ([]float32, error) {
	return nil, errors.New("vectors are made outside")
}

// nameOf names a collection. The owner stands last and may be any text; NUL, which no kind and no field has, parts them.
func nameOf(kind Kind, owner, field string) string {
	return string(kind) + "\x00" + field + "\x00" + owner
}

func keyOf(kind Kind, id string) string { return string(kind) + "\x00" + id }

func splitKey(key string) (Kind, string) {
	for i := range len(key) {
		if key[i] == 0 {
			return Kind(key[:i]), key[i+1:]
		}
	}
	return Kind(key), ""
}

func hashOf(r Record) string {
	sum := sha256.Sum256([]byte(r.Question + "\x00" + r.FrameQL))
	return hex.EncodeToString(sum[:])
}

func broken(op string, err error) error {
	return fault.Wrap(fault.Internal, op, text.Say("retrieval.broken"), text.Say("retrieval.broken_hint"), err)
}
