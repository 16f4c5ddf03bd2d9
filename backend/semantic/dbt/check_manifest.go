package dbt

import (
	"regexp"
	"strconv"

	"assay/backend/fault"
	"assay/backend/text"
)

// The versions of dbt's manifest that were tried. Those before have no semantic models.
const (
	firstVersion = 10
	lastVersion  = 12
)

var schemaVersion = regexp.MustCompile(`/([a-z-]+)/v(\d+)\.json$`)

// manifestLists are the parts of a manifest that are lists, or objects of their items by id.
var manifestLists = []string{"nodes", "semantic_models", "metrics", "saved_queries", "exposures", "sources", "groups", "unit_tests"}

// checkManifest looks at the outside of a manifest: that it is one, of a known version, and that its lists hold objects. What
// holds something else is named and left out; a list that is none is an error, for nothing could be said of what it holds.
func (p *project) checkManifest(n *node) error {
	file := n.pos.File
	bad := func(what string) error {
		return fault.New(fault.Invalid, "import dbt", text.Say("dbt.unreadable", "file", file, "what", what), text.Say("dbt.no_manifest_hint"))
	}
	if n.kind != nodeMapping {
		return bad(text.Say("dbt.not_an_object", "kind", n.kindWord()))
	}
	if m := schemaVersion.FindStringSubmatch(n.say("metadata", "dbt_schema_version")); m != nil {
		v, _ := strconv.Atoi(m[2])
		switch {
		case m[1] != "manifest":
			return bad(text.Say("dbt.other_artifact", "kind", m[1]))
		case v < firstVersion && len(n.list("semantic_models")) == 0:
			return fault.New(fault.Invalid, "import dbt", text.Say("dbt.old_version", "file", file, "version", m[2]), text.Say("dbt.old_version_hint"))
		case v < firstVersion || v > lastVersion:
			p.say("", n.pos, text.Say("dbt.unknown_version", "version", m[2], "first", firstVersion, "last", lastVersion))
		}
	}
	for _, key := range manifestLists {
		f := n.field(key)
		if f == nil {
			continue
		}
		if f.kind == nodeScalar {
			return bad(text.Say("dbt.not_a_list", "key", key, "kind", f.kindWord()))
		}
		p.onlyObjects(f, key)
	}
	return nil
}

// onlyObjects takes out of a list what is no object, and names it.
func (p *project) onlyObjects(list *node, key string) {
	var items []*node
	for i, x := range list.items {
		if x.kind == nodeMapping || x.kind == nodeNull {
			items = append(items, x)
			continue
		}
		p.lost(key+"["+strconv.Itoa(i+1)+"]", x.pos, text.Say("dbt.not_an_object", "kind", x.kindWord()))
	}
	list.items = items
	var keys []string
	for _, k := range list.keys {
		x := list.fields[k]
		if x.kind == nodeMapping || x.kind == nodeNull {
			keys = append(keys, k)
			continue
		}
		p.lost(key+"."+k, x.pos, text.Say("dbt.not_an_object", "kind", x.kindWord()))
	}
	list.keys = keys
}

// kindWord says what a value is, for a message.
func (n *node) kindWord() string {
	switch n.kind {
	case nodeScalar:
		return text.Say("dbt.kind_value")
	case nodeMapping:
		return text.Say("dbt.kind_object")
	case nodeList:
		return text.Say("dbt.kind_list")
	}
	return text.Say("dbt.kind_nothing")
}
