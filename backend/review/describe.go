package review

import (
	"context"
	"slices"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/text"
)

// Write puts something that is to be known, and gives no word a meaning, before the stewards; its author is its contributor. Faults: those of knowledge.Description.Check; Invalid: it is about an entity that is
// none; Conflict: it holds a personal value.
func (b *Board) Write(ctx context.Context, actor rules.Actor, d knowledge.Description) (Reviewed, error) {
	if err := b.checked(&d); err != nil {
		return Reviewed{}, err
	}
	i := knowledge.Item{
		Title: d.Title, Content: d.Content, Category: d.Category, Tags: d.Tags, Entities: d.Entities, Contributor: actor.ID, Status: knowledge.Pending, History: []knowledge.Decision{},
		Evidence: []knowledge.Evidence{{Actor: actor.ID, Detection: knowledge.ByDefinition, Quote: d.Content, At: b.deps.Now().UTC()}},
	}
	i.Domain = domainOf(d)
	if err := b.add(ctx, &i, "written down", actor.ID); err != nil {
		return Reviewed{}, err
	}
	return b.Look(ctx, actor, i.ID)
}

// domainOf is what something that gives no word a meaning is about: what is about several is about no one of them alone.
func domainOf(d knowledge.Description) string {
	if len(d.Entities) == 1 {
		return d.Entities[0]
	}
	return ""
}

// Describe says otherwise what a piece is called, says in words and is about; see knowledge.Council.Describe. Faults: those of that and of Write, and Conflict: it was changed meanwhile.
func (b *Board) Describe(ctx context.Context, actor rules.Actor, id string, to knowledge.Description, reason string) (Reviewed, error) {
	item, c, err := b.seen(ctx, actor, id)
	if err != nil {
		return Reviewed{}, err
	}
	if err := b.checked(&to); err != nil {
		return Reviewed{}, err
	}
	d := knowledge.Decision{By: actor.ID, Reason: b.deps.Mask(knowledge.Line(reason)), At: b.deps.Now().UTC()}
	described, err := c.Describe(item, to, d, b.viewer(c, actor))
	if err != nil {
		return Reviewed{}, err
	}
	if described.Term == "" {
		described.Domain = domainOf(to)
	}
	r, err := record(actor.ID, kept{What: "described", Item: id, Status: described.Status})
	if err != nil {
		return Reviewed{}, err
	}
	if err := b.deps.Memory.ChangeItem(ctx, &described, item.Changed, r); err != nil {
		return Reviewed{}, err
	}
	return b.Look(ctx, actor, id)
}

// Forget removes what its author wrote down, without a trace; see knowledge.Item.Forgets. Faults: those of that, Conflict: it was changed meanwhile, and Unavailable: it is gone, and its traces are overwritten later.
func (b *Board) Forget(ctx context.Context, actor rules.Actor, id string) error {
	item, c, err := b.seen(ctx, actor, id)
	if err == nil {
		err = item.Forgets(actor.ID, b.viewer(c, actor), b.deps.Now())
	}
	if err != nil {
		return err
	}
	r, err := record(actor.ID, kept{What: "forgotten", Item: id})
	if err != nil {
		return err
	}
	return b.deps.Memory.ForgetItem(ctx, id, item.Changed, r)
}

// checked looks that a description can be shared, and writes its entities as the model names them: one may be called by another name of it.
func (b *Board) checked(d *knowledge.Description) error {
	if err := d.Check(); err != nil {
		return err
	}
	if b.personalIn(append([]string{d.Title, d.Content}, d.Tags...)...) {
		return fault.New(fault.Conflict, "describe", text.Say("review.personal_values"), text.Say("review.personal_values_hint"))
	}
	k := b.deps.Whole()
	for n, name := range d.Entities {
		found := entityCalled(k, name)
		if found == "" {
			return fault.New(fault.Invalid, "describe", text.Say("review.no_entity", "name", name), text.Say("review.no_entity_hint"))
		}
		d.Entities[n] = found
	}
	slices.Sort(d.Entities)
	d.Entities = slices.Compact(d.Entities)
	return nil
}

// entityCalled gives the entity with a name, or with another name; empty: there is none, or there are several.
func entityCalled(k analyst.Knowledge, name string) string {
	if k.Model == nil || k.Index == nil {
		return ""
	}
	if e := k.Model.Entity(name); e != nil {
		return e.Name
	}
	called := slices.DeleteFunc(k.Index.NamesIn(name), func(of string) bool { return k.Model.Entity(of) == nil })
	if len(called) != 1 {
		return ""
	}
	return called[0]
}
