package interpret

import "testing"

func TestAlikeValues(t *testing.T) {
	ix := NewIndex(traders(), traderValues())
	for _, c := range []struct {
		said, first string
		like        float64
	}{
		{"alfreds futterkiste", "Alfreds Futterkiste", 1},
		{"Alfreds", "Alfreds Futterkiste", 0.7},
		{"alfreds futterkist", "Alfreds Futterkiste", 0.8},
		{"Ernst Handle", "Ernst Handel", 0.5},
		{"sao paulo", "São Paulo", 1},
		{"b's beverages", "B's Beverages", 1},
		{"beverages", "Beverages", 1},
		{"german", "Germany", 0.7},
	} {
		got := ix.Alike(c.said, 5)
		if len(got) == 0 || got[0].Value != c.first || got[0].Like < c.like || got[0].Like > 1 {
			t.Errorf("%q finds %+v", c.said, got)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Like > got[i-1].Like {
				t.Errorf("%q finds %+v", c.said, got)
			}
		}
	}
	for _, said := range []string{"Maria Anders", "", "  ", "zzzzqqq", "!!!"} {
		if got := ix.Alike(said, 5); len(got) > 0 {
			t.Errorf("%q finds %+v", said, got)
		}
	}
	if got := ix.Alike("germany", 1); len(got) != 1 || got[0].Like != 1 {
		t.Errorf("%+v", got)
	}
}
