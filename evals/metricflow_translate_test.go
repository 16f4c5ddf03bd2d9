package evals_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/semantic"
	"assay/backend/semantic/dbt"
)

// mfTranslation turns a case into Frame-QL. Its rules are general: they know kinds of cases, never one of them.
//
//   - metric_time at a grain is a bare grain of Frame-QL; without a grain it is the coarsest of what the metrics say.
//   - a__b__month is looked up by the names of the import.
//   - A part of a date (EXTRACT) is the part of that name; the year is a time cut by it, whose rows show its first day.
//   - time_constraint is DURING with both days included; so is a condition that bounds the time of all metrics on both
//     sides, because a condition on rows would cut what a cumulative metric adds up.
//   - The days of MetricFlow's axis are those of a table, mf_time_spine. Where metrics count on days without rows of
//     their own (a filled, cumulative or moved metric over an axis), the case is asked DURING the span of that table.
//   - A condition on a group-by falls after the days were filled, there, and takes them out again: FILL NONE.
//   - A unit of a calendar table is compared with its names; a value between two of them stands for the later one.
//   - min_max_only is MIN and MAX of the dimension AT ().
type mfTranslation struct {
	model *semantic.Model
	names *dbt.Names
	left  map[string]string // metrics that were not imported, with the reason
	span  func(entity, dimension string) (from, to string)
	// repeated says whether an entity has rows that agree in all of some dimensions.
	repeated func(entity string, dimensions []string) bool
}

// mfDim is a group-by in Frame-QL.
type mfDim struct {
	text   string
	asked  string // as the case names it, for ORDER BY
	axis   bool
	grain  string
	entity string
	part   string // of a date, as the case calls it
}

var errNoJoin = errors.New("a join by the partition of a third table (booking -> listing -> user of the booking's day) is none of the model's edges")

// query gives the Frame-QL of a case, or why it has none.
func (tr *mfTranslation) query(c mfCase) (query, why string) {
	for _, m := range c.Metrics {
		if tr.model.Metric(m) == nil {
			return "", tr.reason(m)
		}
	}
	if c.Dedupe != nil && !*c.Dedupe {
		return "", "rows that repeat, one for each row of a join, are no groups"
	}
	if why := tr.refusedByRule(c); why != "" {
		return "", why
	}
	dims, err := tr.dims(c)
	if err != nil {
		return "", err.Error()
	}
	conditions, period, err := tr.where(c)
	if err != nil {
		return "", err.Error()
	}
	if len(c.Metrics) == 0 {
		return tr.withoutMetrics(c, dims, conditions)
	}
	var items, grain []string
	for _, d := range dims {
		items, grain = append(items, d.text), append(grain, d.text)
	}
	q := "SELECT " + strings.Join(append(items, c.Metrics...), ", ") + " AT (" + strings.Join(grain, ", ") + ")"
	if conditions != "" {
		q += " WHERE " + conditions
	}
	if period == "" {
		period = tr.spinePeriod(c, dims)
	}
	if len(c.Between) == 2 {
		period = "FROM " + momentFrom(c.Between[0]) + " TO " + momentAfter(c.Between[1])
	}
	if period != "" {
		q += " DURING " + period
	}
	if conditions != "" && tr.filled(c.Metrics) && slices.ContainsFunc(dims, func(d mfDim) bool { return !d.axis && strings.Contains(conditions, d.text) }) {
		q += " FILL NONE"
	}
	return q + tr.order(c, dims), ""
}

// refusedByRule names what Frame-QL refuses on purpose although MetricFlow answers it.
func (tr *mfTranslation) refusedByRule(c mfCase) string {
	for _, m := range tr.leaves(c.Metrics) {
		semi, ok := m.SemiAdditive()
		_, time, known := tr.model.TimeOf(m)
		if ok && known && len(semi.Per) > 0 && tr.repeated(m.Entity, append(slices.Clone(semi.Per), time)) {
			return "a snapshot for each member that is several rows (the accounts of a user) is refused: LAST_PER_KEY needs one"
		}
	}
	if slices.ContainsFunc(c.Metrics, tr.movedByOwnUnit) {
		return "an offset by a unit of a calendar table is refused: its units differ in length, and no rule says which day lies on which"
	}
	return ""
}

