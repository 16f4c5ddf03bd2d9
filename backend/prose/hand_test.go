package prose

import (
	"testing"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

// TestLiesByHand are sentences that a clever liar would write: every reference in them is right, and what is said is not, or nobody can check it.
func TestLiesByHand(t *testing.T) {
	for _, c := range []narration{
		{"others as subject", ranking, nil, "{r0.category} and {r1.category} lead with {r0.revenue}.", ""},
		{"others as subject, by name", ranking, nil, "Beverages and Condiments are highest.", ""},
		{"respectively the other way", ranking, nil, "{r0.category} and {r1.category} had {r1.revenue} and {r0.revenue}.", ""},
		{"not its number", ranking, nil, "{r0.category} had {r0.revenue} with {r1.category}.", ""},
		{"no member's number", ranking, nil, "Revenue was {r1.revenue}.", ""},
		{"sum as a member's", ranking, nil, "Revenue of {r0.category} was {sum(revenue)} in total.", ""},
		{"mean as the number", ranking, nil, "Revenue was {mean(revenue)}.", ""},
		{"maximum as the number", ranking, nil, "Revenue was {max(revenue)}.", ""},
		{"maximum of another member", ranking, nil, "The highest revenue was {max(revenue)} in {r2.category}.", ""},
		{"number as a difference", ranking, nil, "{r0.category} is {r0.revenue} higher than {r1.category}.", ""},
		{"difference as a number", ranking, nil, "{r0.category} had {diff(r0.revenue,r1.revenue)}.", ""},
		{"difference to another", ranking, nil, "{r0.category} is {diff(r0.revenue,r1.revenue)} higher than {r2.category}.", ""},
		{"ratio the other way", ranking, nil, "{r1.category} made {ratio(r0.revenue,r1.revenue)} the revenue of {r0.category}.", ""},
		{"ratio as a difference", ranking, nil, "{r0.category} is {ratio(r0.revenue,r1.revenue)} higher than {r1.category}.", ""},
		{"share as the number", ranking, nil, "{r0.category} had revenue of {share(r0.revenue)}.", ""},
		{"share of a member", ranking, nil, "{r0.category} accounts for {share(r0.revenue)} of {r1.category}.", ""},
		{"rank without saying so", ranking, nil, "{r2.category} had {rank(r2.revenue)}.", ""},
		{"part of a whole", ranking, nil, "{r1.category} had {r1.revenue} of {sum(revenue)}.", ""},
		{"read together", ranking, nil, "{r0.category} had {r0.revenue}, {r1.revenue}.", ""},
		{"less than nothing", one, nil, "Revenue was ({r0.revenue}).", ""},
		{"bound, not value", ranking, nil, "{r0.category} had more than {r1.revenue}.", ""},
		{"bound by up to", ranking, nil, "Revenue was up to {r0.revenue} in {r0.category}.", ""},
		{"time where there is none", ranking, nil, "Revenue rose from {r1.revenue} in {r1.category} to {r0.revenue} in {r0.category}.", ""},
		{"an elided subject", ranking, nil, "{r1.category} is lowest with {r1.revenue} and leads.", ""},
		{"the same said of another", ranking, nil, "{r0.category} leads with {r0.revenue} and {r1.category} with {r1.revenue}.", ""},
		{"followed by the third", ranking, nil, "{r0.category} leads with {r0.revenue}, followed by {r3.category} with {r3.revenue}.", ""},
		{"followed by the next but one", ranking, nil, "{r0.category} leads with {r0.revenue}, followed by {r2.category} with {r2.revenue} and {r1.category} with {r1.revenue}.", ""},
		{"followed in time", series, nil, "Revenue was {r0.revenue} in {r0.order_date_month}, followed by {r1.revenue} in {r1.order_date_month}.", ""},
		{"a range of others", ranking, nil, "Revenue ranges from {r1.revenue} in {r1.category} to {r2.revenue} in {r2.category}.", ""},
		{"from another month", series, nil, "Revenue was {r3.revenue} in {r3.order_date_month}, up {pct(r3.revenue,r2.revenue)} from {r0.order_date_month}.", ""},
		{"before a target", goal, nil, "Compared with the period before, {r0.region} is above the target of {r0.revenue_goal} at {r0.revenue}.", ""},
		{"rows in order", ranking, nil, "The top row is {r0.category} with {r0.revenue}.", ""},
		{"labels alone", two, nil, "Revenue is orders.", ""},
		{"nothing to check", ranking, nil, "The data shows the revenue. {r0.category} leads with {r0.revenue}.", ""},
		{"count of something else", cross, nil, "The table lists {count} categories.", ""},
		{"count as a value", ranking, nil, "Revenue was {count}.", ""},
		{"years as days", climbing, nil, "{r0.order_date_year} had {r0.order_count} years.", ""},

		{"backwards", series, nil, "Revenue fell from {r3.revenue} in {r3.order_date_month} to {r0.revenue} in {r0.order_date_month}.", ""},
		{"backwards by difference", series, nil, "Overall revenue fell by {diff(r0.revenue,r3.revenue)}.", ""},
		{"a level as a change", series, nil, "Revenue rose by {r3.revenue} from {r0.order_date_month} to {r3.order_date_month}.", ""},
		{"a change as a level", series, nil, "Revenue rose to {diff(r3.revenue,r0.revenue)} from {r0.order_date_month} to {r3.order_date_month}.", ""},
		{"up a level", series, nil, "Revenue is up {r3.revenue} from {r0.order_date_month} to {r3.order_date_month}.", ""},
		{"one end alone", series, nil, "Revenue rose to {r3.revenue} in {r3.order_date_month}.", ""},
		{"ends that are not named", series, nil, "Revenue rose from {r0.revenue} to {r1.revenue}.", ""},
		{"a part of the series as all", series, nil, "Revenue rose by {pct(r1.revenue,r0.revenue)}.", ""},
		{"steadily where it fell between", series, nil, "Revenue rose steadily from {r0.revenue} in {r0.order_date_month} to {r3.revenue} in {r3.order_date_month}.", ""},
		{"not the end", series, nil, "Revenue ended at {r1.revenue} in {r1.order_date_month}.", ""},
		{"then down, in fact up", series, nil, "Revenue rose from {r0.revenue} in {r0.order_date_month} to {r1.revenue} in {r1.order_date_month} before rising to {r2.revenue} in {r2.order_date_month}.", ""},
		{"tripled", series, nil, "Revenue tripled from {r0.revenue} in {r0.order_date_month} to {r3.revenue} in {r3.order_date_month}.", ""},
		{"peak with a wrong month", series, nil, "Revenue peaked at {r3.revenue} in {r1.order_date_month}.", ""},
		{"nothing moved", climbing, nil, "Orders were unchanged from {r0.order_count} in {r0.order_date_year} to {r2.order_count} in {r2.order_date_year}.", ""},

		{"one dimension for two", cross, nil, "Beverages is highest with {r1.revenue}.", ""},
		{"month of all categories", cross, nil, "The highest month is {r1.order_date_month} with {r1.revenue}.", ""},
		{"another month", cross, nil, "{r0.category} had {r0.revenue} in {r1.order_date_month}.", ""},
		{"across categories", cross, nil, "Revenue fell from {r1.revenue} in {r1.order_date_month} to {r3.revenue} in {r3.order_date_month}.", ""},
		{"a span of another category", cross, nil, "Beverages fell by {diff(r3.revenue,r2.revenue)} from {r2.order_date_month} to {r3.order_date_month}.", ""},

		{"the base as the value", compared, nil, "Revenue was {r0.revenue_previous}.", ""},
		{"the change as the value", compared, nil, "Revenue was {r0.revenue_change}.", ""},
		{"up where it fell", compared, nil, "Revenue was {r0.revenue}, up from {r0.revenue_previous}.", ""},
		{"up by what it fell", compared, nil, "Revenue rose by {r0.revenue_change_pct} to {r0.revenue}.", ""},
		{"from the end to the base", compared, nil, "Revenue rose from {r0.revenue} to {r0.revenue_previous}.", ""},
		{"change of another row", beside, nil, "{r0.category} had {r0.revenue}, down {r1.revenue_change_pct}.", ""},
		{"base of another row", beside, nil, "{r0.category} had {r0.revenue}, up from {r1.revenue_previous}.", ""},
		{"rank by another column", beside, nil, "{r0.category} ranks {rank(r0.revenue)} by revenue change.", ""},
		{"target missed", goal, nil, "{r1.region} is at {r1.revenue}, above the target of {r1.revenue_goal}.", ""},
		{"base as target", beside, nil, "{r0.category} is at {r0.revenue}, above the target of {r0.revenue_previous}.", ""},
		{"the period before as this one", goal, nil, "{r0.region} is at {r0.revenue}, above the previous {r0.revenue_goal}.", ""},

		{"the total as a member's", totaled, nil, "{r0.category} had {total.revenue}.", ""},
		{"a member as the total", totaled, nil, "Revenue was {r0.revenue} in total.", ""},
		{"the total row by number", totaled, nil, "Revenue was {r2.revenue}.", ""},
		{"the total as the highest", totaled, nil, "The highest revenue was {total.revenue} in total.", ""},

		{"rates added", rates, nil, "The total margin is {sum(margin)}.", ""},
		{"rates averaged", rates, nil, "The average margin is {mean(margin)}.", ""},
		{"share of rates", rates, nil, "North accounts for {share(r0.margin)} of the margin.", ""},
		{"percent of percent", rates, nil, "The margin of North is {pct(r0.margin,r1.margin)} higher than that of South.", ""},
		{"stock added over months", frame([]frameql.Column{month, stock}, []any{"1997-01-01", int64(5)}, []any{"1997-02-01", int64(6)}), nil, "Stock is {sum(stock)} in total.", ""},

		{"which measure", measure, nil, "{r0.region} had {r0.order_count}.", ""},
		{"orders called revenue", measure, nil, "{r0.region} had revenue of {r0.order_count}.", ""},
		{"revenue called orders", measure, nil, "{r0.region} had {r0.revenue} orders.", ""},
		{"highest in another", measure, nil, "The highest region in orders is {r0.region} with revenue of {r0.revenue}.", ""},
		{"highest in none", measure, nil, "{r0.region} leads.", ""},
		{"mixed arithmetic", measure, nil, "{r0.region} has a gap of {diff(r0.revenue,r0.order_count)} in revenue.", ""},
		{"more of what", measure, nil, "{r0.region} has more than {r1.region}.", ""},
		{"more orders", measure, nil, "{r0.region} has more orders than {r1.region}.", ""},

		{"highest of a cut frame", cut, nil, "{r0.category} leads with {r0.revenue}.", ""},
		{"sum of a cut frame", cut, nil, "In total, revenue was {sum(revenue)}.", ""},
		{"count of a cut frame", cut, nil, "The table lists {count} rows.", ""},
		{"share of a cut frame", cut, nil, "{r0.category} accounts for {share(r0.revenue)} of the revenue.", ""},
		{"lowest of a top", topped, topPlan, "{r2.category} is lowest with {r2.revenue}.", ""},
		{"highest of a bottom", topped, bottomPlan, "{r0.category} leads with {r0.revenue}.", ""},
		{"sum of a top", topped, topPlan, "In total, revenue was {sum(revenue)}.", ""},
		{"rank of a bottom", topped, bottomPlan, "{r0.category} ranks {rank(r0.revenue)}.", ""},
		{"the rest as a member", rest, restPlan, "The highest revenue was {r2.revenue}.", ""},
		{"lowest beside a rest", rest, restPlan, "{r1.category} is lowest with {r1.revenue}.", ""},
		{"count beside a rest", rest, restPlan, "The table lists {count} categories.", ""},
		{"highest of twins", twins, nil, "{r0.category} leads with {r0.order_count} orders.", ""},
		{"rank of twins", twins, nil, "{r0.category} ranks {rank(r0.order_count)}.", ""},
		{"more than a twin", twins, nil, "{r0.category} has more orders than {r1.category}.", ""},
		{"highest of one", one, nil, "The highest revenue was {r0.revenue}.", ""},
		{"printed alike", frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("5.001")}, []any{"1997-02-01", dec("5.002")}), nil, "Revenue rose from {r0.revenue} to {r1.revenue}.", ""},
		{"divided by nothing", frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("0")}, []any{"1997-02-01", dec("5")}), nil, "Revenue rose by {pct(r1.revenue,r0.revenue)}.", ""},
		{"from below zero", frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("-5")}, []any{"1997-02-01", dec("5")}), nil, "Revenue rose by {pct(r1.revenue,r0.revenue)}.", ""},
		{"a missing value", frame([]frameql.Column{revenue}, []any{nil}), nil, "Revenue was {r0.revenue}.", ""},
		{"no number", frame([]frameql.Column{{Name: "x", Label: "Ratio", Role: frameql.RoleMetric, Type: "float"}}, []any{"NaN"}), nil, "Ratio was {r0.x}.", ""},
		{"a flag", totaled, nil, "{r0.is_total} had {r0.revenue}.", ""},
		{"no such row", ranking, nil, "{r9.category} had {r9.revenue}.", ""},
		{"no such column", ranking, nil, "{r0.category} had {r0.profit}.", ""},
		{"no such function", ranking, nil, "Revenue was {median(revenue)}.", ""},
		{"unclosed", ranking, nil, "{r0.category} had {r0.revenue", ""},
		{"nested", ranking, nil, "{r0.category} had {{r0.revenue}}.", ""},
		{"row by another digit", ranking, nil, "{r٠.category} had {r0.revenue}.", ""},
		{"row with a zero before", ranking, nil, "{r00.category} had {r00.revenue}.", ""},
		{"negative row", ranking, nil, "{r-1.category} had {r0.revenue}.", ""},
		{"empty", ranking, nil, "", ""},
		{"digits alone", one, nil, "617,085.20 USD", ""},
		{"the right digits", one, nil, "Revenue was 617,085.20 USD.", ""},
		{"another script", one, nil, "Выручка была {r0.revenue}.", ""},
		{"a letter of another script", one, nil, "Rеvenue was {r0.revenue}.", ""},
		{"nothing wide", one, nil, "Revenue\u200b was {r0.revenue}.", ""},
		{"backwards letters", one, nil, "Revenue was \u202e{r0.revenue}.", ""},
		{"a mark over a letter", one, nil, "Reve\u0301nue was {r0.revenue}.", ""},
		{"another language", one, nil, "Der Umsatz betrug {r0.revenue}.", ""},
	} {
		if got, violations := Lock(c.text, Scene{Frame: c.frame, Plan: c.plan}); len(violations) == 0 {
			t.Errorf("%s: %q shows %q", c.name, c.text, got.Text)
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for text, kind := range map[string]Kind{
		"Revenue was 12.":                              Digit,
		"Revenue was ⅓ of it.":                         Digit,
		"Revenue was forty.":                           NumberWord,
		"Revenue was XIV.":                             NumberWord,
		"Revenue waren zwölf.":                         NumberWord,
		"{r0.category} is third.":                      Ordinal,
		"Revenue in March was {r0.revenue}.":           Date,
		"Revenue was {r0.revenue} percent.":            Unit,
		"Revenue was € here.":                          Unit,
		"See www.example.com for {r0.category}.":       Address,
		"**{r0.category}** leads.":                     Markup,
		"{r0.category} leads because of it.":           Causal,
		"{r0.category} leads as a result.":             Word,
		"{r0.category} led to it.":                     Causal,
		"{r0.category} will lead.":                     Future,
		"{r0.category} leads every period.":            Universal,
		"{r0.category} does not lead.":                 Word,
		"{r0.category} is not the highest.":            Negation,
		"{r0.category} didn't lead.":                   Negation,
		"{r0.category} leads clearly.":                 Word,
		"{r0.category} is about {r0.revenue}.":         Vague,
		"{r0.nothing} leads.":                          Reference,
		"{r1.category} leads.":                         Superlative,
		"{r0.category} is lower than {r1.category}.":   Comparative,
		"{r0.category} rose.":                          Direction,
		"{r1.category} had {r0.revenue}.":              Member,
		"Average revenue was {sum(revenue)}.":          Total,
		"{r0.revenue}{r1.revenue}":                     Structure,
		"{r0.category} leads in weather with the data": Word,
	} {
		_, violations := Lock(text, Scene{Frame: ranking})
		found := false
		for _, v := range violations {
			found = found || v.Kind == kind
		}
		if !found {
			t.Errorf("%q: %v, want %s", text, violations, kind)
		}
	}
}

func TestAMemoRefusesItsWords(t *testing.T) {
	text := "{r0.category} leads with {r0.revenue}."
	if _, v := Lock("The revenue of {r0.category} was {r0.revenue}.", Scene{Frame: ranking, Refuses: []string{"revenues"}}); len(v) != 1 || v[0].Kind != Memo {
		t.Errorf("%v", v)
	}
	if _, v := Lock(text, Scene{Frame: ranking, Refuses: []string{"salaries"}}); len(v) > 0 {
		t.Errorf("%v", v)
	}
}

func TestMembersThatAreNoNames(t *testing.T) {
	hostile := frame([]frameql.Column{category, revenue},
		[]any{"![x](https://example.com/x.png)", dec("3")}, []any{"https://example.com", dec("2")}, []any{"highest", dec("1")}, []any{"Seven", dec("5")},
		[]any{"<b>x</b>", dec("6")}, []any{"a\u202eb", dec("7")}, []any{"7 Up", dec("8")}, []any{nil, dec("9")})
	for row := range 2 {
		if got, v := Lock("{r"+string(rune('0'+row))+".category} had {r"+string(rune('0'+row))+".revenue}.", Scene{Frame: hostile}); len(v) == 0 {
			t.Errorf("shows %q", got.Text)
		}
	}
	for text, want := range map[string]string{
		"{r2.category} had {r2.revenue}.":     "highest had 1.00 USD.", // by reference it is a name
		"{r6.category} had {r6.revenue}.":     "7 Up had 8.00 USD.",
		"{r7.category} leads at {r7.revenue}": "no value leads at 9.00 USD.",
		"Seven had {r3.revenue}.":             "",
		"highest had {r2.revenue}.":           "",
		"{r4.category} had {r4.revenue}.":     "",
		"{r5.category} had {r5.revenue}.":     "",
	} {
		if got, v := Lock(text, Scene{Frame: hostile}); got.Text != want {
			t.Errorf("%q: %q %v", text, got.Text, v)
		}
	}
}

func TestUnitsAndCitations(t *testing.T) {
	f := frame([]frameql.Column{category, metric("co2", "Emissions", "float", "t CO2")}, []any{"a corp", 1.5}, []any{"b corp", 0.5})
	got, v := Lock("{r0.category} at {r0.co2} exceeds {r1.category} by {diff(r0.co2,r1.co2)}. In total, emissions were {sum(co2)} over {count} rows.", Scene{Frame: f})
	if len(v) == 0 {
		t.Errorf("over a number: %q", got.Text)
	}
	got, v = Lock("{r0.category} at {r0.co2} exceeds {r1.category} by {diff(r0.co2,r1.co2)}. In total, emissions were {sum(co2)} across {count} rows.", Scene{Frame: f})
	if want := "a corp at 1.5 t CO2 exceeds b corp by 1 t CO2. In total, emissions were 2 t CO2 across 2 rows."; got.Text != want {
		t.Fatalf("%q %v", got.Text, v)
	}
	formulas := []string{"", "", "", "diff(r0.co2,r1.co2)", "sum(co2)", ""}
	for i, c := range got.Citations {
		if c.Formula != formulas[i] || c.Frame != f.ID {
			t.Errorf("%d: %+v", i, c)
		}
	}
	pair, sum, count := got.Citations[3], got.Citations[4], got.Citations[5]
	if len(pair.Cells) != 2 || pair.Cells[1].Row != 1 || pair.Row != 0 || pair.Column != "co2" || len(sum.Cells) != 1 || sum.Cells[0].Row != -1 || sum.Row != -1 || sum.Column != "co2" || count.Row != -1 || count.Column != "" {
		t.Errorf("%+v %+v %+v", pair, sum, count)
	}
	if s := got.Text[pair.Start:pair.End]; s != "1 t CO2" {
		t.Errorf("%q", s)
	}
	if s := frameview.Grouped(2); got.Text[count.Start:count.End] != s {
		t.Errorf("count %q", got.Text[count.Start:count.End])
	}
}

func TestSentencesOfATextThatIsBeingWritten(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Revenue rose": "", "Revenue rose.": "", "Revenue rose. ": "Revenue rose.", "Revenue rose.\nIt": "Revenue rose.",
		"{sum(a. b)} rose. It fell": "{sum(a. b)} rose.", "{r0.revenue. ": "", "Up! Down? Both. Ne": "Up! Down? Both.", "at 3.14 it": "",
	} {
		if got := Sentences(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
