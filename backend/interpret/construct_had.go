package interpret

import "assay/backend/semantic"

// hadRows gives the entity whose rows members have, where only the last word of its name says so: driver records in
// "drivers who have records". nil: there is none beside the members, or it is not clear which.
func (d *draft) hadRows(i int, host *semantic.Entity) *semantic.Entity {
	p := d.pieces[i]
	if !d.free(i) || p.to != p.from+1 || !d.ix.isHad(d.tokens, p.from) || !d.hostBefore(i, host) {
		return nil
	}
	var found *semantic.Entity
	nearest, tie := 0, false
	for k := range d.ix.model.Entities {
		e := &d.ix.model.Entities[k]
		ws := d.ix.english.singulars(words(labelOf(e.Label, e.Name)))
		hops, ok := d.ix.paths.distance(e.Name, host.Name)
		if !ok || hops == 0 || len(ws) < 2 || ws[len(ws)-1] != d.tokens[p.from].lemma {
			continue
		}
		if found == nil || hops < nearest {
			found, nearest, tie = e, hops, false
		} else if hops == nearest {
			tie = true
		}
	}
	if tie {
		return nil
	}
	return found
}
