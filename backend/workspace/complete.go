package workspace

import "assay/backend/interpret"

// completions is how many ways to go on with a question are offered at once.
const completions = 8

// Complete gives ways to go on with a question that is being written, from the index that questions are read with.
func (w *Workspace) Complete(question string) []interpret.Completion {
	return w.Knowledge().Index.Complete(question, completions)
}
