package semantic

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// LoadSound reads what Load reads, and leaves out what is wrong: a dimension, a join, an object or a file. What rests on something
// that is left out is left out too. The problems say what that is and why; none: everything is in the model.
//
// Of tables that a left-out piece may describe nothing is proposed from the data: see Model.Withholds.
func LoadSound(fsys fs.FS) (*Model, Problems) {
	r := newReading()
	r.sound = true
	m, err := r.load(fsys)
	if err != nil { // the folder itself cannot be read
		_ = r.unreadable(ContextFolder, err) // it is a problem of the model
	}
	if m == nil {
		m = &Model{}
	}
	m, problems := sealSound(m, r)
	problems = append(r.problems, problems...)
	problems.sort()
	return m, problems
}

// SealSound is Seal for a model of which some parts may not hold together: those are left out, with what rests on them.
func SealSound(m *Model) (*Model, Problems) { return sealSound(m, newReading()) }

func sealSound(m *Model, r *reading) (*Model, Problems) {
	var all Problems
	for range len(m.Entities) + len(m.Metrics) + len(m.Joins) + len(m.Golden) + len(m.Gotchas) + len(m.Terms) + len(m.Calendars) + 10 {
		out := prepared(m, r.lines)
		errs := slices.DeleteFunc(Problems(Check(out)), func(p Problem) bool { return p.Severity != SeverityError })
		if len(errs) == 0 {
			out.LeftOut = append(out.LeftOut, r.leftOut...)
			return finished(out), all
		}
		for i := range errs {
			if len(all) > 0 && errs[i].Object != "" {
				errs[i].Message = text.Say("semantic.left_out_with", "object", errs[i].Object, "reason", errs[i].Message)
			}
			if k := errs[i].of.kind; k == pieceEntity || k == pieceDimension {
				r.withhold(errs[i].Pos.File)
			}
		}
		all = append(all, errs...)
		m = without(out, errs)
	}
	// A problem that belongs to nothing: what is left is a workspace without a model.
	bare := &Model{Name: m.Name, Memos: m.Memos, Workspace: Settings{Label: m.Workspace.Label, TimeZone: m.Workspace.TimeZone}}
	out := prepared(bare, nil)
	out.LeftOut = append(out.LeftOut, LeftOut{Everything: true})
	return finished(out), all
}

// LeftOut is a file of which something about the data was left out.
type LeftOut struct {
	File       string
	Text       string // what it says, as far as it could be read, in lower case
	Everything bool   // it is not known of what
}

// names says whether a file speaks of a table: by its own name, by the table's name, or by the name that an entity would have.
func (l LeftOut) names(table string) bool {
	return l.Everything || mentions(l.Text, table) || strings.EqualFold(stem(l.File), table) || mentions(l.Text, snake(camelWords(table))) ||
		strings.EqualFold(stem(l.File), snake(camelWords(table)))
}

// Withholds says whether something that was left out may describe a table. Then nothing is guessed about it: what is personal in it,
// for example, may stand in the part that cannot be read.
func (m *Model) Withholds(table string) bool {
	return slices.ContainsFunc(m.LeftOut, func(l LeftOut) bool { return l.names(table) })
}

// WithholdsColumn says the same of a column; one that a sound dimension reads is described.
func (m *Model) WithholdsColumn(table, column string) bool {
	if !m.Withholds(table) {
		return false
	}
	for i := range m.Entities {
		if e := &m.Entities[i]; strings.EqualFold(e.Source.Table, table) {
			for j := range e.Dimensions {
				if strings.EqualFold(e.Dimensions[j].Physical(), column) {
					return false
				}
			}
		}
	}
	return true
}

func (r *reading) withhold(file string) {
	if !slices.ContainsFunc(r.leftOut, func(l LeftOut) bool { return l.File == file }) {
		r.leftOut = append(r.leftOut, LeftOut{File: file, Text: strings.ToLower(r.texts[file])})
	}
}

