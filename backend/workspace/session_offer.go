package workspace

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
)

// How a definition that came with a session stands in this workspace.
const (
	TravelledMissing = "missing" // nothing of the name is written down here: it can be taken over
	TravelledDiffers = "differs" // it is written down here otherwise, and stays as it is here
	TravelledInside  = "inside"  // it belongs to an entity that is written down here without it, and stays as it is here
	TravelledRefused = "refused" // it cannot be taken over
)

// TravelledDefinition is a definition that came with a session and that this workspace does not have, or has otherwise.
type TravelledDefinition struct {
	Object string                 `json:"object" doc:"As people call it: metric revenue"`
	Here   string                 `json:"here" enum:"missing,differs,inside,refused" doc:"missing: it can be taken over; differs: it is written down here otherwise; inside: its entity is written down here without it; refused: it cannot be taken over. Only what is missing is ever written"`
	Why    string                 `json:"why" doc:"Why it cannot be taken over; empty: it can, or differs"`
	Fields []semantic.FieldChange `json:"fields" nullable:"false" doc:"Of one that differs: before as it is here, after as it came"`
}

// SessionModel is the part of a semantic model that came with a session, beside the model of this workspace. It is an offer: nothing here uses it.
type SessionModel struct {
	SessionID   string                `json:"session_id" doc:"The session that it came with: the one that was asked for, or one above it"`
	Came        []string              `json:"came" nullable:"false" doc:"The files that came; none: no model did"`
	Definitions []TravelledDefinition `json:"definitions" nullable:"false" doc:"What is missing here, or otherwise"`
	Same        int                   `json:"same" doc:"Definitions that are here just so"`
	LeftOut     []string              `json:"left_out" nullable:"false" doc:"What is never taken over from a file: golden queries, agreed terms, guides"`
	Unread      string                `json:"unread" doc:"Why the files do not read as a model; empty: they do"`
	MayWrite    bool                  `json:"may_write" doc:"The person may change context files"`
	Files       []ContextFile         `json:"files" nullable:"false" doc:"New files that taking it over would write; none: nothing can be taken over, or the person may not"`
	Also        int                   `json:"also" doc:"Definitions in those files that were inferred here and would be lost otherwise"`
	Changes     []semantic.Change     `json:"changes" nullable:"false" doc:"How the model here would change"`
	Problems    []string              `json:"problems" nullable:"false" doc:"Why the files cannot be taken over as they are"`

	taken *semantic.Model
}

// SessionModel gives what came with a session, or with the nearest session above it that something came with. Faults: NotFound, and those of the memory
// and the store.
func (w *Workspace) SessionModel(ctx context.Context, id string) (SessionModel, error) {
	from, files, err := w.cameWithModel(ctx, id)
	if err != nil {
		return SessionModel{}, err
	}
	w.refresh(ctx)
	o, err := w.travelled(ctx, files)
	o.SessionID = from
	if err != nil || o.taken == nil || !o.MayWrite {
		return o, err
	}
	err = w.rehearse(ctx, &o)
	return o, err
}

// TakeSessionModel writes what came with a session and is missing here into context files of its own. Nothing that is written down is touched.
//
// Faults: NotFound, Unauthorized, Invalid (it does not read, or does not fit what is here; there is nothing to write), Conflict (a file appeared meanwhile), Unavailable.
func (w *Workspace) TakeSessionModel(ctx context.Context, id string) (SessionModel, error) {
	if err := w.mayWrite(); err != nil {
		return SessionModel{}, err
	}
	o, err := w.SessionModel(ctx, id)
	if err != nil {
		return o, err
	}
	refused := func(message string) error {
		return fault.New(fault.Invalid, "take over model", message, text.Say("workspace.travelled_hint"))
	}
	switch {
	case o.Unread != "":
		return o, refused(text.Say("workspace.travelled_unread", "why", o.Unread))
	case len(o.Problems) > 0:
		return o, refused(text.Say("workspace.travelled_misfit", "why", o.Problems[0]))
	case len(o.Files) == 0:
		return o, refused(text.Say("workspace.travelled_nothing"))
	}
	return o, w.SaveContext(ctx, editsOf(o.Files))
}

func editsOf(files []ContextFile) []ContextEdit {
	edits := make([]ContextEdit, len(files))
	for i, f := range files {
		edits[i] = ContextEdit{Path: f.Path, Text: f.Text, Base: f.Hash}
	}
	return edits
}

