package analyst

import (
	"maps"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// TableNote says what was assumed of a table when its file was read, left out or changed.
type TableNote struct {
	Code     string
	Severity string // info | caution
	Column   string // as the engine knows it; empty: the whole table
	Text     string
}

// noteTables adds what is known of the files of the tables that the plan reads: of a column only where it is read.
func (r *run) noteTables() {
	var said []TableNote
	for _, name := range r.plan.Entities {
		if e := r.knowledge.Model.Entity(name); e != nil {
			said = append(said, r.notesOf(e)...)
		}
	}
	r.noteFiles(said)
}

// notesOf gives the notes of what the plan reads of an entity. Of a SELECT of the model all notes count whose table it names.
func (r *run) notesOf(e *semantic.Entity) (all []TableNote) {
	if e.Source.SQL != "" {
		for _, table := range slices.Sorted(maps.Keys(r.knowledge.Notes)) {
			for _, n := range r.knowledge.Notes[table] {
				if strings.Contains(e.Source.SQL, table) && (n.Column == "" || strings.Contains(e.Source.SQL, n.Column)) {
					all = append(all, n)
				}
			}
		}
		return all
	}
	for _, n := range r.knowledge.Notes[e.Source.Table] {
		if n.Column == "" || r.readsColumn(e, n.Column) {
			all = append(all, n)
		}
	}
	return all
}

// readsColumn reports whether the plan reads a column of the table of an entity.
func (r *run) readsColumn(e *semantic.Entity, column string) bool {
	return slices.ContainsFunc(e.Dimensions, func(d semantic.Dimension) bool {
		if !slices.Contains(r.plan.Dimensions, e.Name+"."+d.Name) {
			return false
		}
		own := d.Column
		if own == "" {
			own = d.Name
		}
		return strings.EqualFold(own, column) || d.Expr != "" && strings.Contains(strings.ToLower(d.Expr), strings.ToLower(column))
	})
}

// noteStatement does the same for a statement that a person wrote, of which only the tables are known.
func (r *run) noteStatement() {
	var said []TableNote
	for _, o := range r.objects {
		said = append(said, r.knowledge.Notes[o.Table]...)
	}
	r.noteFiles(said)
}

// noteFiles makes findings of notes, each once.
func (r *run) noteFiles(said []TableNote) {
	seen := map[string]bool{}
	for _, n := range said {
		if !seen[n.Text] {
			r.note(Finding{Code: n.Code, Severity: n.Severity, Status: "finding", Message: n.Text})
		}
		seen[n.Text] = true
	}
}
