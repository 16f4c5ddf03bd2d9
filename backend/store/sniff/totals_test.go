package sniff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func table(lines string) (records [][]string) {
	for _, line := range strings.Split(lines, "\n") {
		records = append(records, strings.Split(line, ","))
	}
	return records
}

func TestTotals(t *testing.T) {
	cases := []struct {
		name, table string
		want        []int
	}{
		{"at the end", "Mon,N,100\nTue,S,200\nWed,W,300\nTotal,,600", []int{3}},
		{"a brand is called so", "Shell,10\nTotal,20\nBP,30", nil},
		{"a brand whose number happens to agree with one above", "Shell,20\nTotal,20\nBP,30", nil},
		{"another language", "Nord,10\nSüd,20\nGesamt,30", []int{2}},
		{"no label", "Mon,N,100\nTue,S,200\nWed,W,300\n,,600", []int{3}},
		{"no label and another sum", "Mon,N,100\nTue,S,200\nWed,W,300\n,,601", nil},
		{"subtotals", "N,A,1\nN,B,2\nN Total,,3\nS,C,4\nS Total,,4\nGrand Total,,7", []int{2, 4, 5}},
		{"subtotals above their lines", "N,,3\nN,A,1\nN,B,2\nS,,9\nS,C,4\nS,D,5", []int{0, 3}},
		{"at the top", "Total,60\nNord,10\nSüd,20\nWest,30", []int{0}},
		{"an average", "N,10\nS,20\nAverage,15", []int{2}},
		{"two numbers agree in an unknown language", "a,1,5\nb,2,6\nc,3,7\nzzz,6,18", []int{3}},
		{"one small number agrees", "a,1\nb,2\nc,3", nil},
		{"two of two", "a,5\nb,5", nil},
		{"zeros", "a,0\nb,0\nTotal,0", nil},
		{"in the middle", "a,1,10\nb,2,20\nTotal,3,30\nx,4,40", []int{2}},
		{"in the middle, and more numbers are no sums", "a,1,10,5\nb,2,20,5\nTotal,3,31,6\nx,4,40,5", nil},
	}
	for _, c := range cases {
		var got []int
		for _, x := range Totals(table(c.table)) {
			got = append(got, x.Row)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTotalsAgree draws tables with subtotals and a grand total, and breaks some of them: those that add up are found, and
// those that do not are left where they are. Without its totals a table has the sum that it was drawn with.
// TestCalled finds the lines that are called totals and add up nothing, and no thing that is called so.
func TestCalled(t *testing.T) {
	cases := []struct {
		name, table string
		want        []int
	}{
		{"another sum", "Mon,N,100\nTue,S,200\nWed,W,300\nTotal,,601", []int{3}},
		{"a sum that agrees", "Mon,N,100\nTue,S,200\nWed,W,300\nTotal,,600", nil},
		{"in a column of numbers", "1,N,100\n2,S,200\n3,W,300\n4,W,400\n5,N,100\n6,S,200\n7,W,300\n8,W,400\n9,W,300\n10,W,400\nTotal,,2701", []int{10}},
		{"two words, in another language", "Mon,N,100\nTue,S,200\nWed,W,300\nTOTAL GÉNÉRAL:,,601", []int{3}},
		{"a brand", "Shell,10\nTotal,20\nBP,30", nil},
		{"a device", "a,Valve,x,10\nb,Total Station,,20\nc,Pump,y,30\nd,Pump,z,30", nil},
	}
	for _, c := range cases {
		var got []int
		records := table(c.table)
		for _, x := range Called(records, Totals(records)) {
			got = append(got, x.Row)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTotalsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records [][]string
		var want []int
		sum := 0
		groups := rapid.IntRange(1, 4).Draw(t, "groups")
		for g := range groups {
			part := 0
			for i := range rapid.IntRange(2, 6).Draw(t, "rows") {
				n := rapid.IntRange(1, 99999).Draw(t, "n")
				part += n
				records = append(records, []string{fmt.Sprint("g", g), fmt.Sprint("m", i), fmt.Sprint(n)})
			}
			want = append(want, len(records))
			records = append(records, []string{fmt.Sprint("g", g, " total"), "", fmt.Sprint(part)})
			sum += part
		}
		wrong := rapid.Bool().Draw(t, "wrong")
		if wrong {
			records = append(records, []string{"Grand total", "", fmt.Sprint(sum + 100_000_000)})
		} else {
			want = append(want, len(records))
			records = append(records, []string{"Grand total", "", fmt.Sprint(sum)})
		}
		var got []int
		for _, x := range Totals(records) {
			got = append(got, x.Row)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v, in %v", got, want, records)
		}
	})
}