// movedByOwnUnit says whether a metric looks back by a unit that a calendar lists.
func (tr *mfTranslation) movedByOwnUnit(name string) bool {
	m := tr.model.Metric(name)
	return slices.ContainsFunc(m.Inputs, func(in semantic.Input) bool { return in.Offset != nil && tr.buckets(in.Offset.Unit) != nil }) ||
		!m.Leaf() && slices.ContainsFunc(parts(m), tr.movedByOwnUnit)
}

// filled says whether some metric shows days without rows by itself.
func (tr *mfTranslation) filled(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return tr.model.Metric(n).Fill != "" })
}

// labels gives, for each column of the answer that is a unit of a calendar, the names of its units by their first day.
func (tr *mfTranslation) labels(c mfCase) []map[string]string {
	dims, err := tr.dims(c)
	if err != nil {
		return nil
	}
	all := make([]map[string]string, len(dims))
	for i, d := range dims {
		for _, b := range tr.buckets(d.grain) {
			if all[i] == nil {
				all[i] = map[string]string{}
			}
			all[i][b.From.Format(time.DateOnly)] = b.Label
		}
		if d.part == "year" {
			all[i] = map[string]string{}
			for y := 1990; y < 2050; y++ {
				all[i][fmt.Sprintf("%d-01-01", y)] = strconv.Itoa(y)
			}
		}
	}
	return all
}

// buckets gives the units of a calendar's own grain; none for a common one.
func (tr *mfTranslation) buckets(grain string) []semantic.CalendarBucket {
	for _, c := range tr.model.Calendars {
		if len(c.Buckets[grain]) > 0 {
			return c.Buckets[grain]
		}
	}
	return nil
}

// reason says why a metric is not there, in words that are the same for all metrics of a kind.
func (tr *mfTranslation) reason(metric string) string {
	why := tr.left[metric]
	if why == "" {
		return "there is no metric " + metric
	}
	if at := strings.LastIndex(why, ": Metric("); at > 0 {
		return why[:at]
	}
	return why
}

// dims turns the group-bys into dimensions.
func (tr *mfTranslation) dims(c mfCase) ([]mfDim, error) {
	groups := slices.Clone(c.GroupObjs)
	for _, g := range c.GroupBys {
		groups = append(groups, mfGroup{Name: g})
	}
	var all []mfDim
	for _, g := range groups {
		d, err := tr.dim(c, g.Name, g.Grain)
		if g.DatePart != "" {
			d, err = tr.datePart(c, g)
		}
		if err != nil {
			return nil, err
		}
		d.asked = g.Name
		all = append(all, d)
	}
	return all, nil
}

func (tr *mfTranslation) dim(c mfCase, name, grain string) (mfDim, error) {
	if rest, ok := strings.CutPrefix(name, "metric_time"); ok {
		if grain == "" {
			grain = strings.TrimPrefix(rest, "__")
		}
		if grain == "" {
			grain = tr.defaultGrain(c.Metrics)
		}
		return mfDim{text: grain, axis: true, grain: grain}, nil
	}
	f, err := tr.names.Find(name, tr.entities(c.Metrics)...)
	if err != nil {
		return mfDim{}, err
	}
	for _, m := range tr.leaves(c.Metrics) {
		if tr.root([]string{m.Entity, f.Entity}) != m.Entity {
			return mfDim{}, errNoJoin
		}
	}
	d := tr.model.Dimension(f.Entity + "." + f.Dimension)
	if grain != "" {
		f.Grain = grain
	}
	if f.Grain == "" && d.Type.Temporal() {
		f.Grain = granularity(d)
	}
	axis := len(c.Metrics) > 0
	for _, m := range tr.leaves(c.Metrics) {
		entity, dimension, _ := tr.model.TimeOf(m)
		axis = axis && entity == f.Entity && dimension == f.Dimension
	}
	return mfDim{text: f.String(), axis: axis, grain: f.Grain, entity: f.Entity}, nil
}

// mfParts are the parts of a date by MetricFlow's names.
var mfParts = map[string]string{"dow": "day_of_week", "day": "day_of_month", "doy": "day_of_year", "month": "month_of_year", "quarter": "quarter_of_year", "year": "year"}

