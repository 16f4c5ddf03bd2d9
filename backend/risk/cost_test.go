package risk

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCost(t *testing.T) {
	for _, c := range []struct {
		name   string
		stakes Stakes
		value  float64
		label  string
	}{
		{"nothing said", Stakes{}, 0.4, "normal"},
		{"stated normal", Stakes{Criticality: "normal"}, 0.4, "normal"},
		{"stated low", Stakes{Criticality: "low"}, 0.2, "low"},
		{"stated high", Stakes{Criticality: "high"}, 0.7, "high"},
		{"for the board", Stakes{Audience: []string{"board"}}, 0.8, "high"},
		{"stated low, for the board", Stakes{Criticality: "low", Audience: []string{"board"}}, 0.8, "high"},
		{"low and urgent", Stakes{Criticality: "low", Urgent: true}, 0.25, "low"},
		{"urgent", Stakes{Urgent: true}, 0.45, "normal"},
		{"cannot be undone", Stakes{Irreversible: true}, 0.55, "high"},
		{"for a regulator, filed, today", Stakes{Criticality: "high", Audience: []string{"regulator", "board"}, Irreversible: true, Urgent: true}, 1, "high"},
		{"unknown words", Stakes{Criticality: "cosmic", Audience: []string{"cat"}}, 0.4, "normal"},
	} {
		got := c.stakes.Cost()
		if got.Value != c.value || got.Label != c.label || len(got.Reasons) == 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestMoreAtStakeNeverCostsLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Stakes{
			Criticality:  rapid.SampledFrom([]string{"", "low", "normal", "high"}).Draw(t, "criticality"),
			Irreversible: rapid.Bool().Draw(t, "irreversible"), Urgent: rapid.Bool().Draw(t, "urgent"),
		}
		before := s.Cost().Value
		s.Audience = append(s.Audience, rapid.SampledFrom([]string{"team", "board", "regulator", "public", "nobody"}).Draw(t, "audience"))
		after := s.Cost()
		if after.Value < before || after.Value > 1 || (after.Label == "high") != (after.Value >= 0.5) {
			t.Fatalf("%v, then %+v", before, after)
		}
	})
}

func TestStakesAreReadFromWords(t *testing.T) {
	l := NewLexicon()
	for question, want := range map[string]struct {
		audience string
		words    string
		more     string
	}{
		"revenue by month for the board meeting":                       {"board", "for the board meeting", ""},
		"This is for the Board  meeting: revenue by month":             {"board", "This is for the Board  meeting", ""},
		"churn last quarter, for our CEO":                              {"executive", "for our CEO", ""},
		"the CFO wants to know how many invoices are open":             {"executive", "the CFO wants to know", ""},
		"headcount for the earnings call and for the press release":    {"investor public", "for the earnings call|for the press release", "irreversible"},
		"taxable sales 2025 for the tax return, as soon as possible":   {"regulator", "for the tax return|as soon as possible", "irreversible urgent"},
		"orders for the auditors by end of day":                        {"auditor", "for the auditors|by end of day", "urgent"},
		"revenue of board games by month":                              {"", "", ""},
		"orders of investors by country":                               {"", "", ""},
		"which regulator approved most drugs":                          {"", "", ""},
		"goals for the team with most wins":                            {"", "", ""},
		"revenue for the client ACME":                                  {"", "", ""},
		"number of audits per press office":                            {"", "", ""},
		"how many tickets are urgent":                                  {"", "", ""},
		"for the boardroom furniture: spend by supplier":               {"", "", ""},
		"asapscience views by week":                                    {"", "", ""},
		"sales for the supervisory board and for the leadership team.": {"board executive", "for the supervisory board|for the leadership team", ""},
	} {
		s, mentions := l.Read(question)
		var words []string
		for _, m := range mentions {
			if question[m.From:m.To] != m.Text {
				t.Errorf("%q: %+v is not there", question, m)
			}
			words = append(words, m.Text)
		}
		more := strings.TrimSpace(map[bool]string{true: "irreversible"}[s.Irreversible] + map[bool]string{true: " urgent"}[s.Urgent])
		if strings.Join(s.Audience, " ") != want.audience || strings.Join(words, "|") != want.words || more != want.more {
			t.Errorf("%q: %+v, %q", question, s, words)
		}
	}
}

func TestEveryAudienceHasWordsAndAName(t *testing.T) {
	for who := range audiences {
		got := Stakes{Audience: []string{who}}.Cost()
		if strings.Contains(strings.Join(got.Reasons, " "), "[") {
			t.Errorf("%s: %q", who, got.Reasons)
		}
	}
	for _, e := range NewLexicon().entries {
		if strings.Contains(e.words.String(), "risk") {
			t.Errorf("%s has no phrases", e.audience)
		}
	}
}
