package interpret

import "assay/backend/frameql"

// patchShare is "as a percentage": each number as its share of the whole.
func patchShare(p *patch) {
	if !p.u.cues["share"] {
		return
	}
	if len(p.numbers) != 1 || len(p.columns) == 0 {
		p.broken = true
		return
	}
	e := p.query.Select[p.numbers[0]].Expr
	if e.Fn != "" {
		p.broken = true
		return
	}
	p.query.Select = append(p.query.Select, frameql.Item{Expr: &frameql.Expr{Fn: "share", Of: e}})
	p.did(PatchShare)
}
