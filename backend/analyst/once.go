package analyst

import (
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// sayOnce removes what an answer would say twice from each of its lists, and keeps the order. A list that was empty stays as it was.
func (a *Answer) sayOnce() {
	if u := a.Understood; u != nil {
		u.Assumptions, u.Confirm, u.Unread = distinct(u.Assumptions), distinct(u.Confirm), distinct(u.Unread)
		u.Carried, u.Dropped = once(u.Carried, partSaid), once(u.Dropped, partSaid)
	}
	a.Findings = once(a.Findings, func(f Finding) [3]string { return [3]string{f.Code, f.Status, f.Message} })
	if v := a.Verification; v != nil {
		v.Checks = once(v.Checks, func(c Check) Check { return c })
	}
	if a.Risk != nil {
		a.Risk.Reasons = distinct(a.Risk.Reasons)
	}
	a.Followups = once(a.Followups, func(f session.Followup) string { return f.Question })
	if c := a.Clarification; c != nil {
		c.Options = once(c.Options, func(o interpret.Choice) interpret.Choice { return o })
	}
	if f := a.Refusal; f != nil {
		f.Repairs = once(f.Repairs, func(r frameql.Repair) string { return r.FrameQL })
		f.All = once(f.All, func(r frameql.Refusal) [2]string { return [2]string{r.Code, r.Message} })
	}
}

func partSaid(p interpret.Part) [2]string { return [2]string{p.Text, p.FrameQL} }

func distinct(texts []string) []string { return once(texts, func(s string) string { return s }) }

// once returns the entries of a list without those whose key came before.
func once[T any, K comparable](list []T, key func(T) K) []T {
	seen := make(map[K]bool, len(list))
	kept := list[:0:0]
	for _, one := range list {
		if k := key(one); !seen[k] {
			seen[k] = true
			kept = append(kept, one)
		}
	}
	if len(kept) == len(list) {
		return list
	}
	return kept
}
