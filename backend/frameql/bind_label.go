package frameql

import (
	"strconv"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// uniqueNames tells equal names apart by a number; case makes no difference. It counts the times that a name was taken.
type uniqueNames map[string]int

func (u uniqueNames) take(base string) string {
	name := base
	for key := strings.ToLower(base); u[strings.ToLower(name)] > 0; u[key]++ {
		name = base + "_" + strconv.Itoa(u[key]+1)
	}
	u[strings.ToLower(name)] = 1
	return name
}

func (r *resolver) describeKey(k int) Column { return r.describeRef(r.keys[k].ref) }

// describeRef describes a column of the grain by the dimension that was asked for: a day may also be part of a key.
func (r *resolver) describeRef(b ref) Column {
	t, _ := r.typeOf(b)
	c := Column{
		Name: b.dim.Name, Label: labelOf(b.dim.Label, b.dim.Name), Role: RoleDimension,
		Type: string(t), Unit: b.dim.Unit, Grain: b.grain, Dimension: b.fullName(),
	}
	if b.grain != "" {
		c.Name, c.Label = b.grain, grainLabel(b.grain)
	}
	if b.part != nil {
		c.Name, c.Label, c.Unit = b.part.Name, text.Say("frameql.part_"+b.part.Name), ""
		c.Dimension += "." + b.part.Name
	}
	return c
}

// grainLabel names a unit of time for a person; one of a calendar of one's own by its own name.
func grainLabel(grain string) string {
	if timeGrains[strings.ToUpper(grain)] {
		return text.Say("frameql.grain_" + grain)
	}
	return labelOf("", grain)
}

// longLabel tells apart two columns of one label.
func (r *resolver) longLabel(b ref) string {
	label := labelOf(b.dim.Label, b.dim.Name)
	prefix, _, _ := strings.Cut(b.name.Name, ".")
	owner := labelOf("", prefix)
	if strings.EqualFold(prefix, b.entity.Name) {
		owner = labelOf(b.entity.Label, b.entity.Name)
	}
	if b.part != nil {
		return text.Say("frameql.label_cut", "label", label, "grain", text.Say("frameql.part_"+b.part.Name))
	}
	if b.grain != "" {
		return text.Say("frameql.label_cut", "label", label, "grain", grainLabel(b.grain))
	}
	return text.Say("frameql.label_of", "label", label, "owner", owner)
}

// labelOf gives the label, or the name as words: company_name is "Company name".
func labelOf(label, name string) string {
	if label != "" {
		return label
	}
	words := []rune(strings.ReplaceAll(name, "_", " "))
	if len(words) > 0 {
		words[0] = []rune(strings.ToUpper(string(words[0])))[0]
	}
	return string(words)
}

// describe gives the column of a metric expression.
func (r *resolver) describe(e *Expr, s *scalar) Column {
	c := Column{Role: RoleMetric, Type: string(s.Type), Unit: s.Currency, Name: "value", Label: text.Say("frameql.label_value"), Additivity: "none"}
	switch {
	case r.refers[e] != nil:
		c.Name, c.Label = e.Metric, labelOf("", e.Metric)
		return c
	case e.Fn != "":
		return r.describeFunction(e, s)
	case e.Op == "at":
		return r.describe(e.Args[0], s)
	}
	if m := r.metric(e.Metric); m != nil {
		c.Name, c.Label, c.Metric, c.Additivity = m.Name, labelOf(m.Label, m.Name), m.Name, additivityOf(m)
		if e.Filter != nil {
			c.Name, c.Label = c.Name+"_filtered", text.Say("frameql.label_filtered", "name", c.Label)
		}
		if e.At != nil {
			c.Additivity = "none"
		}
	}
	if e.Reduce == "" {
		return c
	}
	return r.describeReducer(e, c)
}

func (r *resolver) describeFunction(e *Expr, s *scalar) Column {
	of := r.describe(e.Of, s)
	if e.Fn == "prev" || e.Fn == "delta" || e.Fn == "pct_change" {
		c := r.describeChange(e.Fn, of, s)
		if t := r.targetOf(e); t != nil && e.Fn == "prev" {
			c.Name, c.Label = of.Name+"_target", labelOf(t.Label, t.Name)
		}
		return c
	}
	format := ""
	if e.Fn == "share" {
		format = formatPercent
	}
	return Column{
		Format: format,
		Name:   of.Name + "_" + e.Fn, Label: text.Say("frameql.label_"+e.Fn, "name", of.Label, "small", inSentence(of.Label)),
		Role: RoleMetric, Type: string(s.Type), Unit: s.Currency, Metric: of.Metric, Additivity: "none",
	}
}

// targetOf gives the metric that a function compares with; nil: it compares with another time.
func (r *resolver) targetOf(e *Expr) *semantic.Metric {
	k := 1
	if len(e.Params) > 0 {
		k, _ = strconv.Atoi(e.Params[0].Text)
	}
	if k > len(r.comparand) {
		return nil
	}
	return r.comparand[k-1].target
}

func (r *resolver) describeReducer(e *Expr, c Column) Column {
	if e.Star {
		c.Name, c.Additivity = "count", "additive"
		of := r.sources[max(r.rowSource[e], 0)].entity
		c.Label = text.Say("frameql.label_count_rows", "name", strings.ToLower(labelOf(of.Label, of.Name)))
		return c
	}
	name, label := "", ""
	rows := true
	if m := r.metric(e.Of.Metric); m != nil && r.refers[e.Of] == nil {
		if e.Of.At == nil && sameReducer(e, m) {
			c.Name, c.Label, c.Metric, c.Additivity = m.Name, labelOf(m.Label, m.Name), m.Name, additivityOf(m)
			return c
		}
		name, label, rows = m.Name, labelOf(m.Label, m.Name), e.Of.At == nil
	} else if bareMetric(e.Of) {
		name = e.Of.Metric[strings.LastIndexByte(e.Of.Metric, '.')+1:]
		label = labelOf("", name)
		if all := r.meanings(Dim{Name: e.Of.Metric}); len(all) > 0 {
			label = labelOf(all[0].entity.Label, all[0].entity.Name)
			if all[0].dim != nil {
				label = labelOf(all[0].dim.Label, all[0].dim.Name)
			}
		}
	}
	key := e.Reduce
	if e.Dist {
		key += "_distinct"
	}
	c.Name = strings.Trim(key+"_"+name, "_")
	if name == "" {
		label = text.Say("frameql.label_value")
	}
	c.Label = text.Say("frameql.label_"+labelKey(e), "name", inSentence(label))
	if rows && !e.Dist && (e.Reduce == "sum" || e.Reduce == "count" && !(bareMetric(e.Of) && r.meansEntity(Dim{Name: e.Of.Metric}))) {
		c.Additivity = "additive"
	}
	return c
}

// labelKey names the label of a reducer; those that do not mind repetition have one.
func labelKey(e *Expr) string {
	if e.Dist && (e.Reduce == "sum" || e.Reduce == "avg" || e.Reduce == "count") {
		return e.Reduce + "_distinct"
	}
	return e.Reduce
}

// leafy says whether a metric is made from rows and not from other metrics.
func leafy(m *semantic.Metric) bool {
	return m.Kind != semantic.Ratio && m.Kind != semantic.Derived && m.Kind != semantic.Cumulative
}

// additivityOf gives additive, semi or none.
func additivityOf(m *semantic.Metric) string {
	if _, semi := m.SemiAdditive(); semi && leafy(m) {
		return "semi"
	}
	if d, _, _ := strings.Cut(m.Additivity.Default, "("); d != "" {
		return strings.TrimSpace(strings.ToLower(d))
	}
	if m.Reducer == semantic.Sum || m.Reducer == semantic.Count {
		return "additive"
	}
	return "none"
}
