package interpret

import (
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// islands is a model over tables without keys to each other: names alone join them. A ferry has a row for each province that it calls at.
func islands() (*semantic.Model, []ValueSet) {
	column := func(name string, t semantic.Type, distinct int64, low, high string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: name, Type: t, Distinct: distinct, Min: low, Max: high, AvgLength: 8}
	}
	text, integer := semantic.Text, semantic.Integer
	m := semantic.Infer(semantic.Facts{
		Tables: []semantic.TableFacts{
			{Table: "province", Rows: 9, Key: []string{"province_name"}, Columns: []semantic.ColumnFacts{
				column("province_name", text, 9, "Aster", "Yarrow"), column("population", integer, 9, "100", "9000"), column("area", integer, 9, "10", "90"),
				column("seat", text, 9, "Dell", "Wick"),
			}},
			{Table: "town", Rows: 40, Key: []string{"town_name"}, Columns: []semantic.ColumnFacts{
				column("town_name", text, 40, "Dell", "Wick"), column("province_name", text, 9, "Aster", "Yarrow"), column("population", integer, 40, "10", "900"),
			}},
			{Table: "ferry", Rows: 30, Columns: []semantic.ColumnFacts{
				column("ferry_name", text, 12, "Heron", "Yarrow"), column("length", integer, 12, "20", "70"), column("calls", text, 9, "Aster", "Yarrow"),
			}},
			{Table: "strait", Rows: 16, Key: []string{"province_name", "adjoins"}, Columns: []semantic.ColumnFacts{
				column("province_name", text, 8, "Aster", "Yarrow"), column("adjoins", text, 8, "Aster", "Yarrow"),
			}},
			{Table: "coast", Rows: 9, Key: []string{"province_name"}, Columns: []semantic.ColumnFacts{
				column("province_name", text, 9, "Aster", "Yarrow"), column("highest_cliff", text, 9, "Grey Head", "Old Man"),
				column("lowest_cave", text, 9, "Deep", "Wet"), column("lowest_altitude", integer, 9, "-40", "90"),
			}},
		},
		Inclusions: []semantic.Inclusion{
			{Table: "town", Column: "province_name", RefTable: "province", RefColumn: "province_name", Covered: 1, NameMatch: 0.95},
			{Table: "town", Column: "province_name", RefTable: "coast", RefColumn: "province_name", Covered: 1, NameMatch: 0.55},
			{Table: "coast", Column: "province_name", RefTable: "province", RefColumn: "province_name", Covered: 1, NameMatch: 0.95},
			{Table: "province", Column: "province_name", RefTable: "coast", RefColumn: "province_name", Covered: 1, NameMatch: 0.55},
			{Table: "strait", Column: "province_name", RefTable: "province", RefColumn: "province_name", Covered: 1, NameMatch: 0.95},
			{Table: "strait", Column: "adjoins", RefTable: "province", RefColumn: "province_name", Covered: 1},
			{Table: "ferry", Column: "calls", RefTable: "coast", RefColumn: "province_name", Covered: 1},
			{Table: "ferry", Column: "calls", RefTable: "province", RefColumn: "province_name", Covered: 1},
		},
	}, semantic.Settings{})
	provinces := []string{"Aster", "Birch", "Oregon", "Yarrow"}
	return m, []ValueSet{
		{Entity: "province", Dimension: "province_name", Values: provinces, Complete: true},
		{Entity: "province", Dimension: "seat", Values: []string{"Aster", "Dell", "Wick"}, Complete: true},
		{Entity: "town", Dimension: "town_name", Values: []string{"Dell", "Wick", "Birch"}, Complete: true},
		{Entity: "town", Dimension: "province_name", Values: provinces, Complete: true},
		{Entity: "ferry", Dimension: "ferry_name", Values: []string{"Heron", "Yarrow"}, Complete: true},
		{Entity: "ferry", Dimension: "calls", Values: provinces, Complete: true},
		{Entity: "strait", Dimension: "province_name", Values: provinces, Complete: true},
		{Entity: "strait", Dimension: "adjoins", Values: provinces, Complete: true},
		{Entity: "coast", Dimension: "province_name", Values: provinces, Complete: true},
		{Entity: "coast", Dimension: "highest_cliff", Values: []string{"Grey Head", "Old Man"}, Complete: true},
	}
}

// TestHighest ranks by a height, where a superlative of height names no number.
func TestHighest(t *testing.T) {
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{bare("lighthouse", 20, "lighthouse_id integer", "name text", "height decimal", "built integer")}}, semantic.Settings{})
	reads(t, NewIndex(m, nil), frameql.Env{Model: m}, []struct{ question, query string }{
		{"what is the highest lighthouse", "SELECT lighthouse.name, lighthouse.height AT lighthouse ORDER BY lighthouse.height DESC LIMIT 1"},
		{"which lighthouse is the lowest", ""},
	})
}

