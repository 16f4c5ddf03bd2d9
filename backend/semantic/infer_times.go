package semantic

import (
	"slices"
	"strings"
)

// proposeTimes gives every entity the date that "in 1997" speaks of: its own best one, else that of the nearest entity
// that its rows belong to.
func (p *proposal) proposeTimes() {
	eventful := map[*draft]bool{}
	for _, d := range p.drafts {
		best, score := -1, 0
		for i, c := range d.columns {
			if s := timeScore(d, c); c.c.Type.Temporal() && (best < 0 || s > score) {
				best, score = i, s
			}
		}
		if best < 0 {
			continue
		}
		if eventful[d] = score > 0; score > unfitTime {
			d.time = d.columns[best].name
		}
		for i, c := range d.columns {
			if (i != best || d.time == "") && c.c.Type.Temporal() {
				d.others = append(d.others, c.name)
			}
		}
	}
	for _, d := range p.drafts {
		if d.time == "" || !eventful[d] {
			if near := p.nearestTime(d, eventful); near != nil {
				if d.time != "" {
					d.others = append([]string{d.time}, d.others...)
				}
				d.time = near.name + "." + near.time
			}
		}
	}
}

// unfitTime is the score of a date that questions never mean when they name none: a birthday.
const unfitTime = -4

// timeScore judges a date by name: when the thing itself happened, not when it was due, changed or born.
func timeScore(d *draft, c *draftColumn) int {
	words := wordsOf(c.c)
	score := 0
	if c.c.Distinct == 0 || d.t.Rows > 0 && 2*c.c.Nulls > d.t.Rows {
		score -= 3
	}
	for _, w := range words {
		switch {
		case slices.Contains(d.words, w):
			score += 3
		case eventWords[w]:
			score += 2
		case laterWords[w]:
			score -= 3
		case bornWords[w]:
			score -= 8
		case joinedWords[w]:
			score -= 2
		}
	}
	if len(words) == 1 && (words[0] == "date" || words[0] == "day" || words[0] == "timestamp" || words[0] == "time" || words[0] == "datetime") {
		score += 4
	}
	return score + 1
}

var (
	eventWords  = set("order ordered created sold sale sales invoice invoiced transaction posted booking booked purchase purchased event start started payment paid placed issued recorded visit signed")
	laterWords  = set("due required ship shipped delivery delivered modified updated update changed end ended expiry expires expiration closed cancelled canceled returned deleted valid last completed resolved")
	bornWords   = set("birth birthday dob born death died")
	joinedWords = set("hire hired joined founded established since")
)

// nearestTime finds, across many-to-one edges that need no role, the nearest entity whose own date says when something
// happened; among equally near ones the one with the most rows, and none when they tie.
func (p *proposal) nearestTime(d *draft, eventful map[*draft]bool) *draft {
	seen := map[*draft]bool{d: true}
	level := []*draft{d}
	for len(level) > 0 {
		var next, found []*draft
		for _, at := range level {
			for _, e := range p.edges {
				if e.from != at || seen[e.to] || e.role != "" {
					continue
				}
				seen[e.to] = true
				next = append(next, e.to)
				if eventful[e.to] && !strings.Contains(e.to.time, ".") {
					found = append(found, e.to)
				}
			}
		}
		if len(found) > 0 {
			slices.SortStableFunc(found, func(a, b *draft) int { return int(max(min(b.t.Rows-a.t.Rows, 1), -1)) })
			if len(found) > 1 && found[0].t.Rows == found[1].t.Rows {
				return nil
			}
			return found[0]
		}
		level = next
	}
	return nil
}
