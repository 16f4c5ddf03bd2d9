package sniff

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Total is a record that is no row of its own: its numbers are the sum, or the mean, of others.
type Total struct {
	Row   int    // index of the record
	Label string // the word of a total that it is called by; empty: none
	Mean  bool
}

// totalWords are what people call a line of totals, in the languages that exports come in. They are no proof: the sums have to
// agree. meanWords are the same of a line of means.
var (
	totalWords = words(`total totals totalling sum subtotal subtotals overall gesamt gesamtsumme gesamtbetrag gesamtergebnis summe insgesamt zwischensumme
		endsumme teilsumme somme ensemble suma sumas totale totali somma complessivo totaal subtotaal totalt summa yhteensä razem suma łącznie celkem spolu
		összesen ukupno skupaj toplam итого всего итог разом усього сума общо σύνολο jumlah geral général générale`)
	meanWords = words(`average averages avg mean means durchschnitt mittelwert mittel moyenne promedio media médio média gemiddelde genomsnitt medelvärde
		gennemsnit keskiarvo średnia průměr átlag ortalama среднее середнє`)
	totalSigns = strings.Fields(`合計 合计 总计 總計 小計 小计 合算 총계 합계 소계 المجموع الإجمالي סה"כ รวม`)
	meanSigns  = strings.Fields(`平均 평균 المتوسط`)
)

func words(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// named reports whether a label has one of the words, or one of the signs of scripts that leave no blanks between words.
func named(label string, words map[string]bool, signs []string) bool {
	if len(label) > longestLabel {
		return false
	}
	parts := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(parts, func(w string) bool { return words[w] }) ||
		slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(label, sign) })
}

// longestLabel is the longest text, in bytes, that may be the label of a total.
const longestLabel = 60

// Totals finds the records of a whole table that add up others: all of them, those above since the last such line, or those that
// have the same labels. A record is one when its numbers agree with the sums. By what it is called, or by the labels that it
// lacks and the others have, a line is known for a candidate; any other must be the first or the last and agree in more
// than one number, or in a long one.
func Totals(records [][]string) []Total {
	if len(records) < 2 || len(records) > mostForTotals {
		return nil
	}
	t := summing{records: records}
	t.readColumns()
	if len(t.numeric) == 0 {
		return nil
	}
	candidates := t.candidates()
	for {
		found := t.agree(candidates)
		if len(found) == len(candidates) {
			return found
		}
		left := map[int]bool{}
		for _, x := range found {
			left[x.Row] = true
		}
		candidates = left // what does not agree is a row, and counts for the others
	}
}

// Called finds the records that are called a total and nothing else, lack what the others have, and are none by their sums: each
// counts as a row, which a person wants to know. found are the totals of the same records.
func Called(records [][]string, found []Total) (all []Total) {
	if len(records) < 2 || len(records) > mostForTotals {
		return nil
	}
	t := summing{records: records}
	t.readColumns()
	for row := range records {
		if slices.ContainsFunc(found, func(x Total) bool { return x.Row == row }) {
			continue
		}
		for i := range records[row] {
			label := t.text(row, i)
			if onlyTotal(label) && (t.lacking(row) || !slices.Contains(t.labels, i)) {
				all = append(all, Total{Row: row, Label: label})
				break
			}
		}
	}
	return all
}

// besideTotal are words that stand with those of a total.
var besideTotal = words("grand sub all of")

// onlyTotal reports whether a label says that its line is a total, and nothing else: "Total Station" is a thing.
func onlyTotal(label string) bool {
	if len(label) > longestLabel {
		return false
	}
	parts := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return !unicode.IsLetter(r) })
	other := func(w string) bool { return !totalWords[w] && !besideTotal[w] }
	return slices.Contains(totalSigns, label) ||
		slices.ContainsFunc(parts, func(w string) bool { return totalWords[w] }) && !slices.ContainsFunc(parts, other)
}

// mostForTotals bounds the records among which totals are looked for.
const mostForTotals = 20_000