// cameWithModel finds the files that came with a session, or with one above it.
func (w *Workspace) cameWithModel(ctx context.Context, id string) (string, map[string][]byte, error) {
	const farthest = 100
	first := id
	for range farthest {
		d, err := w.memory.SessionHead(ctx, id)
		if err != nil && id != first && fault.CodeOf(err) == fault.NotFound {
			break // one above was deleted, with all that came with it
		}
		if err != nil {
			return "", nil, err
		}
		files, err := w.memory.SessionModel(ctx, id)
		if err != nil || len(files) > 0 || d.Origin == nil {
			return id, files, err
		}
		id = d.Origin.SessionID
	}
	return first, nil, nil
}

// travelled compares a model that came with a file with what the person may know of the one here. It is a stranger's: it is read by the loader as any, and
// of it are taken entities, metrics and joins alone, without owners and tables that they would have materialised.
func (w *Workspace) travelled(ctx context.Context, files map[string][]byte) (SessionModel, error) {
	o := SessionModel{
		Came: []string{}, Definitions: []TravelledDefinition{}, LeftOut: []string{}, Files: []ContextFile{}, Changes: []semantic.Change{}, Problems: []string{},
		MayWrite: w.MayWriteModel(),
	}
	for name := range files {
		o.Came = append(o.Came, name)
	}
	slices.Sort(o.Came)
	if len(files) == 0 {
		return o, nil
	}
	came, err := loadTravelled(files)
	if err != nil {
		if o.Unread = err.Error(); asFault(err) != nil {
			o.Unread = asFault(err).Message
		}
		return o, nil
	}
	for _, c := range semantic.Diff(&semantic.Model{}, &semantic.Model{Golden: came.Golden, Terms: came.Terms, Guides: came.Guides, Business: came.Business, Gotchas: came.Gotchas}) {
		o.LeftOut = append(o.LeftOut, c.Object)
	}
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return o, err
	}
	m := matching{w: w, offer: &o, came: came, here: w.Knowledge().Model, visible: visibleBy(w.Rules().Whitelist(me)), taken: &semantic.Model{Name: w.name}}
	if err := m.entities(ctx); err != nil {
		return o, err
	}
	m.metrics()
	m.joins()
	o.taken = m.taken
	return o, nil
}

// loadTravelled reads files of a model alone, as the loader reads a workspace.
func loadTravelled(files map[string][]byte) (*semantic.Model, error) {
	all := map[string][]byte{semantic.WorkspaceFileName: semantic.WriteWorkspaceYAML(&semantic.WorkspaceFile{Name: "travelled"})}
	for name, raw := range files {
		all[name] = raw
	}
	return semantic.Load(overlay{emptyFolder{}, all})
}

// matching goes through a model that came, beside the one here.
type matching struct {
	w       *Workspace
	offer   *SessionModel
	came    *semantic.Model
	here    *semantic.Model
	taken   *semantic.Model
	alike   []semantic.Entity // inferred here just so: they are written down only with what needs them
	visible func(table string) bool
}

// note takes a definition into the offer. fields are those in which it differs from what is here.
func (m *matching) note(object, here, why string, fields []semantic.FieldChange) {
	m.offer.Definitions = append(m.offer.Definitions, TravelledDefinition{object, here, why, append([]semantic.FieldChange{}, fields...)})
}

// compare notes a definition that is written down here, where it says otherwise than the one that came. Each model has the one object.
func (m *matching) compare(here, came *semantic.Model) {
	changes := semantic.Diff(here, came)
	if len(changes) == 0 {
		m.offer.Same++
	}
	for _, c := range changes {
		m.note(c.Object, TravelledDiffers, "", c.Fields)
	}
}

func (m *matching) entities(ctx context.Context) error {
	for _, e := range m.came.Entities {
		here := written(m.here.Entity(e.Name))
		if here != nil {
			e.Name = here.Name
			m.compare(&semantic.Model{Entities: []semantic.Entity{bareEntity(*here)}}, &semantic.Model{Entities: []semantic.Entity{bareEntity(e)}})
			m.inside(here, e)
			continue
		}
		if m.inferredAlike(e) {
			m.offer.Same += 1 + len(e.Dimensions)
			m.alike = append(m.alike, m.plain(e))
			continue
		}
		why, err := m.unusable(ctx, &e)
		if err != nil {
			return err
		}
		state := TravelledMissing
		if why != "" {
			state = TravelledRefused
		}
		m.note(text.Say("semantic.object_entity", "name", e.Name), state, why, nil)
		for _, d := range e.Dimensions {
			m.note(text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name), state, why, nil)
		}
		if why == "" {
			m.taken.Entities = append(m.taken.Entities, m.plain(e))
		}
	}
	return nil
}

