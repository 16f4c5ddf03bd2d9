package frameql_test

import (
	"strings"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// helpdesk is a model of what lies between entities: rows that relate tickets with others many to many, roles that two facts
// have of one entity, columns of one name that a join equates or does not, joins that were measured to repeat, an entity that
// is looked up without a key, and data that goes beyond the present day.
func helpdesk() Env {
	m := &semantic.Model{
		Workspace: semantic.Settings{Calendar: "retail"}, Calendars: []semantic.Calendar{weeks()},
	}
	entity := func(name string, key string, columns ...string) *semantic.Entity {
		e := semantic.Entity{Name: name, Source: semantic.Source{Table: name}}
		if key != "" {
			e.Key, columns = []string{key}, append([]string{key}, columns...)
		}
		for _, c := range columns {
			c, amount := strings.CutPrefix(c, "+")
			d := semantic.Dimension{Name: c, Type: semantic.Text, Measure: amount}
			switch {
			case strings.HasSuffix(c, "_on"):
				d.Type = semantic.Date
			case strings.HasSuffix(c, "_at"):
				d.Type = semantic.Timestamp
			case strings.HasSuffix(c, "_id") || amount || c == "pieces":
				d.Type = semantic.Integer
			}
			e.Dimensions = append(e.Dimensions, d)
		}
		m.Entities = append(m.Entities, e)
		return &m.Entities[len(m.Entities)-1]
	}
	join := func(from, column, to, key, role string, a *semantic.Attestation) {
		m.Joins = append(m.Joins, semantic.Join{From: from, To: to, Role: role, On: []semantic.ColumnPair{{From: column, To: key}}, Cardinality: "many_to_one", Attested: a})
	}
	leaf := func(name, entity, expr string, reducer semantic.Reducer) *semantic.Metric {
		m.Metrics = append(m.Metrics, semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: reducer})
		return &m.Metrics[len(m.Metrics)-1]
	}
	repeats := &semantic.Attestation{Unique: false}

	entity("tickets", "ticket_id", "opener_id", "checker_id", "site_code", "queue", "sites", "opened_on", "closed_on", "+hours").DefaultTime = "opened_on"
	entity("customers", "customer_id", "segment", "regions_id")
	entity("regions", "regions_id", "regions_name")
	join("customers", "regions_id", "regions", "regions_id", "", nil)
	join("tickets", "opener_id", "customers", "customer_id", "opener", nil)
	join("tickets", "checker_id", "customers", "customer_id", "checker", nil)
	entity("calls", "call_id", "caller_id", "called_at", "+minutes").DefaultTime = "called_at"
	join("calls", "caller_id", "customers", "customer_id", "caller", nil)
	entity("badges", "badge_id", "customer_id", "badge_name")
	join("badges", "customer_id", "customers", "customer_id", "", nil)
	leaf("ticket_count", "tickets", "*", semantic.Count)
	leaf("ticket_hours", "tickets", "hours", semantic.Sum)
	leaf("hours_closed", "tickets", "hours", semantic.Sum).Time = "closed_on"
	leaf("call_minutes", "calls", "minutes", semantic.Sum)
	leaf("customer_count", "customers", "*", semantic.Count)

	// What relates tickets with others.
	across := func(bridge, far string, ontoTickets, ontoFar *semantic.Attestation, columns ...string) {
		entity(far, far+"_id", far+"_name")
		entity(bridge, bridge+"_id", append([]string{"ticket_id", far + "_id"}, columns...)...)
		join(bridge, "ticket_id", "tickets", "ticket_id", "", ontoTickets)
		join(bridge, far+"_id", far, far+"_id", "", ontoFar)
	}
	across("ticket_tags", "tags", nil, nil)
	leaf("taggings", "ticket_tags", "*", semantic.Count)
	leaf("tags_used", "ticket_tags", "tags_id", semantic.CountDistinct)
	across("assignments", "agents", nil, nil, "+spent")
	across("ticket_products", "products", nil, nil, "pieces")
	leaf("pieces_sent", "ticket_products", "pieces", semantic.Sum)
	across("needs", "skills", nil, nil)
	entity("offers", "offers_id", "ticket_id", "skills_id")
	join("offers", "ticket_id", "tickets", "ticket_id", "", nil)
	join("offers", "skills_id", "skills", "skills_id", "", nil)
	across("ticket_topics", "topics", nil, nil)
	entity("topic_votes", "topic_votes_id", "ticket_topics_id")
	join("topic_votes", "ticket_topics_id", "ticket_topics", "ticket_topics_id", "", nil)
	across("bookings", "rooms", repeats, nil)
	across("seats", "desks", nil, repeats)

	// Columns of one name: a site's code is not that of its area, which tickets name by another column.
	entity("sites", "site_code", "area", "district")
	entity("areas", "areas_id", "area", "district_name")
	entity("districts", "district_name", "district")
	join("tickets", "site_code", "sites", "site_code", "", nil)
	join("sites", "area", "areas", "areas_id", "", nil)
	join("areas", "district_name", "districts", "district_name", "", nil)

	// Logs are looked up by a column, and have no key.
	entity("logs", "", "line", "logged_on")
	leaf("log_lines", "logs", "*", semantic.Count)
	join("tickets", "queue", "logs", "line", "", &semantic.Attestation{Unique: true})
	m.Metrics = append(m.Metrics,
		semantic.Metric{Name: "twice_tagged", Entity: "ticket_tags", Kind: semantic.Derived, Expr: "taggings * 2"},
		semantic.Metric{Name: "hours_last", Kind: semantic.Cumulative, Of: "ticket_hours", PeriodAgg: "last"},
		semantic.Metric{Name: "hours_of_week", Kind: semantic.Cumulative, Of: "ticket_hours", ToDate: "fiscal_week"},
		semantic.Metric{Name: "tx", Label: "Tx", Entity: "tickets", Kind: semantic.Leaf, Expr: "hours", Reducer: semantic.Sum},
		semantic.Metric{Name: "vat", Label: "VAT", Entity: "tickets", Kind: semantic.Leaf, Expr: "hours", Reducer: semantic.Sum},
		semantic.Metric{Name: "untyped", Entity: "tickets", Kind: semantic.Leaf, Expr: "anything", Reducer: semantic.Max},
	)
	m.Entities[0].Dimensions = append(m.Entities[0].Dimensions, semantic.Dimension{Name: "anything"})
	return Env{
		Model: m, Now: time.Date(1998, 5, 6, 12, 0, 0, 0, time.UTC),
		Coverage: func(d string) (first, last time.Time, ok bool) {
			return time.Date(1997, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1998, 6, 30, 0, 0, 0, 0, time.UTC), d == "tickets.opened_on"
		},
	}
}
