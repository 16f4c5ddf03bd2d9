package sqlgate

// systemColumns are in every table of PostgreSQL and tell about rows, transactions and other tables.
var systemColumns = map[string]bool{"ctid": true, "xmin": true, "xmax": true, "cmin": true, "cmax": true, "tableoid": true}

// column refuses the columns of the system, and a qualified name that the server would read as a call where no such column is: t.f is f(t).
func (w pgWalk) column(n node) {
	w.fields(n, "fields:n", nil)
	parts := n.get("fields").items()
	for i, f := range parts {
		name := f.value.get("String").str("sval")
		if systemColumns[name] {
			w.refuse(ruleColumn)
		}
		if i > 0 {
			w.part(name)
		}
	}
}

// selection refuses a part that is selected by name from anything but a column or a row of a table: the server reads (x).f as f(x)
// where x has no such part. Parts by number, and all parts, are no calls.
func (w pgWalk) selection(n node) {
	ofTable := !n.get("arg").get("ColumnRef").null()
	for _, p := range n.get("indirection").items() {
		name := p.value.get("String").str("sval")
		if name != "" && !ofTable {
			w.refuse(ruleFunction, "function", shown(name))
		}
		if systemColumns[name] {
			w.refuse(ruleColumn)
		}
		w.part(name)
	}
}

// part refuses the name of a part that is that of a refused function. Types are called too, and change nothing.
func (w pgWalk) part(name string) {
	if w.list.functions[name].has(refused) && !w.list.types[name] {
		w.refuse(ruleFunction, "function", shown(name))
	}
}
