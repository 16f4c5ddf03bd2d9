package semantic

import (
	"regexp"
	"strings"
)

// WriteYAML writes the context layer of a model as files, by path relative to the workspace's folder: everything under
// context/. Loading them (with the workspace's own file and memo) gives the same model. Labels and other defaults are
// written out, so that a reviewer sees them. On what a proposal rests is written as comments.
func WriteYAML(m *Model) map[string][]byte {
	files := map[string][]byte{}
	add := func(folder, name, extension string, body []byte) {
		base := ContextFolder + "/" + folder + "/" + unsafeInFile.ReplaceAllString(name, "-")
		file := base + extension
		for i := '2'; files[file] != nil; i++ {
			file = base + "-" + string(i) + extension
		}
		files[file] = body
	}
	files[ContextFolder+"/registry.yaml"] = writeRegistry(m)
	for i := range m.Entities {
		add("entities", m.Entities[i].Name, ".yaml", writeEntity(&m.Entities[i]))
	}
	for i := range m.Metrics {
		add("metrics", m.Metrics[i].Name, ".yaml", writeMetric(&m.Metrics[i]))
	}
	for i := 0; i < len(m.Joins); {
		from := i
		for i < len(m.Joins) && m.Joins[i].From == m.Joins[from].From {
			i++
		}
		add("join-paths", m.Joins[from].From, ".yaml", writeJoins(m.Joins[from:i]))
	}
	for i := range m.Gotchas {
		add("gotchas", m.Gotchas[i].Name, ".yaml", writeGotcha(&m.Gotchas[i]))
	}
	for i := range m.Golden {
		add("golden", m.Golden[i].Name, ".yaml", writeGolden(&m.Golden[i]))
	}
	for i := range m.Terms {
		add("terms", m.Terms[i].Name, ".yaml", writeTerm(&m.Terms[i]))
	}
	for _, g := range m.Guides {
		add("domains", g.Name, ".md", []byte(g.Text))
	}
	for _, g := range m.Business {
		add("business", g.Name, ".yaml", []byte(g.Text))
	}
	return files
}

var unsafeInFile = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// WriteWorkspaceYAML writes workspace.yaml.
func WriteWorkspaceYAML(f *WorkspaceFile) []byte {
	w := &yamlWriter{}
	w.text("workspace", f.Name)
	w.text("label", f.Settings.Label)
	quoted := make([]string, len(f.Sources))
	for i, s := range f.Sources {
		quoted[i] = scalarYAML(s)
	}
	w.items("sources", quoted)
	w.text("time_zone", f.Settings.TimeZone)
	w.text("week_start", f.Settings.WeekStart)
	w.text("currency", f.Settings.Currency)
	w.text("calendar", f.Settings.Calendar)
	var calendars []string
	for _, c := range f.Calendars {
		calendars = append(calendars, calendarYAML(&c))
	}
	w.items("calendars", calendars)
	w.text("partial", f.Settings.Partial)
	questions := make([]string, len(f.Settings.Questions))
	for i, q := range f.Settings.Questions {
		questions[i] = scalarYAML(q)
	}
	w.items("questions", questions)
	w.text("exchange", f.Exchange)
	w.text("exchange_remote", f.ExchangeRemote)
	w.text("model", f.Mind)
	return w.bytes()
}

func ownerYAML(o *Owner) string {
	f := &flow{}
	if o != nil {
		f.text("name", o.Name)
		f.number("response_hours", o.ResponseHours)
	}
	return f.String()
}

func freshnessYAML(v *Freshness) string {
	f := &flow{}
	if v != nil {
		f.text("validated", v.Validated)
		f.number("every_days", v.EveryDays)
	}
	return f.String()
}

func writeEntity(e *Entity) []byte {
	w := &yamlWriter{}
	w.text("entity", e.Name)
	w.text("label", e.Label)
	w.text("description", e.Description)
	w.list("synonyms", e.Synonyms)
	w.text("domain", e.Domain)
	w.text("parent", e.Parent)
	source := &flow{}
	source.text("table", e.Source.Table)
	source.text("sql", e.Source.SQL)
	w.put("source", source.String())
	w.list("key", e.Key)
	w.text("display", e.Display)
	times := &flow{}
	times.text("default", e.DefaultTime)
	times.list("others", e.OtherTimes)
	w.put("time", times.String())
	w.put("owner", ownerYAML(e.Owner))
	w.put("freshness", freshnessYAML(e.Freshness))
	var dimensions, hierarchies []string
	for i := range e.Dimensions {
		dimensions = append(dimensions, dimensionYAML(&e.Dimensions[i]))
	}
	w.items("dimensions", dimensions)
	for _, h := range e.Hierarchies {
		f := &flow{}
		f.text("name", h.Name)
		f.list("path", h.Path)
		hierarchies = append(hierarchies, f.String())
	}
	w.items("hierarchies", hierarchies)
	w.list("tags", e.Tags)
	return w.bytes()
}

