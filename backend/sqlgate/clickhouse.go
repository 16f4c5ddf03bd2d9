package sqlgate

func checkClickHouse(w *walk, _ []token) { w.refuse(ruleNode) }
