package rules

import (
	"strings"

	"assay/backend/rules/pii"
	"assay/backend/text"
)

func (rules *Rules) personal(r *reading, file string, raw []byte) {
	f := r.document(file, raw, "columns", "off", "name_words")
	if f == nil {
		return
	}
	if nodes := f.items("columns"); len(nodes) > 0 {
		rules.PII.Columns = nil
		for _, n := range nodes {
			s := r.mapping(file, named("rules.object_column", n, "match"), n, "match", "kind")
			if s == nil {
				continue
			}
			match, kind := s.required("match"), s.required("kind")
			s.choice("kind", &kind, append(pii.Kinds(), string(pii.None))...)
			if match != "" && !strings.Contains(match, ".") {
				s.fail("match", text.Say("rules.want_column", "value", match), text.Say("rules.want_column_hint"))
			}
			rules.PII.Columns = append(rules.PII.Columns, pii.ColumnRule{Match: match, Kind: pii.Kind(kind)})
		}
	}
	if words, ok := f.words("off"); ok && len(words) > 0 {
		rules.PII.Off = nil
		for _, w := range f.known("off", words, pii.Detected()) {
			rules.PII.Off = append(rules.PII.Off, pii.Kind(w))
		}
	}
	if words, ok := f.words("name_words"); ok {
		rules.PII.NameWords = words
	}
}