func dimensionYAML(d *Dimension) string {
	f := &flow{}
	f.text("name", d.Name)
	f.text("label", d.Label)
	f.text("type", string(d.Type))
	f.text("column", d.Column)
	f.text("expr", d.Expr)
	f.text("derived_from", d.DerivedFrom)
	f.pairs("map", d.Map)
	f.text("default", d.Default)
	f.text("description", d.Description)
	f.list("synonyms", d.Synonyms)
	if d.FromData {
		f.put("values", "database")
	} else {
		f.list("values", d.Values)
	}
	f.text("unit", d.Unit)
	f.flag("measure", d.Measure)
	if d.NonAdditive {
		f.put("additive", "false")
	}
	f.flag("identifier", d.Identifier)
	f.text("pii", d.PII)
	f.text("time_zone", d.TimeZone)
	f.text("granularity", d.Granularity)
	f.flag("multi_valued", d.MultiValued)
	f.put("confidence_weight", weightYAML(d.ConfidenceWeight))
	f.put("tests", testsYAML(d.Tests))
	f.list("tags", d.Tags)
	return f.String()
}

func weightYAML(w *float64) string {
	if w == nil {
		return ""
	}
	return formatNumber(*w)
}

// testsYAML writes tests, which are YAML already: words, or one key with a mapping.
func testsYAML(tests []string) string {
	if len(tests) == 0 {
		return ""
	}
	out := make([]string, len(tests))
	for i, t := range tests {
		if out[i] = t; strings.Contains(t, ":") {
			out[i] = "{" + t + "}"
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func writeJoins(joins []Join) []byte {
	w := &yamlWriter{}
	w.text("from", joins[0].From)
	w.b.WriteString("joins:\n")
	for _, j := range joins {
		on, f := &flow{}, &flow{}
		for _, p := range j.On {
			on.text(p.From, p.To)
		}
		f.text("to", j.To)
		f.put("on", on.String())
		f.text("cardinality", j.Cardinality)
		f.text("role", j.Role)
		f.flag("total", j.Total)
		if j.Basis != "" {
			w.b.WriteString("  ")
			w.comment(j.Basis)
		}
		w.b.WriteString("  - " + f.String() + "\n")
	}
	return w.bytes()
}

func writeGotcha(g *Gotcha) []byte {
	w := &yamlWriter{}
	w.text("gotcha", g.Name)
	w.list("applies_to", g.AppliesTo)
	w.text("severity", g.Severity)
	w.text("statement", g.Statement)
	check := &flow{}
	check.text("query", g.CheckQL)
	check.text("expect", g.Expect)
	w.put("check", check.String())
	return w.bytes()
}

func writeGolden(g *Golden) []byte {
	w := &yamlWriter{}
	w.text("question", g.Question)
	w.text("frame_ql", g.FrameQL)
	w.text("sql", g.SQL)
	parameters := &flow{}
	for _, p := range g.Parameters {
		f := &flow{}
		f.text("type", p.Type)
		f.text("default", p.Default)
		if p.Weight != 1 {
			f.put("confidence_weight", formatNumber(p.Weight))
		}
		bounds := &flow{}
		if p.Min != nil {
			bounds.put("min", formatNumber(*p.Min))
		}
		if p.Max != nil {
			bounds.put("max", formatNumber(*p.Max))
		}
		f.put("validation", bounds.String())
		f.list("allowed_values", p.Values)
		if p.Table != "" {
			f.put("allowed_values_source", "database")
		}
		f.text("table", p.Table)
		f.text("column", p.Column)
		parameters.put(p.Name, f.String())
	}
	w.put("parameters", parameters.String())
	verified := &flow{}
	verified.text("by", g.VerifiedBy)
	verified.text("at", g.VerifiedAt)
	verified.text("epoch", g.Epoch)
	w.put("verified", verified.String())
	return w.bytes()
}

func writeTerm(t *Term) []byte {
	w := &yamlWriter{}
	w.text("term", t.Term)
	w.text("means", t.Means)
	w.text("why", t.Why)
	approved := &flow{}
	approved.text("by", t.ApprovedBy)
	approved.text("at", t.ApprovedAt)
	approved.flag("self_reviewed", t.SelfReviewed)
	w.put("approved", approved.String())
	return w.bytes()
}

// WriteTerm gives the path of a term's file in a workspace, and its text.
func WriteTerm(t Term) (file string, text []byte) {
	return ContextFolder + "/terms/" + unsafeInFile.ReplaceAllString(t.Name, "-") + ".yaml", writeTerm(&t)
}
