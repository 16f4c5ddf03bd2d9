package sqlgate_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay/backend/sqlgate"
)

// mutantsEach is how many mutants of attacks a test makes for each dialect; ASSAY_MUTANTS is another number.
const mutantsEach = 400

// TestMutantsOfAttacksAreRefused changes attacks in ways that keep them attacks: the case of words, what stands for white space,
// comments, quotes around names, and queries around them. None may pass.
func TestMutantsOfAttacksAreRefused(t *testing.T) {
	count := mutantsEach
	if n, err := strconv.Atoi(os.Getenv("ASSAY_MUTANTS")); err == nil {
		count = n
	}
	for _, d := range sqlgate.Dialects() {
		t.Run(string(d), func(t *testing.T) {
			t.Parallel()
			var seeds []statement
			for _, s := range seedsOf(t, "attacks", d) {
				if !s.limited() && !strings.HasPrefix(s.Why, "[empty]") {
					seeds = append(seeds, s)
				}
			}
			m := mutator{rand.New(rand.NewPCG(1, 2)), d}
			passed := 0
			for i := range count {
				s := seeds[i%len(seeds)]
				mutant := m.mutate(s)
				if v := check(t, statement{ID: s.ID, Dialect: d, SQL: mutant}); v.Allowed {
					if passed++; passed <= 20 {
						t.Errorf("a mutant of %s passes: %q\n\t%q %s", s.ID, mutant, s.SQL, s.Why)
					}
				}
			}
			t.Logf("%d mutants of %d attacks, %d passed", count, len(seeds), passed)
		})
	}
}

// TestMutantsOfLegitimateStatementsAreJudged: a verdict comes for each, and most pass.
func TestMutantsOfLegitimateStatementsAreJudged(t *testing.T) {
	count := mutantsEach
	if n, err := strconv.Atoi(os.Getenv("ASSAY_MUTANTS")); err == nil {
		count = n / 10
	}
	for _, d := range sqlgate.Dialects() {
		t.Run(string(d), func(t *testing.T) {
			t.Parallel()
			seeds := seedsOf(t, "legit", d)
			m := mutator{rand.New(rand.NewPCG(3, 4)), d}
			allowed := 0
			for i := range count {
				if check(t, statement{Dialect: d, SQL: m.mutate(seeds[i%len(seeds)])}).Allowed {
					allowed++
				}
			}
			t.Logf("%d of %d mutants are allowed", allowed, count)
			if allowed < count/3 {
				t.Errorf("only %d of %d mutants are allowed", allowed, count)
			}
		})
	}
}

// seedsOf gives the statements of both corpora of a dialect.
func seedsOf(t testing.TB, kind string, d sqlgate.Dialect) (seeds []statement) {
	t.Helper()
	read := d
	if d == sqlgate.MariaDB {
		read = sqlgate.MySQL
	}
	all := corpus(t, filepath.Join("testdata", kind+".jsonl"))
	if root := os.Getenv("ASSAY_SHARED"); root != "" || present(filepath.Join("..", "..", "..", "shared", "corpora")) {
		all = append(all, shared(t, "sqlgate_"+kind+".jsonl")...)
	}
	for _, s := range all {
		if s.Dialect == read {
			seeds = append(seeds, s)
		}
	}
	return seeds
}

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// mutator changes statements.
type mutator struct {
	*rand.Rand
	dialect sqlgate.Dialect
}

// pieces are what is quoted or commented, which stays as it is, runs of white space, words, and single signs.
var pieces = regexp.MustCompile(`(?s)'(?:[^'\\]|\\.|'')*'?|"(?:[^"]|"")*"?|` + "`[^`]*`?" + `|/\*.*?\*/|--[^\n]*|\$[a-z_]*\$|\s+|[\pL_][\pL\pN_]*|.`)

func (m mutator) mutate(s statement) string {
	parts := pieces.FindAllString(s.SQL, -1)
	for range 1 + m.IntN(3) {
		switch m.IntN(4) {
		case 0:
			if !strings.HasPrefix(s.Why, "[case]") { // an attack by its case alone
				m.recase(parts)
			}
		case 1:
			m.respace(parts)
		case 2:
			m.requote(parts)
		}
	}
	sql := strings.Join(parts, "")
	if starts := strings.ToUpper(strings.TrimLeft(sql, "( \t\r\n\u00a0")); m.IntN(3) == 0 && (strings.HasPrefix(starts, "SELECT") || strings.HasPrefix(starts, "WITH") || strings.HasPrefix(starts, "FROM ")) {
		sql = m.wrap(sql)
	}
	switch m.IntN(6) {
	case 0:
		sql = "/* x */" + sql
	case 1:
		sql += ";"
	case 2:
		sql += " -- x"
	}
	return sql
}

