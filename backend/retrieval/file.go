package retrieval

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	chromem "github.com/philippgille/chromem-go"

	"assay/backend/fault"
	"assay/backend/text"
)

// Options of a store.
type Options struct {
	Embedder Embedder
	Path     string   // of the file; empty: nothing is kept
	Records  []Record // all that there is, from where it is kept for good
}

// head is the first line of a file.
type head struct {
	Format     int    `json:"format"`
	Embedder   string `json:"embedder"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"` // of all that follows the line
}

const (
	fileFormat = 1
	largest    = 1 << 30 // bytes of a file that is read
)

// Open gives a store that holds exactly the records. Vectors are taken from the file where it was written by the same embedder
// and is whole, and where the record is still the same; all others are embedded anew. A file that is missing, damaged, of another
// embedder or of another version is no error: rebuilt says how many records were embedded. The store is not written until Save.
func Open(ctx context.Context, o Options) (s *Store, rebuilt int, err error) {
	s = Load(o.Embedder, o.Path)
	rebuilt, _, err = s.Hold(ctx, o.Records)
	if err != nil {
		return nil, rebuilt, err
	}
	return s, rebuilt, nil
}

// Load gives a store as its file has it. A file that is missing, damaged or of another embedder gives an empty one.
func Load(e Embedder, path string) *Store {
	s := newStore(e, path)
	if path != "" {
		if err := s.load(); err != nil {
			return newStore(e, path)
		}
	}
	return s
}

// Hold makes a store hold exactly some records, and says how many were embedded and how many removed for it. The store is not written until Save.
func (s *Store) Hold(ctx context.Context, records []Record) (put, removed int, err error) {
	keep := map[string]bool{}
	for _, r := range records {
		keep[keyOf(r.Kind, r.ID)] = true
	}
	return s.bring(ctx, records, slices.DeleteFunc(s.keys(), func(key string) bool { return keep[key] }))
}

// Bring makes a store hold some records as they are, and those of some ids of a kind not any more, and says how many were embedded and how many removed for it. All others stay. The store is not written until Save.
func (s *Store) Bring(ctx context.Context, records []Record, kind Kind, gone []string) (put, removed int, err error) {
	keys := make([]string, len(gone))
	for i, id := range gone {
		keys[i] = keyOf(kind, id)
	}
	return s.bring(ctx, records, keys)
}

// bring takes out first, so that an embedder which fails keeps nothing that is gone.
func (s *Store) bring(ctx context.Context, records []Record, gone []string) (put, removed int, err error) {
	for _, key := range gone {
		s.mu.Lock()
		_, there := s.owners[key]
		kind, id := splitKey(key)
		err := s.remove(ctx, kind, id)
		s.mu.Unlock()
		if err != nil {
			return put, removed, err
		}
		if there {
			removed++
		}
	}
	var missing []Record
	for _, r := range records {
		if !s.has(ctx, r) {
			missing = append(missing, r)
		}
	}
	put, err = s.putAll(ctx, missing)
	return put, removed, err
}

// has says whether a record is there as it is.
func (s *Store) has(ctx context.Context, r Record) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	key := keyOf(r.Kind, r.ID)
	owner, there := s.owners[key]
	return there && owner == r.Owner && s.hashes[key] == hashOf(r) && s.whole(ctx, r)
}

// keys are those of all records.
func (s *Store) keys() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Keys(s.owners))
}

// atOnce is how many questions are given to a foreign embedder at once.
const atOnce = 64

// putAll adds records, and says how many it came to. Their questions are embedded many at once where the embedder does that.
func (s *Store) putAll(ctx context.Context, all []Record) (put int, err error) {
	for part := range slices.Chunk(all, atOnce) {
		questions := make([][]float32, len(part))
		if s.embedder.Many != nil {
			if questions, err = s.many(ctx, part); err != nil {
				return put, err
			}
		}
		for i, r := range part {
			vectors, err := s.vectors(ctx, r, questions[i])
			if err == nil {
				err = s.put(ctx, r, vectors)
			}
			if err != nil {
				return put, err
			}
			put++
		}
	}
	return put, nil
}

// many embeds the questions of records at once; nil where a record has none.
func (s *Store) many(ctx context.Context, all []Record) ([][]float32, error) {
	var texts []string
	for _, r := range all {
		if r.Question != "" {
			texts = append(texts, r.Question)
		}
	}
	out := make([][]float32, len(all))
	if len(texts) == 0 {
		return out, nil
	}
	vectors, err := s.embedder.Many(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fault.New(fault.Internal, "embed", text.Say("retrieval.bad_vector", "embedder", s.embedder.ID), "")
	}
	for i, r := range all {
		if r.Question == "" {
			continue
		}
		if out[i], err = s.embedder.unit(vectors[0]); err != nil {
			return nil, err
		}
		vectors = vectors[1:]
	}
	return out, nil
}

