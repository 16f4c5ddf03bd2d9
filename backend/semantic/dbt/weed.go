package dbt

import (
	"errors"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// Sealed gives the model ready for use. What the model's own check refuses of a metric is left out with the reason, and
// so is what rests on it: one metric that cannot be said does not cost the others.
//
// fault.Invalid: something else than a metric cannot be used.
func (r *Result) Sealed() (*semantic.Model, error) {
	m := *r.Model
	m.Metrics = slices.Clone(r.Model.Metrics)
	for {
		sealed, err := semantic.Seal(&m)
		if err == nil {
			r.Model.Metrics = m.Metrics
			return sealed, nil
		}
		bad := refusedMetrics(err, m.Metrics)
		if len(bad) == 0 {
			return nil, err
		}
		for name, why := range bad {
			r.Notes = append(r.Notes, Note{Lost: true, Object: text.Say("dbt.object_metric", "name", name), Message: text.Say("dbt.metric_left_out", "why", why)})
		}
		slices.SortStableFunc(r.Notes[len(r.Notes)-len(bad):], func(a, b Note) int { return strings.Compare(a.Object, b.Object) })
		m.Metrics = slices.DeleteFunc(m.Metrics, func(x semantic.Metric) bool { _, out := bad[x.Name]; return out })
	}
}

// refusedMetrics gives the metrics among the problems of a model, each with its first problem.
func refusedMetrics(err error, metrics []semantic.Metric) map[string]string {
	var problems semantic.Problems
	bad := map[string]string{}
	if !errors.As(err, &problems) {
		return bad
	}
	for _, p := range problems {
		for _, x := range metrics {
			if p.Severity == semantic.SeverityError && p.Object == text.Say("semantic.object_metric", "name", x.Name) && bad[x.Name] == "" {
				bad[x.Name] = p.Message
			}
		}
	}
	return bad
}
