package semantic

func writeRegistry(m *Model) []byte {
	w := &yamlWriter{}
	w.text("model_version", m.Registry.ModelVersion)
	var owners, sources, exposures []string
	for _, o := range m.Registry.Owners {
		owners = append(owners, ownerYAML(&o))
	}
	w.items("owners", owners)
	w.put("freshness", freshnessYAML(&m.Registry.Freshness))
	w.text("generated_from", m.Registry.GeneratedFrom)
	for i := range m.Registry.Sources {
		sources = append(sources, originYAML(&m.Registry.Sources[i]))
	}
	w.items("sources", sources)
	for i := range m.Registry.Exposures {
		exposures = append(exposures, exposureYAML(&m.Registry.Exposures[i]))
	}
	w.items("exposures", exposures)
	var stated []string
	for i := range m.Registry.Project {
		stated = append(stated, statedYAML(&m.Registry.Project[i]))
	}
	w.items("project", stated)
	if len(m.Registry.Imported) > 0 {
		w.put("imported", pairsYAML(m.Registry.Imported))
	}
	if w.b.Len() == 0 {
		return []byte("{}\n")
	}
	return w.bytes()
}

func originYAML(o *Origin) string {
	f := &flow{}
	f.text("name", o.Name)
	f.text("table", o.Table)
	f.text("description", o.Description)
	f.text("loader", o.Loader)
	f.text("loaded_at", o.LoadedAt)
	f.span("warn_after", o.WarnAfter)
	f.span("error_after", o.ErrorAfter)
	f.list("tags", o.Tags)
	return f.String()
}

func exposureYAML(x *Exposure) string {
	f := &flow{}
	f.text("name", x.Name)
	f.text("label", x.Label)
	f.text("kind", x.Kind)
	f.text("maturity", x.Maturity)
	f.text("url", x.URL)
	f.text("description", x.Description)
	f.put("owner", ownerYAML(x.Owner))
	f.list("uses", x.Uses)
	f.list("tags", x.Tags)
	return f.String()
}

func statedYAML(x *Stated) string {
	f := &flow{}
	f.text(x.Kind, x.Name)
	f.text("label", x.Label)
	f.text("description", x.Description)
	f.text("says", x.Says)
	f.text("left_out", x.LeftOut)
	f.text("place", x.Place)
	return f.String()
}

func calendarYAML(c *Calendar) string {
	f := &flow{}
	f.text("name", c.Name)
	f.number("start_month", c.StartMonth)
	f.text("pattern", c.Pattern)
	f.text("year_ends", c.YearEnds)
	f.text("label_year", c.LabelYear)
	f.text("table", c.Table)
	f.text("date_column", c.DateColumn)
	f.pairs("units", c.Units)
	return f.String()
}
