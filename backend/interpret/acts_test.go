package interpret

import (
	"slices"
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestActs reads verbs that say what was recorded, over a shop that sells lamps: buyers have a status, and what is on offer is flagged.
func TestActs(t *testing.T) {
	lamp := bare("lamp", 40, "lamp_id integer", "maker text", "watts integer", "is_active boolean")
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		lamp, bare("clerk", 9, "clerk_id integer", "name text", "dismissal_date date"), bare("buyer", 30, "buyer_id integer", "name text", "status text"),
		bare("sales", 90, "sales_id integer", "lamp_id -> lamp", "clerk_id -> clerk", "buyer_id -> buyer", "paid decimal", "sold_on date"), bare("letter", 60, "letter_id integer", "member_id -> member", "body text"), bare("shipment", 40, "shipment_id integer", "state text"),
		bare("member", 50, "member_id integer", "name text"), bare("note", 70, "note_id integer", "member_id -> member", "body text", "year integer"),
	}}, semantic.Settings{})
	ix := NewIndex(m, []ValueSet{valuesOf("buyer", "status", "active", "dormant"), valuesOf("lamp", "maker", "Lux", "Sol")})
	env := frameql.Env{Model: m, Now: traderEnv(m).Now, Values: func(dimension string) (values []string, complete bool) {
		if dimension == "shipment.state" {
			return []string{"fail", "arrive", "pend"}, true
		}
		return nil, false
	}}
	reads(t, ix, env, []struct{ question, query string }{
		{"how many lamps were sold", "SELECT lamp_count WHERE ANY sales"},
		{"how many lamps were sold in 1997", "SELECT lamp_count WHERE ANY sales (sales.sold_on >= '1997-01-01' AND sales.sold_on < '1998-01-01')"},
		{"how many lamps of each maker were sold", "SELECT lamp.maker, lamp_count WHERE ANY sales"},
		{"lamps that were never sold", "SELECT lamp.lamp_id, lamp.watts, lamp.maker, lamp.is_active AT lamp WHERE NO sales"},
		{"which clerk sold the most lamps", "SELECT clerk.name, COUNT(DISTINCT lamp.lamp_id) AT clerk FROM sales TOP 1 clerk BY COUNT(DISTINCT lamp.lamp_id)"},
		{"how many active buyers are there", "SELECT buyer_count WHERE buyer.status = 'active'"},
		{"how many active lamps are there", "SELECT lamp_count WHERE lamp.is_active = TRUE"},
		{"lamps that were not sold", "SELECT lamp.lamp_id, lamp.watts, lamp.maker, lamp.is_active AT lamp WHERE NO sales"},
		{"how many clerks have been dismissed", "SELECT clerk_count WHERE clerk.dismissal_date IS NOT NULL"},
		{"which clerks were not dismissed", "SELECT clerk.name AT clerk WHERE clerk.dismissal_date IS NULL"},
		{"how many failed shipments are there", "SELECT shipment_count WHERE shipment.state = 'fail'"},
		{"how many members wrote both notes and letters", ""},
		{"how many members joined in 1997", ""}, // only notes have a year
		{"how many members wrote a note in 1997", "SELECT COUNT(DISTINCT member.member_id) FROM note WHERE note.\"year\" = 1997"},
	})
}

// TestNeighborsOfMembers asks for the neighbors of plots, where a column that leads to plots says what they border.
func TestNeighborsOfMembers(t *testing.T) {
	column := func(name string, distinct int64) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: name, Type: semantic.Text, Distinct: distinct, Min: "Ash", Max: "Yew", AvgLength: 8}
	}
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		{Table: "plot", Rows: 9, Key: []string{"plot_name"}, Columns: []semantic.ColumnFacts{column("plot_name", 9), column("soil", 3)}},
		{Table: "hedge", Rows: 16, Key: []string{"plot_name", "border"}, Columns: []semantic.ColumnFacts{column("plot_name", 8), column("border", 8)}, ForeignKeys: []semantic.ForeignKey{
			{Columns: []string{"plot_name"}, RefTable: "plot", RefColumns: []string{"plot_name"}}, {Columns: []string{"border"}, RefTable: "plot", RefColumns: []string{"plot_name"}},
		}},
	}}, semantic.Settings{})
	if !slices.ContainsFunc(NewIndex(m, nil).names.terms["neighbor"], func(t target) bool { return t.name() == "hedge.border" }) {
		t.Error("nothing is called a neighbor")
	}
}
