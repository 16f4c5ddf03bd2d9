package sqlgate

import (
	"strings"
	"sync"
)

// Policy is what one person may read. Nil lists allow every object that is not of a system catalog.
//
// An unqualified entry of Tables stands for that name in every schema of Schemas, and where Schemas is nil for that name in
// the schema that unqualified names mean: main in DuckDB, public in PostgreSQL, and in MySQL and ClickHouse the
// database of the connection, which a statement cannot name. A qualified entry stands for itself.
//
// Names are compared as the dialect compares them: without regard to the case of ASCII letters, in PostgreSQL exactly as
// stored. MySQL's tables may differ in case alone on some servers; they are taken for one here, so no two tables of a
// server may be told apart by case where only one of them is allowed.
type Policy struct {
	Tables, Schemas []string

	// MaxBytes of a statement, where those of the caller's own compiler may be longer than MaxBytes; 0: MaxBytes.
	MaxBytes int
}

func (p Policy) maxBytes() int {
	if p.MaxBytes > 0 {
		return p.MaxBytes
	}
	return MaxBytes
}

// access is a policy as a dialect reads it.
type access struct {
	dialect Dialect
	home    string          // the schema of unqualified names; empty: the connection's database
	tables  map[string]bool // nil: all
	schemas map[string]bool // nil: all
	system  map[string]bool // unqualified names that are of a system catalog
}

func newAccess(d Dialect, l *list, p Policy) access {
	a := access{dialect: d, system: l.system}
	switch d {
	case DuckDB:
		a.home = "main"
	case Postgres:
		a.home = "public"
	}
	if p.Schemas != nil {
		a.schemas = map[string]bool{}
		for _, s := range p.Schemas {
			a.schemas[a.fold(s)] = true
		}
	}
	if p.Tables != nil {
		a.tables = map[string]bool{}
		for _, t := range p.Tables {
			a.tables[a.fold(t)] = true
		}
	}
	return a
}

// listed says whether a policy names a table itself, whatever signs its name has.
func (a access) listed(table string) bool { return a.tables[a.fold(table)] }

// fold brings a name into the form in which the dialect compares it.
func (a access) fold(name string) string {
	if a.dialect == Postgres {
		return name
	}
	return lower(name)
}

// lower changes ASCII letters only: the engines do so too, and a letter that Unicode would fold into an ASCII one (the sign
// of Kelvin) names another table.
func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// systemSchemas hold no one's data but the server's.
var systemSchemas = map[Dialect]map[string]bool{
	DuckDB:     {"information_schema": true, "pg_catalog": true, "system": true, "temp": true},
	Postgres:   {"information_schema": true, "pg_catalog": true, "pg_toast": true},
	MySQL:      {"information_schema": true, "performance_schema": true, "mysql": true, "sys": true},
	MariaDB:    {"information_schema": true, "performance_schema": true, "mysql": true, "sys": true},
	ClickHouse: {"system": true, "information_schema": true, "_temporary_and_external_tables": true},
}

// may says whether a base table may be read.
func (a access) may(catalog, schema, table string) bool {
	catalog, schema, table = a.fold(catalog), a.fold(schema), a.fold(table)
	if a.isSystem(catalog, schema, table) {
		return false
	}
	if a.dialect == Postgres && catalog != "" {
		return false // PostgreSQL reads from its own database only, whose name is not known here
	}
	qualified := join(catalog, schema, table)
	switch {
	case catalog != "":
		return a.tables[qualified]
	case a.tables[qualified] && schema != "":
		return true
	case schema == "":
		if a.home != "" && a.schemas != nil && !a.schemas[a.home] {
			return false
		}
		return a.tables == nil || a.tables[table] || a.home != "" && a.tables[join("", a.home, table)]
	case a.schemas != nil:
		return a.schemas[schema] && (a.tables == nil || a.tables[table])
	default:
		return a.tables == nil || schema == a.home && a.tables[table]
	}
}

// knownLists are the lists of all dialects.
var knownLists = sync.OnceValues(readLists)

// OfSystem says whether a bare name is one of the engine's own, so that no statement reads another table by it. Of a dialect that is not
// known every name is.
func OfSystem(d Dialect, table string) bool {
	lists, err := knownLists()
	if err != nil || lists[d] == nil {
		return true
	}
	return access{dialect: d, system: lists[d].system}.isSystem("", "", table)
}

func (a access) isSystem(catalog, schema, table string) bool {
	catalog, schema, table = lower(catalog), lower(schema), lower(table)
	system := systemSchemas[a.dialect]
	if system[catalog] || system[schema] || strings.HasPrefix(schema, "pg_temp") || strings.HasPrefix(schema, "pg_toast") {
		return true
	}
	switch a.dialect {
	case Postgres:
		return schema == "" && strings.HasPrefix(table, "pg_") // pg_catalog comes first on every search path
	case DuckDB:
		return (schema == "" || schema == "main") && a.system[table]
	default:
		return false
	}
}

// join writes a qualified name.
func join(catalog, schema, table string) string {
	switch {
	case catalog != "":
		return catalog + "." + schema + "." + table
	case schema != "":
		return schema + "." + table
	default:
		return table
	}
}