type summing struct {
	records [][]string
	filled  []int     // records that have a value, by column
	numeric []int     // columns
	labels  []int     // the other columns that have values
	cells   [][]int64 // of each numeric column in each record, in units of its last place; see missingCell
}

// missingCell stands for a cell without a number.
const missingCell = math.MinInt64

// readColumns takes the columns apart: those in which nearly every value is a number, and the others.
func (t *summing) readColumns() {
	width := 0
	for _, r := range t.records {
		width = max(width, len(r))
	}
	t.filled = make([]int, width)
	for i := range width {
		var values []Value
		for j := range t.records {
			if s := t.text(j, i); s != "" {
				values = append(values, Value{Text: s, Count: 1})
				t.filled[i]++
			}
		}
		filled := int64(t.filled[i])
		if filled == 0 {
			continue
		}
		shape, ok := number(values, filled/10+1)
		if !ok || shape.Type != Integer && shape.Type != Decimal || filled < 2 {
			t.labels = append(t.labels, i)
			continue
		}
		unit := int64(math.Pow10(shape.Scale))
		column := make([]int64, len(t.records))
		re := regexp.MustCompile("^(?:" + shape.Pattern() + ")$")
		for j := range t.records {
			column[j] = missingCell
			if s := t.text(j, i); re.MatchString(s) {
				if f, err := strconv.ParseFloat(shape.Number.Clean(s), 64); err == nil && math.Abs(f) < 1e12 {
					column[j] = int64(math.Round(f * float64(unit)))
				}
			}
		}
		if numbering(column) {
			continue
		}
		t.numeric, t.cells = append(t.numeric, i), append(t.cells, column)
	}
}

// numbering reports whether the values of a column number its records: all differ, with hardly a gap. What adds up in it does so by
// accident.
func numbering(column []int64) bool {
	seen := map[int64]bool{}
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range column {
		if x == missingCell {
			continue
		}
		if seen[x] {
			return false
		}
		seen[x] = true
		low, high = min(low, x), max(high, x)
	}
	n := int64(len(seen))
	return n > 1 && high-low < n+n/4
}

func (t *summing) text(row, column int) string {
	if column >= len(t.records[row]) {
		return ""
	}
	s := strings.TrimSpace(t.records[row][column])
	if oneOf(base, s) {
		return ""
	}
	return s
}

// candidates are the records that may be totals by what they are called, by the labels that they lack, or by their place.
func (t *summing) candidates() map[int]bool {
	all := map[int]bool{}
	for j := range t.records {
		if t.called(j, totalWords, totalSigns) || t.called(j, meanWords, meanSigns) || t.lacking(j) {
			all[j] = true
		}
	}
	for _, j := range []int{0, len(t.records) - 1} {
		if !all[j] && t.byPlace(j, all) {
			all[j] = true
		}
	}
	return all
}

// called reports whether a label of a record has one of the words or signs.
func (t *summing) called(row int, words map[string]bool, signs []string) bool {
	return slices.ContainsFunc(t.labels, func(i int) bool { return named(t.text(row, i), words, signs) })
}

// lacking reports whether a record lacks a label that most of the records have.
func (t *summing) lacking(row int) bool {
	return slices.ContainsFunc(t.labels, func(i int) bool {
		return t.text(row, i) == "" && t.filled[i]*10 >= (len(t.records)-1)*6
	})
}

// byPlace reports whether the numbers of a record agree so well with the sums of all others that it is no accident.
func (t *summing) byPlace(row int, totals map[int]bool) bool {
	rows := t.rows(func(j int) bool { return j != row && !totals[j] })
	agreed, others := t.compare(row, rows, false)
	if others > 0 || len(rows) < 3 {
		return false
	}
	return agreed > 1 || agreed == 1 && len(rows) > 3 && t.longNumber(row)
}

// longNumber reports whether a record has a number that is no accident when it alone is a sum.
func (t *summing) longNumber(row int) bool {
	return slices.ContainsFunc(t.cells, func(column []int64) bool {
		x := column[row]
		return x != missingCell && max(x, -x) >= longNumber
	})
}

