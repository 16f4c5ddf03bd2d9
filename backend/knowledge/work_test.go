package knowledge

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

var worked = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

func TestWhatIsAskedAboutTogether(t *testing.T) {
	day := func(n int) time.Time { return worked.AddDate(0, 0, -n) }
	germany := Valued{"customers", "customers.country = 'Germany'"}
	all := []Worked{
		{At: day(1), Metrics: []string{"revenue"}, Dimensions: []string{"customers.country"}, Entities: []string{"customers"}, Values: []Valued{germany, germany}},
		{At: day(60), Metrics: []string{"revenue", "freight"}, Dimensions: []string{"customers.country"}, Entities: []string{"customers"}},
		{At: day(61), Metrics: []string{"freight"}, Entities: []string{"orders"}},
		{At: day(62), Metrics: []string{"freight"}, Entities: []string{"orders"}},
	}
	var pairs []string
	for _, p := range Together(all) {
		pairs = append(pairs, fmt.Sprintf("%d %s+%s %s", p.Times, p.One, p.Other, p.Last.Format(time.DateOnly)))
	}
	if got, want := strings.Join(pairs, "; "), "2 revenue+customers.country 2026-01-14; 1 customers+customers.country = 'Germany' 2026-01-14; 1 freight+customers.country 2025-11-16"; got != want {
		t.Errorf("together %s\nwant     %s", got, want)
	}
	var interests []string
	for _, i := range Interests(all, worked) {
		interests = append(interests, fmt.Sprintf("%s %.2f %d", i.Name, i.Weight, i.Times))
	}
	want := "customers.country 1.00 2; customers 1.00 2; revenue 1.00 2; customers.country = 'Germany' 0.80 1; freight 0.60 3; orders 0.39 2"
	if got := strings.Join(interests, "; "); got != want {
		t.Errorf("interests %s\nwant      %s", got, want)
	}
	if len(Together(nil)) != 0 || len(Interests(nil, worked)) != 0 {
		t.Error("there is something of nothing")
	}
}

// TestWorkDoesNotDependOnItsOrder: the same answers give the same pairs and interests, however they come.
func TestWorkDoesNotDependOnItsOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	var all []Worked
	for range 200 {
		pick := func(of string) []string {
			return []string{fmt.Sprintf("%s%d", of, draw.IntN(9)), fmt.Sprintf("%s%d", of, draw.IntN(9))}
		}
		all = append(all, Worked{At: worked.Add(-time.Duration(draw.IntN(90*24)) * time.Hour), Metrics: pick("m"), Dimensions: pick("e.d"), Entities: pick("e")})
	}
	together, interests := Together(all), Interests(all, worked)
	for range 5 {
		draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if !reflect.DeepEqual(Together(all), together) {
			t.Error("pairs depend on the order")
		}
		got := Interests(all, worked)
		for i := range got {
			if got[i].Name != interests[i].Name || got[i].Times != interests[i].Times {
				t.Errorf("interest %d is %+v, and was %+v", i, got[i], interests[i])
			}
		}
	}
	for _, i := range interests {
		if i.Weight < 0 || i.Weight > 1 {
			t.Errorf("%+v", i)
		}
	}
}

func TestWhatIsRecalledFirst(t *testing.T) {
	order := []float64{
		Recall(0.3, false, false, 0), Recall(0.3, false, false, 1), Recall(0.3, false, true, 0), Recall(0.3, false, true, 1), Recall(0, true, false, 0), Recall(0.9, true, true, 1),
	}
	for i, x := range order {
		if x < 0 || x > 1 || i > 0 && x <= order[i-1] {
			t.Errorf("recalled in the order %v", order)
		}
	}
}