func TestPlaces(t *testing.T) {
	asks(t, "islands", []struct{ question, query string }{
		{"what is the population of aster", "SELECT province_population WHERE province.province_name = 'Aster'"},
		{"what is the population of dell", "SELECT town_population WHERE town.town_name = 'Dell'"},
		{"what is the population of birch", ""}, // a province and a town
		{"how many people live in wick", "SELECT town_population WHERE town.town_name = 'Wick'"},
		{"how big is aster", "SELECT area WHERE province.province_name = 'Aster'"},
		{"what is the largest town in aster", "SELECT town.town_name, town.population AT town WHERE province.province_name = 'Aster' ORDER BY town.population DESC LIMIT 1"},
		{"what is the largest province", "SELECT province.province_name, province.area AT province ORDER BY province.area DESC LIMIT 1"},
		{"how many towns are in the smallest province", "SELECT town_count WHERE province.province_name IN TOP 1 BY 0 - MIN(province.area)"},
		{"how many towns are in the province with the largest population", "SELECT town_count WHERE province.province_name IN TOP 1 BY MAX(province.population)"},
		{"what are the grey heads of the provinces that adjoin birch", ""},
		{"where is dell", "SELECT town.province_name WHERE town.town_name = 'Dell'"},
		{"which provinces does the yarrow ferry run through", "SELECT province.province_name AT province WHERE ANY ferry (ferry.ferry_name = 'Yarrow')"},
		{"how many ferries are there", "SELECT COUNT(DISTINCT ferry.ferry_name)"},
		{"what is the highest cliff of aster", "SELECT coast.highest_cliff WHERE coast.province_name = 'Aster'"},
		{"what is the highest cliff", ""}, // of each province, or of all
		{"what is the lowest cave", "SELECT coast.province_name, coast.lowest_cave, coast.lowest_altitude AT coast ORDER BY coast.lowest_altitude LIMIT 1"},
		{"which province has the lowest altitude", "SELECT province.province_name, coast.lowest_altitude AT province ORDER BY coast.lowest_altitude LIMIT 1"},
		{"what is the seat of the province with the lowest cave", "SELECT province.province_name, province.seat, coast.lowest_cave, coast.lowest_altitude AT province ORDER BY coast.lowest_altitude LIMIT 1"},
		{"what is the lowest altitude", "SELECT MIN(coast.lowest_altitude)"},
		{"lowest altitude by province", "SELECT province.province_name, MIN(coast.lowest_altitude) AT province"},
	})
}

// A value may be the name of a member, of the members that are asked for, of something that does something to them, or of none of these.
func TestNamesOfPlaces(t *testing.T) {
	asks(t, "islands", []struct{ question, query string }{
		{"what is the population of oregon", "SELECT province_population WHERE province.province_name = 'Oregon'"},
		{"what is the seat of aster", "SELECT province.seat WHERE province.province_name = 'Aster'"},
		{"which provinces does the yarrow run through", "SELECT province.province_name AT province WHERE ANY ferry (ferry.ferry_name = 'Yarrow')"},
		{"how many provinces does the yarrow run through", "SELECT province_count WHERE ANY ferry (ferry.ferry_name = 'Yarrow')"},
		{"what are the populations of the provinces through which the yarrow runs", "SELECT province.province_name, province.population AT province WHERE ANY ferry (ferry.ferry_name = 'Yarrow')"},
		{"how many provinces does aster adjoin", "SELECT COUNT(DISTINCT province.province_name) FROM strait WHERE strait.adjoins = 'Aster'"},
		{"which provinces adjoin no other provinces", "SELECT province.province_name AT province WHERE NO strait"},
		{"how many provinces adjoin no other province", "SELECT province_count WHERE NO strait"},
		{"which provinces adjoin provinces that adjoin aster", ""},
		{"what is the seat of the province that adjoins the province that adjoins aster", ""},
		{"which provinces adjoin provinces which the yarrow runs through", ""},
		{"which provinces does birch adjoin", "SELECT province.province_name AT province WHERE ANY strait (strait.adjoins = 'Birch')"},
		{"what towns are in the provinces that adjoin birch", "SELECT town.town_name AT town WHERE ANY strait (strait.adjoins = 'Birch')"},
		{"how many ferries run through the provinces that adjoin oregon", "SELECT COUNT(DISTINCT ferry.ferry_name) WHERE ANY strait (strait.adjoins = 'Oregon')"},
		{"how many towns are called birch", "SELECT town_count WHERE town.town_name = 'Birch'"},
	})
}

func TestVerbsThatRank(t *testing.T) {
	asks(t, "islands", []struct{ question, query string }{
		{"which province adjoins the most provinces", "SELECT province.province_name, COUNT(DISTINCT strait.adjoins) AT province TOP 1 province BY COUNT(DISTINCT strait.adjoins)"},
		{"what is the seat of the province that adjoins the fewest provinces", "SELECT province.province_name, province.seat, COUNT(DISTINCT strait.adjoins) AT province TOP 1 province BY COUNT(DISTINCT strait.adjoins) ASC"},
		{"how many provinces adjoin the province that adjoins the most provinces", ""},
		{"which province has the largest town", "SELECT town.town_name, town.population, province.province_name AT town ORDER BY town.population DESC LIMIT 1"},
		{"which province has the town with the smallest population", "SELECT town.town_name, province.province_name, town_population AT town TOP 1 town BY town_population ASC"},
	})
}
