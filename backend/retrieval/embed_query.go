package retrieval

import (
	"math"
	"regexp"
	"strings"
	"sync"
)

// Pieces of Frame-QL: a quoted string, a date or number, a name with its dots, a sign.
var queryPiece = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|\d[\d.\-]*|[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*|[<>=!]+|[*/+]`)
})

// Keywords of Frame-QL that begin a clause, and those that only connect.
var (
	clauseWords = map[string]bool{
		"with": true, "select": true, "at": true, "from": true, "where": true, "during": true, "compare": true, "having": true, "top": true,
		"fill": true, "totals": true, "order": true, "limit": true, "options": true,
	}
	connecting = map[string]bool{"as": true, "and": true, "by": true, "to": true, "on": true, "asc": true, "explain": true, "offset": true}
	keywords   = map[string]bool{
		"or": true, "not": true, "in": true, "between": true, "like": true, "contains": true, "starts": true, "is": true, "null": true, "filter": true,
		"desc": true, "per": true, "any": true, "all": true, "no": true, "sum": true, "avg": true, "min": true, "max": true, "count": true, "median": true,
		"percentile": true, "stddev": true, "first": true, "last": true, "prev": true, "delta": true, "pct_change": true, "share": true, "cumulative": true,
		"moving": true, "rank": true, "index": true, "distinct": true, "previous": true, "period": true, "same": true, "this": true, "including": true,
		"current": true, "today": true, "yesterday": true, "ytd": true, "qtd": true, "mtd": true, "wtd": true, "time": true, "target": true, "ignoring": true,
		"filters": true, "zero": true, "none": true, "other": true, "day": true, "week": true, "month": true, "quarter": true, "year": true,
	}
)

// query takes Frame-QL apart: which names stand in which clause, which clauses there are, and hardly which literals.
func (f features) query(text string) {
	clause := "select"
	counted, weights := map[string]float64{}, map[string]float64{}
	put := func(name string, weight float64) {
		counted[name]++
		weights[name] = weight
	}
	for _, piece := range queryPiece().FindAllString(text, -1) {
		word := plain(piece)
		if word == "" {
			continue
		}
		switch first := word[0]; {
		case clauseWords[word]:
			clause = word
			put("c:"+clause, keywordWeight)
		case connecting[word]:
		case keywords[word]:
			put("k:"+clause+" "+word, keywordWeight)
		case first == '\'' || first >= '0' && first <= '9':
			put("l:"+clause+" ?", literalWeight)
			put("l:"+clause+" "+word, literalWeight)
		case strings.ContainsAny(word, "<>=!*/+"):
			put("k:"+clause+" "+word, keywordWeight/2)
		default:
			name := strings.Trim(word, `"`)
			put("m:"+clause+" "+name, nameWeight)
			last := name[strings.LastIndex(name, ".")+1:]
			parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '_' || r == ' ' })
			for _, part := range parts {
				put("q:"+stem(part), nameWeight*0.4/math.Sqrt(float64(len(parts))))
			}
			put("m:"+last, nameWeight*0.3)
		}
	}
	for name, n := range counted {
		f.add(name, weights[name]*(1+math.Log(n)))
	}
}
