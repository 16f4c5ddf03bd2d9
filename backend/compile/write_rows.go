package compile

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// rows begins a SELECT with the rows of a source and the joins that are needed, LEFT unless a rewrite showed that no row
// is lost.
func (w *writer) rows(b *block, s *step, sc *scope) {
	nodes := s.source.Nodes
	need := s.neededNodes()
	for i, n := range nodes {
		if !need[i] {
			continue
		}
		sc.nodes[i] = len(b.items)
		it := item{alias: b.names.alias(n.Entity), text: w.numbered(s, i), base: true}
		if s.served != nil { // of the cache: catalogue, schema and table
			it.text = w.dotted(n.Table)
		}
		if i > 0 {
			it.join = joinLeft
			if s.inner != nil && s.inner[i] {
				it.join = joinInner
			}
			for _, p := range n.On {
				it.on = append(it.on, compare("=", sc.scalar(p.Parent), sc.scalar(p.Own)))
			}
		}
		b.items = append(b.items, it)
	}
}

// joined is an input that is joined: a table itself where the step reads no more than its columns.
func (w *writer) joined(b *block, in *step, kind joinKind) item {
	if kind != joinLeft && kind != joinInner || !in.isTable() || w.written[in] != "" {
		name := w.step(in)
		return item{join: kind, text: name, alias: b.names.alias(name)}
	}
	n := in.source.Nodes[0]
	return item{join: kind, text: w.numbered(in, 0), alias: b.names.alias(n.Entity), base: true}
}

// isTable says whether a step is nothing but columns of one table.
func (s *step) isTable() bool {
	if s.source == nil || slices.Contains(s.neededNodes()[1:], true) || s.grouped || len(s.where)+len(s.in)+len(s.order) > 0 || s.limit >= 0 || s.offset > 0 {
		return false
	}
	return !slices.ContainsFunc(s.cols, func(c column) bool { return c.x == nil || c.x.Op != "col" || c.x.Text != c.name })
}

// neededNodes says which nodes of the source the step reads: those it names, and those on the way to them.
func (s *step) neededNodes() []bool {
	nodes := s.source.Nodes
	need := make([]bool, len(nodes))
	need[0] = true
	var mark func(*Scalar)
	reach := func(n int) {
		for n >= 0 && !need[n] {
			need[n] = true
			for _, p := range nodes[n].On {
				p.Parent.each(mark)
			}
			n = nodes[n].Parent
		}
	}
	mark = func(x *Scalar) {
		switch {
		case x.Op == "col":
			reach(x.Node)
		case x.step != nil: // what a subquery takes from here
			x.step.scalars(func(y *Scalar) {
				if y.Op == "outer" {
					y.Args[0].each(mark)
				}
			})
		}
	}
	outside := map[*Scalar]bool{} // of the row around a subquery: columns of another source
	s.scalars(func(x *Scalar) {
		if x.Op == "outer" {
			x.each(func(y *Scalar) { outside[y] = true })
		}
		if !outside[x] {
			mark(x)
		}
	})
	return need
}

// numbered writes the table of a node, with the places of its rows where the step reads them. The engine counts the rows of a table in the order
// in which they were stored, before any of them is left out.
func (w *writer) numbered(s *step, i int) string {
	table := w.table(s.source.Nodes[i])
	placed := false
	s.scalars(func(x *Scalar) {
		placed = placed || x.Op == "col" && x.Node == i && x.Text == semantic.RowPlace
	})
	if !placed || s.served != nil {
		return table
	}
	return "(\nSELECT *, row_number() OVER () AS " + w.d.name(semantic.RowPlace) + "\nFROM " + table + "\n)"
}

// table writes the table of a node, or the SELECT of the model's author byte by byte: its line breaks may stand in a
// literal, so a mark holds its place until the layout is done.
func (w *writer) table(n Node) string {
	if n.SQL == "" {
		return w.d.table(n.Table)
	}
	sql := strings.TrimRight(strings.TrimSpace(n.SQL), "; \n\t")
	if !strings.ContainsAny(sql, "'\"$`") {
		return "(\n" + indent(sql) + "\n)"
	}
	for mark, author := range w.authors {
		if author == "(\n"+sql+"\n)" {
			return mark
		}
	}
	mark := "\x01" + itoa(len(w.authors)) + "\x01" // a character that neither names nor literals are written with
	w.authors[mark] = "(\n" + sql + "\n)"
	return mark
}

func (w *writer) dotted(table string) string {
	parts := strings.Split(table, ".")
	for i, p := range parts {
		parts[i] = w.d.name(p)
	}
	return strings.Join(parts, ".")
}

// seriesItem begins a SELECT with a series of buckets.
func (w *writer) seriesItem(b *block, s *step, sc *scope) {
	cut := s.series.cut
	name := s.cols[0].name
	alias := b.names.alias("buckets")
	if cut.Text == "hour" {
		w.need(canTimes)
	}
	sc.inputs[0] = len(b.items)
	if len(cut.Buckets) > 0 {
		var dates []string
		for _, u := range cut.Buckets {
			dates = append(dates, u.From.Format("2006-01-02"))
		}
		b.items = append(b.items, item{alias: alias, text: w.d.values(dates, alias, name)})
		start := ref(0, name, semantic.Date)
		if first := s.series.first; first != nil && cutsLike(cut, first) {
			b.where = append(b.where, compare(">", bucketEnd(cut, start), uncut(first)))
		} else if first != nil {
			b.where = append(b.where, compare(">=", start, first))
		}
		if last := s.series.last; last != nil && cutsLike(cut, last) {
			b.where = append(b.where, compare("<=", start, uncut(last)))
		} else if last != nil {
			b.where = append(b.where, compare("<=", start, last))
		}
		return
	}
	w.need(canSeries)
	unit := strings.TrimPrefix(cut.Text, "fiscal_")
	text := func(x *Scalar) string { return w.expr(x, b).sql }
	b.items = append(b.items, item{alias: alias, text: w.d.series(text(s.series.first), text(s.series.last), unit, s.cols[0].typ, alias, name)})
}

// cutsLike says whether a bound is a time cut to the buckets of a series. Such a time is compared itself: a ladder writes its
// argument once for each bucket, and this one is a subquery.
func cutsLike(cut, x *Scalar) bool {
	return x.Op == "trunc" && len(x.Buckets) > 0 && x.Text == cut.Text && x.N == 0 && x.Param == ""
}

// uncut gives the time, on the clock of its cut.
func uncut(x *Scalar) *Scalar {
	s := *x
	s.Text, s.Shift, s.Buckets, s.Type = "", 0, nil, semantic.Timestamp
	return &s
}

// need notes that a capability is used.
func (w *writer) need(c capability) {
	for _, m := range w.d.missing() {
		if m == c {
			w.lacks[c] = true
		}
	}
}