func (tr *mfTranslation) datePart(c mfCase, g mfGroup) (mfDim, error) {
	part := mfParts[g.DatePart]
	if part == "" {
		return mfDim{}, errors.New("there is no part of a date called " + g.DatePart)
	}
	if g.Name == "metric_time" {
		return mfDim{text: part, grain: part, part: g.DatePart}, nil
	}
	d, err := tr.dim(c, g.Name, "day")
	d.text, d.grain, d.part = strings.TrimSuffix(d.text, ".day")+"."+part, part, g.DatePart
	return d, err
}

func granularity(d *semantic.Dimension) string {
	if d.Granularity != "" && d.Granularity != "hour" {
		return d.Granularity
	}
	return "day"
}

var mfGrains = []string{"hour", "day", "week", "month", "quarter", "year"}

// defaultGrain is the coarsest of the grains that the metrics have for their time.
func (tr *mfTranslation) defaultGrain(metrics []string) string {
	most := 1 // day
	finer := false
	for _, name := range metrics {
		if g := tr.model.Metric(name).TimeGrain; g != "" {
			most, finer = max(most, slices.Index(mfGrains, g)), finer || g == "hour"
			continue
		}
		for _, m := range tr.leaves([]string{name}) {
			if entity, dimension, ok := tr.model.TimeOf(m); ok {
				most = max(most, slices.Index(mfGrains, granularity(tr.model.Dimension(entity+"."+dimension))))
			}
		}
	}
	if finer && most == 1 {
		return "hour"
	}
	return mfGrains[most]
}

// leaves gives the metrics over rows that some metrics rest on.
func (tr *mfTranslation) leaves(names []string) []*semantic.Metric {
	var all []*semantic.Metric
	for _, name := range names {
		m := tr.model.Metric(name)
		if m == nil {
			continue
		}
		if m.Leaf() {
			all = append(all, m)
			continue
		}
		all = append(all, tr.leaves(parts(m))...)
	}
	return all
}

// parts gives the metrics that a metric is computed from.
func parts(m *semantic.Metric) []string {
	switch m.Kind {
	case semantic.Ratio:
		return []string{m.Numerator, m.Denominator}
	case semantic.Cumulative:
		return []string{m.Of}
	}
	e, err := semantic.ParseExpr(m.Expr)
	if err != nil {
		return nil
	}
	var names []string
	for _, id := range e.Idents() {
		at := slices.IndexFunc(m.Inputs, func(in semantic.Input) bool { return in.Name == id })
		if at >= 0 {
			id = m.Inputs[at].Metric
		}
		names = append(names, id)
	}
	return names
}

func (tr *mfTranslation) entities(metrics []string) []string {
	var all []string
	for _, m := range tr.leaves(metrics) {
		if !slices.Contains(all, m.Entity) {
			all = append(all, m.Entity)
		}
	}
	return all
}

// withoutMetrics asks for the values of dimensions.
func (tr *mfTranslation) withoutMetrics(c mfCase, dims []mfDim, conditions string) (query, why string) {
	axis := slices.IndexFunc(dims, func(d mfDim) bool { return d.axis || strings.HasPrefix(d.asked, "metric_time") })
	if axis >= 0 && len(dims) > 1 {
		return "", "without a metric, nothing relates the time spine to other tables: a cross product"
	}
	if axis >= 0 {
		spine := tr.spine("day")
		if spine == nil {
			return "", "no time spine"
		}
		dims[0].text, dims[0].entity = spine.Name+"."+spine.DefaultTime+"."+dims[0].grain, spine.Name
	}
	if c.MinMax {
		return "SELECT MIN(" + dims[0].text + ") AS low, MAX(" + dims[0].text + ") AS high AT ()", ""
	}
	entities := tr.mentioned(dims, conditions)
	root := tr.root(entities)
	if root == "" {
		return "", "no table reaches all of these tables"
	}
	if len(entities) > 1 && !strings.Contains(conditions, root+".") {
		return "", "without a metric, rows of both tables count whether they meet or not: a full join"
	}
	var items []string
	for _, d := range dims {
		items = append(items, d.text)
	}
	q := "SELECT " + strings.Join(items, ", ") + " FROM " + root
	if conditions != "" {
		q += " WHERE " + conditions
	}
	return q + tr.order(c, dims), ""
}

