package review

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/semantic"
	"assay/backend/text"
)

// ProjectSays is what the project that the model was read from says about the word of an item, or about the metric that it means, beside what it would mean here.
type ProjectSays struct {
	From        string `json:"from" doc:"What was imported: dbt manifest sha256:..., shortened"`
	Verdict     string `json:"verdict" enum:"same,differs,left_out,absent" doc:"left_out: the project has it, and the model could not take it"`
	Note        string `json:"note" doc:"A sentence that says so"`
	Object      string `json:"object" doc:"What of the project is meant: metric revenue; empty: nothing"`
	Description string `json:"description" doc:"How the project describes it"`
	There       string `json:"there" doc:"How the project computes it; empty: it is absent, or was left out"`
	Here        string `json:"here" doc:"How it is computed here: what the item says, or the metric that it means"`
	Place       string `json:"place" doc:"In the project: manifest.json:12; empty: it is absent"`
}

// project compares an item that gives a word a meaning with what an import noted of its project; nil: none was imported, or by a version that noted nothing.
func project(m *semantic.Model, i knowledge.Item, says interpret.Compiled, understood bool) *ProjectSays {
	if len(m.Registry.Project) == 0 {
		return nil
	}
	out := &ProjectSays{From: shortHash(m.Registry.GeneratedFrom), Verdict: "absent", Here: i.Means}
	if understood {
		out.Here = computed(m, says)
	}
	stated := find(m.Registry.Project, func(x semantic.Stated) bool { return sameWord(i.Term, x.Name, x.Label) })
	same, differs := "review.project_same", "review.project_differs"
	if stated == nil { // it says nothing of the word, but perhaps of what it means
		stated = find(m.Registry.Project, func(x semantic.Stated) bool { return x.Kind == "metric" && slices.Contains(says.Names, x.Name) })
		same, differs = "review.project_means_same", "review.project_means_differs"
	}
	if stated == nil {
		out.Note = text.Say("review.project_absent", "term", i.Term)
		return out
	}
	out.Object = text.Say("semantic.object_metric", "name", stated.Name)
	if stated.Kind == "measure" {
		out.Object = text.Say("dbt.object_measure", "name", stated.Name)
	}
	out.There, out.Description, out.Place = stated.Says, stated.Description, stated.Place
	switch {
	case stated.Says == "":
		out.Verdict = "left_out"
		out.Note = text.Say("review.project_left_out", "object", out.Object, "why", cmp.Or(stated.LeftOut, text.Say("review.project_left_why")))
	case understood && alike(*stated, out.Here):
		out.Verdict = "same"
		out.Note = text.Say(same, "object", out.Object, "term", i.Term)
	default:
		out.Verdict = "differs"
		out.Note = text.Say(differs, "object", out.Object, "term", i.Term)
	}
	return out
}

// find gives the first that is meant, a metric before a measure of the same name.
func find(all []semantic.Stated, is func(semantic.Stated) bool) *semantic.Stated {
	var found *semantic.Stated
	for n := range all {
		if x := &all[n]; is(*x) && (found == nil || found.Kind == "measure" && x.Kind == "metric") {
			found = x
		}
	}
	return found
}

// computed says how something is computed here: the definition of the metric that it names, or what it compiles to.
func computed(m *semantic.Model, says interpret.Compiled) string {
	if len(says.Names) == 1 && says.Period == "" {
		if x := m.Metric(says.Names[0]); x != nil {
			return x.Definition()
		}
	}
	return saysOf(says)
}

// alike says whether a project computes something as it is computed here. A measure says nothing of what no rows are.
func alike(there semantic.Stated, here string) bool {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	a, b := plain(there.Says), plain(here)
	if a == b {
		return true
	}
	rest, begins := strings.CutPrefix(b, a)
	return there.Kind == "measure" && begins && strings.HasPrefix(rest, "; empty_is: ") && !strings.Contains(rest[1:], ";")
}

// shortHash keeps so much of the hash in "dbt manifest sha256:..." that it can be told from others.
func shortHash(from string) string {
	kind, hash, ok := strings.Cut(from, " sha256:")
	if !ok {
		return from
	}
	return kind + " sha256:" + hash[:min(12, len(hash))]
}
