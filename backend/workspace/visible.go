package workspace

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/backend/analyst"
	"assay/backend/interpret"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/store"
)

// mainSchema is where imported tables stand.
const mainSchema = "main"

// shown is what is known of the workspace: all of it, and the part that each whitelist leaves, made when it is first wanted.
type shown struct {
	view     view
	attested attestation
	whole    *analyst.Knowledge

	mu    sync.Mutex
	parts map[string]*analyst.Knowledge
}

// show hands out a view.
func (w *Workspace) show(v view, a attestation) {
	w.shown.Store(&shown{view: v, attested: a, whole: v.with(a), parts: map[string]*analyst.Knowledge{}})
}

// whole is what is known of the workspace, whoever may see it: for work of the workspace's own.
func (w *Workspace) whole() analyst.Knowledge { return *w.shown.Load().whole }

// Knowledge is what the person who runs this process may know: what every door shows that nobody else came through.
func (w *Workspace) Knowledge() analyst.Knowledge {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		me = rules.Actor{} // who has no role sees nothing
	}
	return w.knownTo(me)
}

// knownTo is what an actor may know.
func (w *Workspace) knownTo(a rules.Actor) analyst.Knowledge {
	s := w.shown.Load()
	list := w.Rules().Whitelist(a)
	if list.Everything() {
		return *s.whole
	}
	key := strings.Join(list.Schemas, "\x00") + "\x01" + strings.Join(list.Tables, "\x00")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts[key] == nil {
		s.parts[key] = s.part(list, w.reads)
	}
	return *s.parts[key]
}

func visibleBy(list rules.Whitelist) func(table string) bool {
	return func(table string) bool { return list.Allows(rules.Object{Schema: mainSchema, Table: table}) }
}

// reads gives the tables of the workspace that a SELECT of the model reads; none: it is not known.
func (w *Workspace) reads(sql string) []rules.Object {
	v, err := w.store.Admit(context.Background(), sql, func(string) bool { return true })
	if err != nil || !v.Allowed {
		return nil
	}
	var all []rules.Object
	for _, table := range v.Objects {
		all = append(all, rules.Object{Schema: mainSchema, Table: table})
	}
	return all
}

// part is the knowledge of somebody who may see what a list allows. Where what is left makes no model, that is nothing.
func (s *shown) part(list rules.Whitelist, reads func(sql string) []rules.Object) *analyst.Knowledge {
	v, visible := s.view, visibleBy(list)
	model, err := list.Model(v.model, mainSchema, reads)
	if err != nil {
		if model, err = semantic.Seal(&semantic.Model{Name: v.model.Name}); err != nil {
			model = &semantic.Model{}
		}
	}
	v.model = model
	v.measured.Values = slices.DeleteFunc(slices.Clone(v.measured.Values), func(set interpret.ValueSet) bool { return model.Entity(set.Entity) == nil })
	v.values = interpret.NewValues(model, v.measured.Values)
	v.base.LookUp = nil // it looks into every column
	v.base.Epochs = maps.Clone(v.base.Epochs)
	maps.DeleteFunc(v.base.Epochs, func(table, _ string) bool { return !visible(table) })
	v.base.Notes = maps.Clone(v.base.Notes)
	maps.DeleteFunc(v.base.Notes, func(table string, _ []analyst.TableNote) bool { return !visible(table) })
	return v.with(s.attested)
}

// Sources lists what has been imported, as far as the person who runs this process may see it.
func (w *Workspace) Sources() []store.Source {
	all := w.store.Sources()
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return []store.Source{}
	}
	list := w.Rules().Whitelist(me)
	if list.Everything() {
		return all
	}
	visible := visibleBy(list)
	for i := range all {
		all[i].Tables = slices.DeleteFunc(slices.Clone(all[i].Tables), func(t store.Table) bool { return !visible(t.Name) })
	}
	return slices.DeleteFunc(all, func(s store.Source) bool { return len(s.Tables) == 0 })
}
