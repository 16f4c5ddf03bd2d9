package compile

// distinctBelowJoin counts the distinct values of a column that leads to an entity from groups by that column, which are
// joined afterwards: each value is there once, so that the rows need not be told apart group by group.
func distinctBelowJoin(c *compiler, root *step) (*step, bool, string) {
	return c.belowJoin(root, true)
}
