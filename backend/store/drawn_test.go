package store

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// drawnFile is a generated file with what is true of it.
type drawnFile struct {
	text                        string
	rows, cents                 int // that must be in the table, and their sum
	short, long, left, quotes   int64
	misfits, totals, missingDay int64
}

// draw writes a file of days, names and amounts, with line ends, a delimiter and faults of its own.
func draw(seed int64) drawnFile {
	r := rand.New(rand.NewSource(seed))
	var f drawnFile
	var b strings.Builder
	delimiter := []string{",", ";", "\t", "|"}[r.Intn(4)]
	lineEnds := [][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}, {"\r\n", "\n", "\r"}}[r.Intn(4)]
	put := func(fields ...string) {
		b.WriteString(strings.Join(fields, delimiter) + lineEnds[r.Intn(len(lineEnds))])
	}
	if r.Intn(4) == 0 {
		b.WriteString("sep=" + delimiter + "\n")
	}
	b.WriteString(strings.Join([]string{"day", "name", "amount"}, delimiter) + "\n")
	n := 100 + r.Intn(100)
	for i := range n {
		day, name, cents := fmt.Sprintf("2024-%02d-%02d", i%12+1, i%28+1), fmt.Sprint("n", r.Intn(40)), r.Intn(100_000)
		if r.Intn(3) == 0 {
			name = `"` + name + delimiter + "x" + `"`
		}
		amount := fmt.Sprintf("%d.%02d", cents/100, cents%100)
		f.rows++
		switch fault := r.Intn(40); {
		case fault == 0 && f.short < 3:
			put(day, name)
			f.short++
			continue
		case fault == 1 && f.long < 3:
			put(day, name, amount, "more")
			f.long++
		case fault == 2 && f.left < 3:
			put(day, "two", "names", amount)
			f.left++
			f.rows--
			continue
		case fault == 3 && f.quotes < 3:
			put(day, `"open`, amount)
			f.quotes++
		case fault == 4 && f.misfits < 3:
			put(day, name, "about "+amount)
			f.misfits++
			continue
		case fault == 5 && f.missingDay < 3:
			put("2024-02-31", name, amount)
			f.missingDay++
		default:
			put(day, name, amount)
		}
		f.cents += cents
	}
	if f.misfits+f.left+f.short+f.missingDay == 0 && r.Intn(2) == 0 {
		put("", "", fmt.Sprintf("%d.%02d", f.cents/100, f.cents%100))
		f.totals++
	}
	f.text = b.String()
	return f
}

// TestDrawnFiles: whatever is broken in a file, its rows and their sum are what they were drawn as, and what was not taken is
// counted in the notes.
func TestDrawnFiles(t *testing.T) {
	s := open(t, t.TempDir())
	for seed := range int64(24) {
		f := draw(seed)
		src := mustImport(t, s, write(t, fmt.Sprintf("drawn%d.csv", seed), f.text))
		table := src.Tables[0]
		want := fmt.Sprintf("%d|%d.%02d", f.rows, f.cents/100, f.cents%100)
		if got := rows(t, s, "SELECT count(*), sum(amount) FROM "+ident(table.Name)); got != want {
			t.Errorf("seed %d: %s, want %s\n%s\n%s", seed, got, want, strings.Join(src.Notes, "\n"), f.text)
		}
		said := map[string]int64{}
		for _, n := range table.Notes {
			said[n.Code+n.Column] += n.Count
		}
		for code, n := range map[string]int64{
			LinesShort: f.short, LinesLong: f.long, LinesLeftOut: f.left, QuotesOpen: f.quotes,
			FieldsMissing + "amount": f.misfits, FieldsMissing + "day": f.missingDay, TotalLines: f.totals,
		} {
			if said[code] != n {
				t.Errorf("seed %d: %d %s are said, want %d", seed, said[code], code, n)
			}
		}
	}
}
