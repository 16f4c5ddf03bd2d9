package rules

import (
	"slices"
	"strings"

	"assay/backend/rules/pii"
	"assay/backend/semantic"
)

// Whitelist is what an actor may see, as patterns without regard to case; `*` stands for any characters. The zero value
// shows nothing.
type Whitelist struct {
	Schemas []string
	Tables  []string // table, or schema.table
}

// Whitelist gives what an actor may see. Of an actor whose role is not known that is nothing.
func (rules *Rules) Whitelist(a Actor) Whitelist {
	role, _ := rules.Role(a.Role)
	return Whitelist{Schemas: slices.Clone(role.Schemas), Tables: slices.Clone(role.Tables)}
}

// Allows says whether a table may be seen: its schema by one pattern and its name by another. A table without a schema is
// seen by whom every schema is open to.
func (w Whitelist) Allows(o Object) bool {
	return slices.ContainsFunc(w.Schemas, func(p string) bool { return pii.Matches(p, o.Schema) }) &&
		slices.ContainsFunc(w.Tables, func(p string) bool {
			if strings.Contains(p, ".") {
				return pii.Matches(p, o.Schema+"."+o.Table)
			}
			return pii.Matches(p, o.Table)
		})
}

// All says whether every one of the tables may be seen.
func (w Whitelist) All(objects []Object) bool {
	return !slices.ContainsFunc(objects, func(o Object) bool { return !w.Allows(o) })
}

// Everything says whether nothing is kept from the actor.
func (w Whitelist) Everything() bool {
	return slices.Contains(w.Schemas, "*") && slices.Contains(w.Tables, "*")
}

// HidesNothing says whether every role sees everything.
func (rules *Rules) HidesNothing() bool {
	return !slices.ContainsFunc(rules.Roles, func(r Role) bool { return !(Whitelist{Schemas: r.Schemas, Tables: r.Tables}).Everything() })
}

// MayWriteModel says whether somebody may change what the context files say: a person from whom nothing is kept, whose role is a
// steward's. Where no actor is named, whoever uses this computer is the author.
func (rules *Rules) MayWriteModel(a Actor) bool {
	role, ok := rules.Role(a.Role)
	return ok && a.Kind == Human && rules.Whitelist(a).Everything() && (role.Steward || len(rules.Actors) == 0)
}

// Visible gives those tables of a catalog that may be seen, in its order: what a gate that knows no patterns is given.
func (w Whitelist) Visible(catalog []Object) []Object {
	return slices.DeleteFunc(slices.Clone(catalog), func(o Object) bool { return !w.Allows(o) })
}

// Model cuts a model down to what may be seen. Tables that the model names without a schema are of defaultSchema; reads gives
// the tables of a SELECT that an entity stands on, as the gate finds them, none when they are not known. Whatever the actor
// may not see is named nowhere in what comes out.
//
// fault.Invalid: what is left does not hold together, and is not to be used.
func (w Whitelist) Model(m *semantic.Model, defaultSchema string, reads func(sql string) []Object) (*semantic.Model, error) {
	if w.Everything() {
		return m, nil
	}
	sees := func(table string) bool {
		schema, name, qualified := strings.Cut(table, ".")
		if !qualified {
			schema, name = defaultSchema, table
		}
		return w.Allows(Object{schema, name})
	}
	return semantic.Only(m, sees, func(sql string) []string {
		if reads == nil {
			return nil
		}
		var names []string
		for _, o := range reads(sql) {
			if o.Schema == "" {
				o.Schema = defaultSchema
			}
			names = append(names, o.Schema+"."+o.Table)
		}
		return names
	})
}