// inferredAlike says whether an entity is inferred here just as it came.
func (m *matching) inferredAlike(e semantic.Entity) bool {
	here := m.here.Entity(e.Name)
	if here == nil || here.Name != e.Name || len(semantic.Diff(&semantic.Model{Entities: []semantic.Entity{bareEntity(*here)}}, &semantic.Model{Entities: []semantic.Entity{bareEntity(e)}})) > 0 {
		return false
	}
	for _, d := range e.Dimensions {
		at := slices.IndexFunc(here.Dimensions, func(x semantic.Dimension) bool { return x.Name == d.Name })
		if at < 0 || len(semantic.Diff(oneDimension(e.Name, here.Dimensions[at]), oneDimension(e.Name, d))) > 0 {
			return false
		}
	}
	return true
}

func oneDimension(entity string, d semantic.Dimension) *semantic.Model {
	return &semantic.Model{Entities: []semantic.Entity{{Name: entity, Dimensions: []semantic.Dimension{d}}}}
}

// inside compares the dimensions of an entity that is written down here.
func (m *matching) inside(here *semantic.Entity, came semantic.Entity) {
	for _, d := range came.Dimensions {
		at := slices.IndexFunc(here.Dimensions, func(x semantic.Dimension) bool { return strings.EqualFold(x.Name, d.Name) })
		if at < 0 {
			m.note(text.Say("semantic.object_dimension", "name", here.Name+"."+d.Name), TravelledInside, text.Say("workspace.travelled_inside", "entity", here.Name), nil)
			continue
		}
		d.Name = here.Dimensions[at].Name
		m.compare(oneDimension(here.Name, here.Dimensions[at]), oneDimension(here.Name, d))
	}
}

// unusable says why an entity cannot be taken over; empty: it can. A SELECT goes through the gate as one that a person wrote here.
func (m *matching) unusable(ctx context.Context, e *semantic.Entity) (string, error) {
	if e.Source.SQL == "" {
		if !m.visible(e.Source.Table) || !m.w.loadedTable(e) {
			return text.Say("workspace.travelled_no_table", "table", e.Source.Table), nil
		}
		return "", nil
	}
	v, err := m.w.store.Admit(ctx, e.Source.SQL, m.visible)
	switch {
	case err != nil && fault.CodeOf(err) != fault.Invalid:
		return "", err
	case err != nil:
		return text.Say("workspace.travelled_gate", "why", asFault(err).Message), nil
	case !v.Allowed:
		return text.Say("workspace.travelled_gate", "why", v.Reason), nil
	}
	return "", nil
}

// plain is an entity as it is taken over. That values name persons is never taken back by a file.
func (m *matching) plain(e semantic.Entity) semantic.Entity {
	e.Owner, e.Inferred = nil, false
	e.Dimensions = slices.Clone(e.Dimensions)
	proposed := m.here.Entity(e.Name)
	for i := range e.Dimensions {
		d := &e.Dimensions[i]
		if d.PII == "none" {
			d.PII = ""
		}
		if proposed == nil || d.PII != "" {
			continue
		}
		for _, x := range proposed.Dimensions {
			if columnOf(x) == columnOf(*d) {
				d.PII = x.PII
			}
		}
	}
	return e
}

func columnOf(d semantic.Dimension) string {
	if d.Column == "" {
		return strings.ToLower(d.Name)
	}
	return strings.ToLower(d.Column)
}

// bareEntity is an entity without what stands for itself, and without what does not travel.
func bareEntity(e semantic.Entity) semantic.Entity {
	e.Dimensions, e.Owner, e.Hierarchies, e.OtherTimes, e.Freshness = nil, nil, nil, nil, nil
	e.Inferred = false
	return e
}

func bareMetric(x semantic.Metric) semantic.Metric {
	x.Siblings, x.Owner, x.Materialize, x.Inferred = nil, nil, nil, false
	return x
}

// written is an object that stands in a file of this workspace; nil: it is only inferred, or not there.
func written[T semantic.Entity | semantic.Metric](x *T) *T {
	if x == nil {
		return nil
	}
	switch o := any(x).(type) {
	case *semantic.Entity:
		if o.Pos.File == "" {
			return nil
		}
	case *semantic.Metric:
		if o.Pos.File == "" {
			return nil
		}
	}
	return x
}

// stands says whether an entity is there when everything is taken over. One that is inferred here just so is, when something needs it.
func (m *matching) stands(entity string) bool {
	named := func(e semantic.Entity) bool { return strings.EqualFold(e.Name, entity) }
	return written(m.here.Entity(entity)) != nil || slices.ContainsFunc(m.taken.Entities, named) || slices.ContainsFunc(m.alike, named)
}