// unreadable notes a file that cannot be read where that stops nothing, and gives the error where it does.
func (r *reading) unreadable(file string, err error) error {
	if !r.sound {
		return err
	}
	var f *fault.Error
	if errors.As(err, &f) {
		r.fail(file, 0, "", f.Message, f.Hint)
	} else {
		r.fail(file, 0, "", text.Say("semantic.file_unreadable", "file", file), text.Say("semantic.file_unreadable_hint"))
	}
	return nil
}

// whole runs the reader of a file, and takes back what it put into the model where the file is wrong beyond its items.
func (r *reading) whole(m *Model, file string, raw []byte, read func()) {
	r.texts[file] = string(raw)
	problems, items := len(r.problems), r.items
	before := sizes(m)
	read()
	if !r.sound || len(r.problems)-problems == r.items-items {
		return
	}
	m.Entities, m.Metrics, m.Joins = m.Entities[:before[0]], m.Metrics[:before[1]], m.Joins[:before[2]]
	m.Gotchas, m.Golden, m.Terms = m.Gotchas[:before[3]], m.Golden[:before[4]], m.Terms[:before[5]]
	if path.Base(path.Dir(file)) == "entities" {
		r.withhold(file)
	}
}

func sizes(m *Model) [6]int {
	return [6]int{len(m.Entities), len(m.Metrics), len(m.Joins), len(m.Gotchas), len(m.Golden), len(m.Terms)}
}

// piece is a part of a model that can be left out.
type piece struct {
	kind pieceKind
	i, j int    // of the object, and of the item in it
	name string // of a time
}

type pieceKind int

const (
	pieceNone pieceKind = iota
	pieceEntity
	pieceDimension
	pieceParent
	pieceKey
	pieceDisplay
	pieceTime
	pieceHierarchy
	pieceJoin
	pieceMetric
	pieceCalendar
	pieceDefaultCalendar
	pieceGotcha
	pieceGolden
	pieceTerm
)

// without gives a model without the pieces that problems are of. m is a copy that may be changed.
func without(m *Model, problems Problems) *Model {
	gone := map[piece]bool{}
	for _, p := range problems {
		gone[p.of] = true
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		if gone[piece{kind: pieceParent, i: i}] {
			e.Parent = ""
		}
		if gone[piece{kind: pieceKey, i: i}] {
			e.Key = nil
		}
		if gone[piece{kind: pieceDisplay, i: i}] {
			e.Display = ""
		}
		if gone[piece{kind: pieceTime, i: i, name: e.DefaultTime}] {
			e.DefaultTime = ""
		}
		e.OtherTimes = slices.DeleteFunc(slices.Clone(e.OtherTimes), func(t string) bool { return gone[piece{kind: pieceTime, i: i, name: t}] })
		e.Dimensions = kept(e.Dimensions, func(j int) bool { return gone[piece{kind: pieceDimension, i: i, j: j}] })
		e.Hierarchies = kept(e.Hierarchies, func(j int) bool { return gone[piece{kind: pieceHierarchy, i: i, j: j}] })
	}
	whole := func(kind pieceKind) func(int) bool {
		return func(i int) bool { return gone[piece{kind: kind, i: i}] }
	}
	m.Entities, m.Metrics, m.Joins = kept(m.Entities, whole(pieceEntity)), kept(m.Metrics, whole(pieceMetric)), kept(m.Joins, whole(pieceJoin))
	m.Gotchas, m.Golden, m.Terms = kept(m.Gotchas, whole(pieceGotcha)), kept(m.Golden, whole(pieceGolden)), kept(m.Terms, whole(pieceTerm))
	m.Calendars = kept(m.Calendars, whole(pieceCalendar))
	if gone[piece{kind: pieceDefaultCalendar}] {
		m.Workspace.Calendar = ""
	}
	return m
}

// kept gives the members that are not gone.
func kept[T any](all []T, gone func(i int) bool) []T {
	var out []T
	for i, x := range all {
		if !gone(i) {
			out = append(out, x)
		}
	}
	return out
}
