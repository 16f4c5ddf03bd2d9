package analyst

import (
	"encoding/json"
	"slices"
)

// Of the results of tools these keys hold names of the model, kinds, counts and ids, and no value of the data. What is not listed does not go.
var valueless = map[string][]string{
	"list_families":         {"metric_families", "dimension_families", "verification_level", "name", "kind", "family", "derived", "anchor_locked", "primary_schema", "ip_reducers", "formula", "unit", "summary", "base_level", "members", "more_members", "has_derived_dims"},
	"describe_family":       {"kind", "name", "label", "description", "synonyms", "family_root", "schema", "column", "filter", "ip_reducers", "operator", "a_block", "derived", "formula", "inputs", "siblings", "time", "unit", "better", "additivity", "required_dims", "forbidden_grains", "split_by", "gotchas", "verification_status", "base_level", "members", "type", "personal", "summary", "hierarchies", "path", "derived_dimensions", "derived_from", "mapping_size", "leads_to", "metric_families", "dimension_families"},
	"propose_frame_ql":      {"frame_ql", "would_resolve", "predicted_served_from", "confidence", "alternatives"},
	"discover_fd_dag":       {"schema", "n_rows", "constants", "keys", "equivalence_classes", "edges", "graph_id"},
	"column_profile":        {"name", "schema", "dtype", "nunique", "n_rows", "null_rate", "cardinality_class", "kind_hint", "personal", "card_id"},
	"recall_artifact":       {"artifact_id", "kind", "frame_ql", "row_count"},
	"verification_level":    {"level", "level_none_count", "level_a_count", "level_aa_count", "level_aaa_count"},
	"execute_frame_ql":      {"frame_id", "frame_ql_executed", "frame_ql", "row_count", "served_from", "verification_level", "status"},
	"run_sql":               {"frame_id", "row_count", "verification_level", "status"},
	"narrate_frame":         {"frame_id"},
	"simulate_filter":       {"simulation_id", "status", "row_count", "frame", "frame_id", "comparison_id", "type"},
	"simulate_perturbation": {"simulation_id", "status", "row_count", "frame", "frame_id", "comparison_id", "type"},
	"simulate_goal_seek":    {"simulation_id", "status", "row_count", "frame", "frame_id", "comparison_id", "type"},
	"ask_user":              {"status"},
	"propose_followups":     {},
}

// ofProblems are the keys of a problem that hold none: what was asked for in vain is the model's own word, and what there is are names of the model.
var ofProblems = []string{"error_kind", "refusal_kind", "frame_ql", "repairs"}

// ofNames are the problems that are about names of the model.
var ofNames = []string{"unknown_family", "unknown_column", "unknown_tool", "duplicate_call", "too_many_calls", "timeout"}

// queries are the keys that hold Frame-QL, or expressions in which values stand in quotes.
var queries = []string{"frame_ql", "frame_ql_executed", "repairs", "filter", "formula", "column", "inputs"}

const leftOut = "Values of the data do not leave the machine of the person. \"[value 1]\" stands for one; write it in its place."

// result leaves of the result of a tool what holds no value of the data. What it does not know is left out.
func (w *withheld) result(tool, content string) string {
	var object map[string]any
	kept := map[string]any{}
	if json.Unmarshal([]byte(content), &object) == nil {
		keys := valueless[tool]
		if kind, failed := object["error_kind"].(string); failed {
			if keys = ofProblems; slices.Contains(ofNames, kind) {
				keys = append(slices.Clone(keys), "message", "name", "available", "suggestion")
			}
		}
		kept = w.listed(object, keys)
	}
	kept["left_out"] = leftOut
	raw, err := json.Marshal(kept)
	if err != nil {
		return `{}`
	}
	return string(raw)
}

// listed are the parts of an object whose keys are listed, down to its leaves.
func (w *withheld) listed(object map[string]any, keys []string) map[string]any {
	kept := map[string]any{}
	for k, v := range object {
		if slices.Contains(keys, k) {
			kept[k] = w.part(k, v, keys)
		}
	}
	return kept
}

func (w *withheld) part(key string, v any, keys []string) any {
	switch v := v.(type) {
	case map[string]any:
		return w.listed(v, keys)
	case []any:
		out := make([]any, 0, len(v))
		for _, one := range v {
			out = append(out, w.part(key, one, keys))
		}
		return out
	case string:
		if slices.Contains(queries, key) {
			return w.query(v)
		}
	}
	return v
}