// whole says whether the vectors of a record are there, for each of its texts, of the right dimensions and of unit length.
func (s *Store) whole(ctx context.Context, r Record) bool {
	for field, t := range map[string]string{questionField: r.Question, frameField: r.FrameQL} {
		c := s.db.GetCollection(nameOf(r.Kind, r.Owner, field), noEmbedding)
		if c == nil {
			if t != "" {
				return false
			}
			continue
		}
		doc, err := c.GetByID(ctx, r.ID)
		if (err == nil) != (t != "") {
			return false
		}
		if length := dot(doc.Embedding, doc.Embedding); err == nil && (len(doc.Embedding) != s.reads(field == frameField).Dimensions || !(length > 0.99 && length < 1.01)) {
			return false
		}
	}
	return true
}

// load reads the file. Nothing of it is looked at before its checksum was compared; one with the right checksum that still is none
// of ours must not end the program either.
func (s *Store) load() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not a file of ours: %v", p)
		}
	}()
	raw, err := readAtMost(s.path, largest)
	if err != nil {
		return err
	}
	line, body, ok := bytes.Cut(raw, []byte("\n"))
	var h head
	if !ok || json.Unmarshal(line, &h) != nil {
		return errors.New("no head")
	}
	sum := sha256.Sum256(body)
	if h != (head{fileFormat, s.embedder.ID, s.embedder.Dimensions, hex.EncodeToString(sum[:])}) {
		return errors.New("another embedder or format, or damaged")
	}
	db := chromem.NewDB()
	if err := db.ImportFromReader(bytes.NewReader(body), ""); err != nil {
		return err
	}
	for name, c := range db.ListCollections() {
		parts := strings.SplitN(name, "\x00", 3)
		if len(parts) != 3 {
			return errors.New("a collection of another kind")
		}
		if err := s.take(c, Kind(parts[0]), parts[1], parts[2]); err != nil {
			return err
		}
	}
	s.db = db
	return nil
}

// take notes the records of a collection. chromem-go lists documents by a search alone.
func (s *Store) take(c *chromem.Collection, kind Kind, field, owner string) error {
	if c.Count() == 0 {
		return nil
	}
	any := make([]float32, s.reads(field == frameField).Dimensions)
	any[0] = 1
	docs, err := c.QueryEmbedding(context.Background(), any, c.Count(), nil, nil)
	if err != nil {
		return err
	}
	for _, d := range docs {
		key := keyOf(kind, d.ID)
		if before, ok := s.owners[key]; d.Metadata["owner"] != owner || ok && before != owner {
			return errors.New("a record of two owners")
		}
		s.owners[key], s.hashes[key] = owner, d.Metadata["hash"]
		s.sketchIn(nameOf(kind, owner, field), d.ID, d.Embedding)
	}
	return nil
}

func readAtMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(raw)) > most {
		err = errors.New("too large")
	}
	return raw, err
}

// Save writes the store to its file, which only the owner may read: whole under another name, then in place of the old one. What is taken out meanwhile is not put back by it: the file is then written
// again. It does nothing without a path. fault.Unavailable when the disk does not take it; the store stays as it is, and so does the old file.
func (s *Store) Save() error {
	for s.path != "" {
		if saved, err := s.save(); saved || err != nil {
			return err
		}
	}
	return nil
}

// save is one attempt of Save; false: a record was taken out while it was written.
func (s *Store) save() (bool, error) {
	s.mu.RLock()
	var body bytes.Buffer
	err := s.db.ExportToWriter(&body, false, "")
	removals := s.removals
	s.mu.RUnlock()
	if err != nil {
		return false, broken("save", err)
	}
	sum := sha256.Sum256(body.Bytes())
	line, err := json.Marshal(head{fileFormat, s.embedder.ID, s.embedder.Dimensions, hex.EncodeToString(sum[:])})
	if err != nil {
		return false, broken("save", err)
	}
	beside, err := writeBeside(s.path, slices.Concat(line, []byte("\n"), body.Bytes()))
	if beside != "" {
		defer os.Remove(beside)
	}
	saved := false
	if err == nil {
		s.mu.RLock()
		if saved = s.removals == removals; saved {
			err = os.Rename(beside, s.path)
		}
		s.mu.RUnlock()
	}
	if err != nil {
		return false, fault.Wrap(fault.Unavailable, "save", text.Say("retrieval.not_saved"), text.Say("retrieval.not_saved_hint"), err)
	}
	return saved, nil
}

// writeBeside writes a file beside the path, which is to be moved there. Its name is given once there is something to remove.
func writeBeside(path string, raw []byte) (beside string, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	_, err = w.Write(raw)
	return f.Name(), errors.Join(err, w.Flush(), f.Sync(), f.Close())
}
