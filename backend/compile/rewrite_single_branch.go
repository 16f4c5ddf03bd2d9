package compile

import "assay/backend/text"

// singleBranch names the only scan of a query "grouped", and says why nothing is stacked: one scan gives every number, so
// that its groups are the rows of the result already.
func singleBranch(_ *compiler, root *step) (*step, bool, string) {
	var scans []*step
	stacked := false
	for _, s := range walk(root) {
		if s.scan != nil {
			scans = append(scans, s)
		}
		stacked = stacked || s.kind == kindStack
	}
	if len(scans) != 1 || stacked {
		return root, false, text.Count("compile.several_branches", int64(len(scans)), "n", len(scans))
	}
	scans[0].name = "grouped"
	return root, true, text.Say("compile.single_branch")
}