var entityInText = regexp.MustCompile(`\b([a-z_0-9]+)\.[a-z_0-9]+`)

func (tr *mfTranslation) mentioned(dims []mfDim, conditions string) []string {
	var all []string
	for _, d := range dims {
		all = append(all, d.entity)
	}
	for _, m := range entityInText.FindAllStringSubmatch(conditions, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// root finds the first of some entities that reaches the others across joins.
func (tr *mfTranslation) root(entities []string) string {
	for _, e := range entities {
		reach := []string{e}
		for i := 0; i < len(reach); i++ {
			for _, j := range tr.model.JoinsFrom(reach[i]) {
				if !slices.Contains(reach, j.To) {
					reach = append(reach, j.To)
				}
			}
		}
		if !slices.ContainsFunc(entities, func(x string) bool { return !slices.Contains(reach, x) }) {
			return e
		}
	}
	return ""
}

// spine finds the imported time spine whose rows are units of a grain: hours for hours, days for everything coarser.
func (tr *mfTranslation) spine(grain string) *semantic.Entity {
	for i := range tr.model.Entities {
		e := &tr.model.Entities[i]
		if !strings.HasPrefix(e.Name, "mf_time_spine") || e.DefaultTime == "" {
			continue
		}
		if hourly := e.Dimension(e.DefaultTime).Granularity == "hour"; hourly == (grain == "hour") {
			return e
		}
	}
	return nil
}

// spinePeriod bounds the axis by the spine where the answer depends on days without rows.
func (tr *mfTranslation) spinePeriod(c mfCase, dims []mfDim) string {
	at := slices.IndexFunc(dims, func(d mfDim) bool { return d.axis })
	if at < 0 || !tr.beyondRows(c.Metrics) {
		return ""
	}
	e := tr.spine(dims[at].grain)
	if e == nil {
		return ""
	}
	from, to := tr.span(e.Name, e.DefaultTime)
	return "FROM " + from + " TO " + to
}

// beyondRows says whether some metric has values on days on which it has no rows.
func (tr *mfTranslation) beyondRows(names []string) bool {
	for _, name := range names {
		m := tr.model.Metric(name)
		if m == nil {
			continue
		}
		moved := slices.ContainsFunc(m.Inputs, func(in semantic.Input) bool { return in.Offset != nil || in.OffsetToStart != "" })
		if m.Fill != "" || m.Kind == semantic.Cumulative || moved || !m.Leaf() && tr.beyondRows(parts(m)) {
			return true
		}
	}
	return false
}

func (tr *mfTranslation) order(c mfCase, dims []mfDim) string {
	var keys []string
	for _, o := range c.OrderBys {
		name, down := strings.CutPrefix(o, "-")
		if i := slices.IndexFunc(dims, func(d mfDim) bool { return d.asked == name }); i >= 0 {
			name = dims[i].text
		}
		if down {
			name += " DESC"
		}
		keys = append(keys, name)
	}
	q := ""
	if len(keys) > 0 {
		q = " ORDER BY " + strings.Join(keys, ", ")
	}
	if c.Limit > 0 {
		q += fmt.Sprintf(" LIMIT %d", c.Limit)
	}
	return q
}

// momentFrom and momentAfter give the bounds of a time_constraint, whose end counts: as MetricFlow does, one with a clock is
// widened to whole hours, the finest grain that there is.
func momentFrom(bound string) string {
	if t, err := time.Parse(time.DateTime, bound); err == nil {
		return t.Truncate(time.Hour).Format("'2006-01-02T15:04'")
	}
	return bound
}

func momentAfter(bound string) string {
	if t, err := time.Parse(time.DateTime, bound); err == nil {
		return t.Truncate(time.Hour).Add(time.Hour).Format("'2006-01-02T15:04'")
	}
	d, err := time.Parse(time.DateOnly, bound)
	if err != nil {
		return bound
	}
	return d.AddDate(0, 0, 1).Format(time.DateOnly)
}
