package semantic

import "slices"

// keyNoun gives what the key of a table is the number of, "school" of a column school_id; nil when its name does not say.
func (d *draft) keyNoun() []string {
	if len(d.t.Key) != 1 {
		return nil
	}
	key := d.column(d.t.Key[0])
	if key == nil {
		return nil
	}
	words := wordsOf(key.c)
	n := len(words) - 1
	if n < 1 || !slices.Contains([]string{"id", "key", "no", "number", "code"}, words[n]) {
		return nil
	}
	return words[:n]
}

// keyed says whether a column is called what the key is the number of: a column "school" beside the key "school_id".
func (d *draft) keyed(c *draftColumn) bool {
	noun := d.keyNoun()
	return noun != nil && slices.Equal(noun, wordsOf(c.c))
}

// callByKeys calls the members of a table what its key is the number of, when a column names each of them so and no other table is about them: the
// rows of "university" with the columns school_id and school are schools too.
func (p *proposal) callByKeys() {
	for _, d := range p.drafts {
		noun := d.keyNoun()
		if noun == nil {
			continue
		}
		named := slices.ContainsFunc(d.columns, func(c *draftColumn) bool {
			return c.c.Type == Text && d.t.Unique(c.c) && (slices.Equal(wordsOf(c.c), noun) || slices.Equal(wordsOf(c.c), append(slices.Clone(noun), "name")))
		})
		taken := slices.ContainsFunc(p.drafts, func(o *draft) bool {
			return hasSuffix(o.words, noun) || o != d && (slices.Contains(o.words, noun[len(noun)-1]) || slices.Equal(o.keyNoun(), noun))
		})
		if !named || taken {
			continue
		}
		one := &draft{words: noun}
		d.synonyms = append(d.synonyms, one.plural(), one.singular())
	}
}
