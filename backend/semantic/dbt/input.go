package dbt

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// input is how a metric uses a measure or another metric.
type input struct {
	name, alias string
	filters     []string
	offset      *semantic.Span
	toStart     string
	zero        bool // fill_nulls_with: 0
	spine       bool // join_to_timespine
}

// plain says whether the input is taken as it stands.
func (i input) plain() bool {
	return i.alias == "" && len(i.filters) == 0 && i.offset == nil && i.toStart == ""
}

// readInput reads a name, or a mapping with what is attached to it.
func readInput(n *node) (input, error) {
	if n == nil {
		return input{}, cannot(text.Say("dbt.no_input"))
	}
	if n.kind == nodeScalar {
		return input{name: strings.TrimSpace(n.text)}, nil
	}
	i := input{
		name: n.say("name"), alias: n.say("alias"), filters: filters(n, "filter"), offset: span(n, "offset_window"),
		toStart: strings.ToLower(n.say("offset_to_grain")), spine: n.flag("join_to_timespine"),
	}
	if n.at("offset_window") != nil && i.offset == nil && !n.fields["offset_window"].empty() {
		return i, cannot(text.Say("dbt.bad_window"))
	}
	var err error
	i.zero, err = zero(n)
	return i, err
}

// zero reads fill_nulls_with, of which only 0 can be said.
func zero(n *node) (bool, error) {
	switch v := n.say("fill_nulls_with"); v {
	case "":
		return false, nil
	case "0", "0.0":
		return true, nil
	default:
		return false, cannot(text.Say("dbt.fill_value", "value", v))
	}
}
