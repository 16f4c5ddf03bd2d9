package sniff

import "testing"

// Sums that agree by accident take no row out: numbers of rows, and one small number in a row that has labels.
func TestSumsByAccidentAreRows(t *testing.T) {
	for name, records := range map[string][][]string{
		"numbers of rows":             {{"1", "Ana", "true"}, {"2", "Bo", "false"}, {"3", "Carla", ""}},
		"numbers of rows, unlabelled": {{"1", "a"}, {"2", "b"}, {"3", ""}},
		"one small number":            {{"Ana", "north", "4"}, {"Bo", "north", "5"}, {"Carla", "", "9"}},
	} {
		if found := Totals(records); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
	for name, records := range map[string][][]string{
		"without any label": {{"a", "10"}, {"b", "25"}, {"", "35"}},
		"called a total":    {{"1", "a", "4"}, {"2", "b", "6"}, {"", "Total", "10"}},
	} {
		if found := Totals(records); len(found) != 1 || found[0].Row != 2 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