// telling reports whether a record that nothing calls a total may be one by its sums: it has no label at all, several numbers, or a
// long one.
func (t *summing) telling(row int) bool {
	labelled := slices.ContainsFunc(t.labels, func(i int) bool { return t.text(row, i) != "" })
	numbers := 0
	for _, column := range t.cells {
		if column[row] != missingCell {
			numbers++
		}
	}
	return !labelled || numbers > 1 || t.longNumber(row)
}

// longNumber is what a sum must reach, in units of its last place, to be no accident when it is the only one.
const longNumber = 1000

// agree gives the candidates whose numbers are sums or means of the records that are no candidates.
func (t *summing) agree(candidates map[int]bool) (found []Total) {
	data := func(j int) bool { return !candidates[j] }
	for row := range t.records {
		if !candidates[row] {
			continue
		}
		x := Total{Row: row}
		word, mean, lacks := t.called(row, totalWords, totalSigns), t.called(row, meanWords, meanSigns), t.lacking(row)
		whole := t.rows(data)
		above, same := t.above(row, candidates), t.alike(row, candidates)
		sums := func(rows []int, least int) bool {
			agreed, others := t.compare(row, rows, false)
			return len(rows) >= least && agreed > 0 && (others == 0 || word && agreed >= others)
		}
		switch {
		case word && (sums(whole, 2) || lacks && sums(whole, 1)):
		case word && (sums(above, 2) || lacks && sums(above, 1)):
		case lacks && (t.telling(row) && sums(whole, 2) || sums(same, 2)):
		case word && lacks && sums(same, 1):
		case !word && !mean && !lacks && t.byPlace(row, candidates):
		case mean:
			agreed, others := t.compare(row, whole, true)
			if x.Mean = true; len(whole) < 2 || agreed == 0 || others > 0 {
				continue
			}
		default:
			continue
		}
		if word || mean {
			x.Label = t.label(row)
		}
		found = append(found, x)
	}
	return found
}

// rows lists the records that pass.
func (t *summing) rows(pass func(row int) bool) (all []int) {
	for j := range t.records {
		if pass(j) {
			all = append(all, j)
		}
	}
	return all
}

// above lists the records between a candidate and the one before it.
func (t *summing) above(row int, candidates map[int]bool) (all []int) {
	for j := row - 1; j >= 0 && !candidates[j]; j-- {
		all = append(all, j)
	}
	return all
}

// alike lists the records that have the labels which a candidate has.
func (t *summing) alike(row int, candidates map[int]bool) []int {
	own := slices.DeleteFunc(slices.Clone(t.labels), func(i int) bool { return t.text(row, i) == "" })
	if len(own) == 0 {
		return nil
	}
	return t.rows(func(j int) bool {
		return !candidates[j] && !slices.ContainsFunc(own, func(i int) bool { return t.text(j, i) != t.text(row, i) })
	})
}

// label is the label of a record that says what it is.
func (t *summing) label(row int) string {
	for _, i := range t.labels {
		if s := t.text(row, i); named(s, totalWords, totalSigns) || named(s, meanWords, meanSigns) {
			return s
		}
	}
	return ""
}

// compare counts the numbers of a record that are the sum of rows, or their mean, and those that are not. Zeros prove nothing.
func (t *summing) compare(row int, rows []int, mean bool) (agreed, others int) {
	for k := range t.numeric {
		x := t.cells[k][row]
		if x == missingCell {
			continue
		}
		sum, n := int64(0), int64(0)
		for _, j := range rows {
			if c := t.cells[k][j]; c != missingCell {
				sum, n = sum+c, n+1
			}
		}
		off := float64(x - sum)
		if mean {
			off = float64(x) - float64(sum)/float64(max(n, 1))
		}
		switch {
		case x == 0 && sum == 0:
		case math.Abs(off) <= 0.5 && mean, off == 0:
			agreed++
		default:
			others++
		}
	}
	return agreed, others
}