// need takes over an entity that is inferred here just so.
func (m *matching) need(entity string) {
	at := slices.IndexFunc(m.alike, func(e semantic.Entity) bool { return strings.EqualFold(e.Name, entity) })
	if at >= 0 {
		m.taken.Entities = append(m.taken.Entities, m.alike[at])
		m.alike = slices.Delete(m.alike, at, at+1)
	}
}

func (m *matching) metrics() {
	for _, x := range m.came.Metrics {
		x = bareMetric(x)
		if here := written(m.here.Metric(x.Name)); here != nil {
			x.Name = here.Name
			m.compare(&semantic.Model{Metrics: []semantic.Metric{bareMetric(*here)}}, &semantic.Model{Metrics: []semantic.Metric{x}})
			continue
		}
		if here := m.here.Metric(x.Name); here != nil && here.Name == x.Name && len(semantic.Diff(&semantic.Model{Metrics: []semantic.Metric{bareMetric(*here)}}, &semantic.Model{Metrics: []semantic.Metric{x}})) == 0 {
			m.offer.Same++ // inferred here just so
			continue
		}
		object := text.Say("semantic.object_metric", "name", x.Name)
		if x.Entity != "" && !m.stands(x.Entity) {
			m.note(object, TravelledRefused, text.Say("workspace.travelled_no_entity", "entity", x.Entity), nil)
			continue
		}
		m.note(object, TravelledMissing, "", nil)
		m.need(x.Entity)
		m.taken.Metrics = append(m.taken.Metrics, x)
	}
}

func (m *matching) joins() {
	for _, j := range m.came.Joins {
		j.Inferred = false
		name := j.From + " -> " + j.To
		if j.Role != "" {
			name += " (" + j.Role + ")"
		}
		object := text.Say("semantic.object_join", "name", name)
		at := slices.IndexFunc(m.here.Joins, func(x semantic.Join) bool { return sameEdge(x, j) })
		var here semantic.Join
		if at >= 0 {
			here = m.here.Joins[at]
			here.Inferred, j.From, j.To, j.Role = false, here.From, here.To, here.Role
		}
		alone := func(j semantic.Join) *semantic.Model { return &semantic.Model{Joins: []semantic.Join{j}} }
		switch {
		case at >= 0 && here.Pos.File != "":
			m.compare(alone(here), alone(j))
		case at >= 0 && len(semantic.Diff(alone(here), alone(j))) == 0:
			m.offer.Same++ // inferred here just so
		case !m.stands(j.From) || !m.stands(j.To):
			m.note(object, TravelledRefused, text.Say("workspace.travelled_no_ends"), nil)
		default:
			m.note(object, TravelledMissing, "", nil)
			m.need(j.From)
			m.need(j.To)
			m.taken.Joins = append(m.taken.Joins, j)
		}
	}
}

func sameEdge(a, b semantic.Join) bool {
	return strings.EqualFold(a.From, b.From) && strings.EqualFold(a.To, b.To) && strings.EqualFold(a.Role, b.Role)
}

// rehearse says what taking over would write, and what would come of it. What is inferred here of the same tables is written down too, for a table that is
// described in a file is no longer inferred; where that does not fit, what came is written alone.
func (w *Workspace) rehearse(ctx context.Context, o *SessionModel) error {
	if len(o.taken.Entities)+len(o.taken.Metrics)+len(o.taken.Joins) == 0 {
		return nil
	}
	for _, filled := range []bool{true, false} {
		model, also := o.taken, 0
		if filled {
			model, also = filledUp(o.taken, w.whole().Model)
		}
		files, err := w.newFiles(model)
		if err != nil {
			return err
		}
		check, err := w.CheckContext(ctx, editsOf(files))
		if err != nil {
			return err
		}
		o.Files, o.Also, o.Changes, o.Problems = files, also, append([]semantic.Change{}, check.Changes...), []string{}
		for _, p := range check.Problems {
			if p.Severity == semantic.SeverityError {
				o.Problems = append(o.Problems, p.String())
			}
		}
		if len(o.Problems) == 0 || also == 0 {
			break
		}
	}
	return nil
}

// newFiles writes a model as files that are not there yet.
func (w *Workspace) newFiles(m *semantic.Model) ([]ContextFile, error) {
	files := []ContextFile{}
	for name, raw := range semantic.WriteYAML(m) {
		if path.Base(name) == "registry.yaml" {
			continue
		}
		ext := path.Ext(name)
		free := name
		for n := 2; ; n++ {
			now, err := w.contextFile(free)
			if err != nil {
				return nil, err
			}
			if now.Hash == "" {
				break
			}
			free = strings.TrimSuffix(name, ext) + "-" + strconv.Itoa(n) + ext
		}
		files = append(files, ContextFile{Path: free, Text: string(raw)})
	}
	slices.SortFunc(files, func(a, b ContextFile) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}
