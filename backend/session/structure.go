package session

// Structure is the body of an artifact of kind structure: a small graph of what depends on what, or of what joins what. It is laid
// out from left to right along its edges by whoever shows it.
type Structure struct {
	Type  string          `json:"type" enum:"joins,dependencies,hierarchy" doc:"joins: entities, and from many to one; dependencies: from a column to what it determines; hierarchy: from the finer level to the coarser"`
	Nodes []StructureNode `json:"nodes" doc:"At most a few hundred can be read"`
	Edges []StructureEdge `json:"edges"`
}

// StructureNode is an entity, a column, or a level.
type StructureNode struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Note     string `json:"note" doc:"Small words: 830 rows, 91 values; empty: none"`
	Inferred bool   `json:"inferred" doc:"Nobody has confirmed it"`
	Object   string `json:"object" doc:"Id of the object in the model, which can be opened; empty: none"`
}

// StructureEdge leads from one node to another.
type StructureEdge struct {
	ID    string  `json:"id"`
	From  string  `json:"from"`
	To    string  `json:"to"`
	Label string  `json:"label" doc:"The role of a join, or empty"`
	ToOne bool    `json:"to_one" doc:"Along it each row, or value, has at most one partner"`
	Holds float64 `json:"holds" minimum:"0" maximum:"1" doc:"Share of the rows for which it is true; 1: all of them"`
}
