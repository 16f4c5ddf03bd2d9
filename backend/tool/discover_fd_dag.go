package tool

import (
	"context"
	"strconv"

	"assay/backend/session"
	"assay/backend/text"
)

type dependenciesArguments struct {
	Schema  string   `json:"schema" doc:"The entity" most:"200"`
	Columns []string `json:"columns,omitempty" doc:"Only among these dimensions; at least two" most:"40"`
	Show    bool     `json:"show,omitempty" doc:"Show the person a graph of it, too"`
}

type dependenciesBody struct {
	Schema     string      `json:"schema"`
	Rows       int64       `json:"n_rows"`
	Constants  []string    `json:"constants"`
	Keys       [][]string  `json:"keys"`
	Equivalent [][]string  `json:"equivalence_classes"`
	Edges      [][2]string `json:"edges"` // from, to: the first determines the second
	GraphID    string      `json:"graph_id,omitempty"`
	Note       string      `json:"note,omitempty"`
}

func discoverFDDAG() Tool {
	return define("discover_fd_dag", true, func(ctx context.Context, d *Desk, a dependenciesArguments) (Result, error) {
		e := d.Model.Entity(a.Schema)
		if e == nil {
			return problem(unknown("unknown_family", "tool.no_entity", a.Schema, entityNames(d.Model)))
		}
		var columns []string
		for _, c := range a.Columns {
			_, dim, p := dimensionOf(d.Model, e.Name, c)
			if p != nil {
				return problem(p)
			}
			columns = append(columns, dim.Name)
		}
		if len(columns) == 1 {
			return problem(wrong("columns", text.Say("tool.argument_few", "field", "columns", "least", 2)))
		}
		if d.Dependencies == nil {
			return absent("discover_fd_dag")
		}
		found, err := d.Dependencies(ctx, e.Name, columns)
		if err != nil {
			return unmeasured(err, e.Name)
		}
		b := &dependenciesBody{Schema: name(e.Name), Rows: found.Rows, Constants: names(found.Constants), Keys: [][]string{}, Equivalent: [][]string{}, Edges: [][2]string{}}
		for _, key := range found.Keys {
			b.Keys = append(b.Keys, names(key))
		}
		for _, class := range found.Equivalent {
			b.Equivalent = append(b.Equivalent, names(class))
		}
		for _, edge := range found.Edges {
			b.Edges = append(b.Edges, [2]string{name(edge.From), name(edge.To)})
		}
		if found.Left > 0 {
			b.Note = text.Say("tool.columns_left", "n", found.Left)
		}
		r := Result{}
		if a.Show && d.Show != nil {
			id, err := d.Show(session.KindStructure, e.Label, structureOf(found))
			if err != nil {
				return failed(err)
			}
			b.GraphID, r.Made = id, made(id)
		}
		r.Body = fitted(b, MostBytes, text.Say("tool.narrow_columns"))
		return r, nil
	})
}

// structureOf is what columns determine of each other as a graph. Columns that determine each other are one node.
func structureOf(found Dependencies) session.Structure {
	s := session.Structure{Type: "dependencies", Nodes: []session.StructureNode{}, Edges: []session.StructureEdge{}}
	seen := map[string]bool{}
	node := func(column string) {
		if seen[column] {
			return
		}
		seen[column] = true
		label := column
		for _, class := range found.Equivalent {
			if len(class) > 0 && class[0] == column {
				label = ""
				for i, member := range class {
					if i > 0 {
						label += " = "
					}
					label += member
				}
			}
		}
		s.Nodes = append(s.Nodes, session.StructureNode{ID: column, Label: clean(label, longestText), Object: "dimension/" + found.Entity + "." + column})
	}
	for _, edge := range found.Edges {
		node(edge.From)
		node(edge.To)
		s.Edges = append(s.Edges, session.StructureEdge{ID: strconv.Itoa(len(s.Edges)), From: edge.From, To: edge.To, ToOne: true, Holds: 1})
	}
	for _, class := range found.Equivalent {
		if len(class) > 0 {
			node(class[0])
		}
	}
	return s
}