// recase changes the case of words.
func (m mutator) recase(parts []string) {
	for i, p := range parts {
		if !isWord(p) {
			continue
		}
		switch m.IntN(4) {
		case 0:
			parts[i] = strings.ToUpper(p)
		case 1:
			parts[i] = strings.ToLower(p)
		case 2:
			half := len(p) / 2
			for half > 0 && p[half]&0xc0 == 0x80 {
				half--
			}
			parts[i] = strings.ToUpper(p[:half]) + strings.ToLower(p[half:])
		}
	}
}

// respace writes white space in other ways, and puts some between a name and its parenthesis.
func (m mutator) respace(parts []string) {
	spaces := []string{"  ", "\t", "\n", "\r\n", " /**/ ", "/* ; */", " -- x\n"}
	if m.dialect == sqlgate.DuckDB { // which takes a space of other scripts for a letter behind a quote in a comment
		spaces = append(spaces, "\u00a0", " /* /* */ */ ", "\u2003")
	} else {
		spaces = append(spaces, " /* ' */ ", "/* \" */")
	}
	if m.dialect == sqlgate.MySQL || m.dialect == sqlgate.MariaDB {
		spaces = append(spaces, " # x\n")
	}
	for i, p := range parts {
		switch {
		case strings.TrimSpace(p) == "" && !strings.ContainsAny(p, "\r\n") && m.IntN(3) == 0: // a line break may end a comment
			parts[i] = spaces[m.IntN(len(spaces))]
		case p == "(" && i > 0 && isWord(parts[i-1]) && m.IntN(4) == 0:
			parts[i] = spaces[m.IntN(len(spaces))] + "("
		}
	}
}

// requote puts quotes around names of functions and of tables with a schema.
func (m mutator) requote(parts []string) {
	quote := `"`
	if m.dialect == sqlgate.MySQL || m.dialect == sqlgate.MariaDB || m.dialect == sqlgate.ClickHouse && m.IntN(2) == 0 {
		quote = "`"
	}
	for i, p := range parts {
		called := i+1 < len(parts) && parts[i+1] == "("
		qualified := i+1 < len(parts) && parts[i+1] == "." || i > 0 && parts[i-1] == "."
		if isWord(p) && (called || qualified) && m.IntN(3) == 0 {
			if m.dialect == sqlgate.Postgres {
				p = strings.ToLower(p)
			}
			parts[i] = quote + p + quote
		}
	}
}

// wrap puts a query into another one.
func (m mutator) wrap(sql string) string {
	ways := []string{
		"WITH z AS (%) SELECT 1", "SELECT * FROM (%) q", "SELECT 1 UNION ALL %", "% UNION ALL SELECT 1", "SELECT (%)", "SELECT EXISTS (%)", "SELECT 1 WHERE 1 IN (%)",
		"SELECT CASE WHEN 1 = 1 THEN (%) END", "SELECT 1 ORDER BY (%)", "SELECT 1 LIMIT (%)", "(%)", "WITH z AS (SELECT 1), y AS (%) SELECT * FROM z", "SELECT coalesce((%), 1)",
	}
	switch m.dialect {
	case sqlgate.DuckDB:
		ways = append(ways, "SELECT list_transform([1], lambda x: (%))", "SELECT [(%) FOR x IN [1]]", "FROM (%)", "SELECT {'a': (%)}", "SELECT max(1) FILTER (WHERE (%) IS NULL)", "SELECT sum(1) OVER (ORDER BY (%))",
			"SELECT * FROM range(3) t(i), LATERAL (%) l", "PIVOT (%) ON 1 IN (1)", "WITH RECURSIVE z AS (SELECT 1 UNION ALL %) SELECT 1", "VALUES ((%))", "SELECT 1 UNION BY NAME %")
	case sqlgate.Postgres:
		ways = append(ways, "SELECT ARRAY(%)", "SELECT * FROM LATERAL (%) l", "SELECT 1 = ANY (%)", "VALUES ((%))", "SELECT ROW((%))", "WITH RECURSIVE z AS (SELECT 1 UNION ALL %) SELECT 1", "SELECT sum(1) OVER (ORDER BY (%))")
	case sqlgate.MySQL, sqlgate.MariaDB:
		ways = append(ways, "SELECT 1 > ALL (%)", "SELECT IF(1, (%), 2)", "WITH RECURSIVE z AS (SELECT 1 UNION ALL %) SELECT 1")
	}
	return strings.Replace(ways[m.IntN(len(ways))], "%", sql, 1)
}

func isWord(p string) bool {
	return p != "" && (p[0] == '_' || p[0] >= 'a' && p[0] <= 'z' || p[0] >= 'A' && p[0] <= 'Z')
}
