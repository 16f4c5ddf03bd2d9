package store

import (
	"context"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"assay/backend/fault"
	"assay/backend/text"
)

// DamagedSource is a source whose data cannot be read, or not all of it.
type DamagedSource struct {
	ID, Name string
	Tables   []string
}

// Damaged lists the sources whose data cannot be read: those that were found so when they were opened, and those in which a statement
// met something unreadable. Importing such a source again mends it.
func (s *Store) Damaged() (all []DamagedSource) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, e := range s.catalog.Entries {
		tables := e.lost
		if met := s.unread[e.File]; met && len(tables) == 0 {
			for _, t := range e.Tables {
				tables = append(tables, t.Name)
			}
		}
		if len(tables) > 0 {
			all = append(all, DamagedSource{e.ID, e.Name, tables})
		}
	}
	return all
}

// unreadable notes that the data of tables cannot be read when that is why a statement failed, and says of which sources they are. After
// such an error the engine serves nothing any more: another one is opened for the next statement.
func (s *Store) unreadable(ctx context.Context, e *engine, tables []string, err error) error {
	if err == nil || ctx.Err() != nil || !brokenFile(err) {
		return err
	}
	e.broken.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, en := range s.catalog.Entries {
		for _, t := range en.Tables {
			if holdsFold(tables, t.Name) {
				s.unread[en.File] = true
				names = append(names, en.Name)
				break
			}
		}
	}
	if len(names) == 0 {
		return err
	}
	return fault.Wrap(fault.Unavailable, "query", text.Say("store.source_unreadable", "names", strings.Join(names, ", ")), text.Say("store.source_unreadable_hint"), err)
}

// brokenFile says whether an error is one of what stands on the disk.
func brokenFile(err error) bool {
	switch engineType(err) {
	case duckdb.ErrorTypeIO, duckdb.ErrorTypeFatal, duckdb.ErrorTypeSerialization:
		return true
	case duckdb.ErrorTypeInternal: // of the engine's own mistakes it says other things
		said := strings.ToLower(engineReason(err))
		return strings.Contains(said, "corrupt") || strings.Contains(said, "checksum") || strings.Contains(said, "block") || strings.Contains(said, "deserializ")
	}
	return false
}

func holdsFold(all []string, name string) bool {
	for _, x := range all {
		if strings.EqualFold(x, name) {
			return true
		}
	}
	return false
}
