package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/backend/knowledge"
	"assay/backend/retrieval"
)

// log looks at what is new in the audit log: its chain, that what was done stands there, and nobody's words.
func (s *society) log(d deed) {
	told := false
	s.rows(fmt.Sprintf(`SELECT at, kind, request, session, actor, body, prev, hash, seq FROM audit WHERE seq > %d ORDER BY seq`, s.seq), func(row []any) {
		raw, err := json.Marshal([]any{row[8], row[0], row[1], row[2], row[3], row[4], row[5], row[6]})
		sum := sha256.Sum256(raw)
		seq, _ := row[8].(int64)
		if hash := hex.EncodeToString(sum[:]); err != nil || seq != s.seq+1 && s.seq > 0 || row[7] != hash || s.hash != "" && row[6] != s.hash {
			s.t.Errorf("the log is broken at %v: %v", row, err)
		}
		s.seq, s.hash = seq, fmt.Sprint(row[7])
		told = told || row[4] == person(d.who)
		if marked.Match(raw) {
			s.t.Errorf("the log has words: %s", raw)
		}
	})
	if d.err == nil && (d.unsaid.id != "" || d.item != "" || d.what == "write" || d.what == "teach") && !told {
		s.t.Errorf("%s stands in no log", d)
	}
}

// traces looks that what was forgotten is nowhere: in no table, in no byte of the memory file, its log and what stands beside it, and in no vectors. What stays is what was decided about, and what others stand behind.
func (s *society) traces(d deed, was map[string]knowledge.Item) {
	may := map[string]map[string]bool{"correction": {}, "item": {}, "evidence": {}, "decision": {}}
	for _, c := range s.said {
		noteMarks(may["correction"], c.term, c.means, c.words, s.before[c.id].words)
	}
	for _, i := range s.items {
		noteMarks(may["item"], i.Term, i.Title, i.Content)
		for _, e := range i.Evidence { // of what somebody said it was looked that they still say it
			noteMarks(may["evidence"], e.Quote)
		}
		for _, h := range i.History {
			noteMarks(may["decision"], h.Reason)
		}
	}
	somewhere := map[string]bool{}
	for _, table := range s.tables {
		maps.Copy(somewhere, may[table])
		s.rows(`SELECT * FROM "`+table+`"`, func(row []any) {
			for _, cell := range row {
				for _, m := range marked.FindAll(bytes.ToLower(fmt.Appendf(nil, "%s", cell)), -1) {
					if !may[table][string(m)] {
						s.t.Errorf("%s still stands in the table %s: %v", m, table, row)
					}
				}
			}
		})
	}
	var lost []string
	if d.unsaid.id != "" {
		lost = []string{d.unsaid.id}
	}
	for id := range was {
		if _, there := s.items[id]; !there {
			lost = append(lost, id)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.w.dir, ".assay", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil { // a folder
			continue
		}
		for _, m := range marked.FindAll(raw, -1) {
			if !somewhere[string(m)] {
				s.t.Errorf("%s still stands in the file %s", m, file)
			}
		}
		for _, id := range lost {
			if strings.HasSuffix(file, ".vectors") && bytes.Contains(raw, []byte(id)) {
				s.t.Errorf("what was forgotten still has vectors in the file %s: %s", file, id)
			}
		}
	}
	s.w.teaching.mu.Lock()
	defer s.w.teaching.mu.Unlock()
	for owner, store := range s.w.teaching.stores {
		for _, kind := range []retrieval.Kind{retrieval.Correction, retrieval.Memory} {
			near, err := store.Nearest(s.t.Context(), retrieval.Query{Kind: kind, Viewer: owner, Question: d.unsaid.term + " means " + d.unsaid.means}, 1<<20)
			if err != nil {
				s.t.Fatal(err)
			}
			for _, m := range near {
				if slices.Contains(lost, m.ID) || slices.Contains(s.gone, m.ID) && kind == retrieval.Correction {
					s.t.Errorf("what was forgotten still has vectors among those of %q: %s", owner, m.ID)
				}
			}
		}
	}
}

// rows reads the memory file past the program.
func (s *society) rows(query string, each func(row []any)) {
	rows, err := s.db.QueryContext(s.t.Context(), query)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		s.t.Fatal(err)
	}
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			s.t.Fatal(err)
		}
		each(row)
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
}
