package reuse

import "assay/backend/compile"

// Clauses lists what can be left out of the rule, to see that each part of it is needed.
var Clauses = map[string]uint32{
	"model": uint32(clauseModel), "joins": uint32(clauseJoins), "epoch": uint32(clauseEpoch), "leaf": uint32(clauseLeaf),
	"reduce": uint32(clauseReduce), "dimension": uint32(clauseDimension), "grain": uint32(clauseGrain), "zone": uint32(clauseZone),
	"calendar": uint32(clauseCalendar), "aligned": uint32(clauseAligned), "covered": uint32(clauseCovered),
	"implied": uint32(clauseImplied), "residual": uint32(clauseResidual), "policy": uint32(clausePolicy), "distinct": uint32(clauseDistinct),
}

// MatchWithout matches with a clause left out.
func (x *Index) MatchWithout(b compile.Branch, now Facts, off uint32) (*compile.Served, Reason) {
	return x.match(&b, now, clauses(off))
}
