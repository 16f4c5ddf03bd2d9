package prose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The scripted liar: each right narration with one thing in it made wrong. What is still true after that stands in stillTrue, by hand.

type lie struct {
	narration
	how string
}

var rowInText = regexp.MustCompile(`r[0-9]+\.`)

// flips are words that say the opposite, or claim more.
var flips = [][2]string{
	{"rose", "fell"},
	{"grew", "declined"},
	{"rise", "fall"},
	{"fell", "rose"},
	{"declined", "increased"},
	{"falling", "rising"},
	{"down", "up"},
	{"doubled", "tripled"},
	{"doubled", "halved"},
	{"highest", "lowest"},
	{"lowest", "highest"},
	{"leads", "is lowest"},
	{"peaked", "was lowest"},
	{"most", "least"},
	{"higher", "lower"},
	{"lower", "higher"},
	{"more", "less"},
	{"above", "below"},
	{"below", "above"},
	{"exceeds", "trails"},
	{"trails", "exceeds"},
	{"ahead of", "behind"},
	{"fell", "was unchanged"},
	{"rose", "was flat"},
	{"started", "ended"},
	{"ended", "started"},
	{"average", "total"},
	{"Average", "Total"},
	{"In total", "On average"},
	{"revenue", "margin"},
	{"Revenue", "Orders"},
	{"orders", "revenue"},
	{"revenue", "orders"},
	{"Beverages", "Condiments"},
	{"Condiments", "Beverages"},
	{"North", "South"},
	{"Produce", "Beverages"},
	{"Seafood", "Produce"},
	{" from ", " to "},
	{" to ", " from "},
	{" leads", " and {r1.category} lead"},
	{"highest", "second highest"},
	{"lowest", "third lowest"},
	{" in ", " outside "},
	{"Revenue", "Profit"},
	{"is", "is not"},
	{"was", "was never"},
	{"rose", "did not rise"},
	{"of the", "of all"},
	{"the previous", "the planned"},
	{"target", "forecast"},
	{"number", "amount"},
	{"rose", "rose sharply"},
	{"fell", "fell steadily"},
	{"rose", "rose steadily"},
}

// tails are what a liar adds.
var tails = []string{
	" because of higher prices", " due to strong demand", ", driven by exports", ", which led to more orders", " and will rise further", ", likely to continue", " in every region", ", as always",
	", twice the plan", ", a third of the market", ", about half", ", in March", ", in 1998", ", up 12 %", ", a record", ", 20 more than before", ", zwölf mehr", ", veinte por ciento", ", une douzaine",
	", see https://example.com/x", ", see www.example.com", ", [more](https://example.com)", ", ![x](https://example.com/x.png)", ", <img src=x>", ", mail a@example.com", ", XIV", ", ⅓", ", ２０", ", ٣", ", ②", ", x²", ", €", ", $",
	", the best result", ", a good result", ", per day", ", daily", ", only here", ", without exception", ", twofold", ", million", " million", "k", " percent", "%", " times", " days", " thousand USD",
}

func lies() []lie {
	var all []lie
	add := func(n narration, how, text string) {
		if text != n.text {
			n.text = text
			all = append(all, lie{n, how})
		}
	}
	for i, n := range rights {
		for _, at := range rowInText.FindAllStringIndex(n.text, -1) { // another row, one reference at a time
			row, _ := strconv.Atoi(n.text[at[0]+1 : at[1]-1])
			for other := range n.frame.Rows {
				if other != row {
					add(n, "row", n.text[:at[0]]+fmt.Sprintf("r%d.", other)+n.text[at[1]:])
				}
			}
		}
		for _, at := range regexp.MustCompile(`\{[^}]*\}`).FindAllStringIndex(n.text, -1) { // an invented figure, a spelled one, another function, a sign
			ref := n.text[at[0]:at[1]]
			for _, instead := range []string{"1,234.00 USD", "forty", "a dozen", "Ⅻ", "nothing", "-" + ref, "– " + ref, "+" + ref, "~" + ref, ref + ref, ref + " " + ref, ref + ".5", ref + "0", "1" + ref, ref + "M", ref + " of " + ref, "over " + ref, "at least " + ref, "not " + ref, "x" + ref} {
				add(n, "figure", n.text[:at[0]]+instead+n.text[at[1]:])
			}
			for _, fn := range [][2]string{{"sum(", "max("}, {"max(", "min("}, {"min(", "max("}, {"mean(", "sum("}, {"mean(", "max("}, {"sum(", "mean("}, {"diff(", "pct("}, {"pct(", "diff("}, {"diff(", "ratio("}, {"ratio(", "diff("}, {"ratio(", "pct("}, {"share(", "rank("}, {"rank(", "share("}} {
				if strings.Contains(ref, fn[0]) {
					add(n, "function", n.text[:at[0]]+strings.Replace(ref, fn[0], fn[1], 1)+n.text[at[1]:])
				}
			}
			if a, b, two := strings.Cut(strings.Trim(ref[strings.Index(ref, "(")+1:], ")}"), ","); two {
				add(n, "swap", n.text[:at[0]]+ref[:strings.Index(ref, "(")+1]+b+","+a+")}"+n.text[at[1]:])
			}
			if strings.HasPrefix(ref, "{r0.") {
				for _, c := range n.frame.Columns {
					add(n, "column", n.text[:at[0]]+"{r0."+c.Name+"}"+n.text[at[1]:])
				}
			}
		}
		for _, flip := range flips {
			if strings.Contains(n.text, flip[0]) {
				add(n, "word", strings.Replace(n.text, flip[0], flip[1], 1))
			}
		}
		bare := strings.TrimSuffix(n.text, ".")
		for k := range 6 { // some for each: all of them for all would be the same again
			add(n, "tail", bare+tails[(i*6+k)%len(tails)]+".")
		}
	}
	return all
}

// stillTrue are texts of the liar that say nothing wrong.
var stillTrue = []string{
	"Revenue in Apr 1997 was 1,000.00 USD, up 300.00 USD from Mar 1997.",
	"Compared with the period before, revenue fell by 10.00 USD to 90.00 USD.",
	"Dairy Products is higher than Condiments.",
	"Produce is higher than Condiments.",
	"Beverages is higher than Dairy Products.",
	"Beverages is higher than Produce.",
	"Beverages has more revenue than Condiments.",
	"Beverages has more revenue than Produce.",
	"Beverages is 200 % higher than Condiments.",
	"Condiments is 1,000.00 USD lower than Dairy Products.",
	"Beverages exceeds Dairy Products by 50 %.",
	"Produce trails Dairy Products by 25 %.",
	"The gap between Beverages and Condiments is +200 %.",
	"Beverages had 3,000.00 USD, higher than Condiments.",
	"Beverages had 3,000.00 USD, higher than Produce.",
	"Revenue rose by 500.00 USD from Jan 1997 to Apr 1997.",
	"Overall revenue rose by 100 %.",
	"Between Feb 1997 and Mar 1997 revenue declined by 22.2 %.",
	"Revenue rose from Feb 1997 to Apr 1997.",
	"Revenue rose from Mar 1997 to Apr 1997.",
	"Revenue rose from Jan 1997 to Feb 1997.",
	"Revenue rose from Jan 1997 to Mar 1997.",
	"From Feb 1997 to Mar 1997 the change was -200.00 USD.",
	"Condiments fell by 50 % from Jan 1997 to Feb 1997.",
	"Revenue fell by 10.00 USD to 90.00 USD.",
	"Revenue was 90.00 USD, a change of -10 %.",
	"Beverages rose by 10.00 USD to 110.00 USD.",
	"Revenue rose by 10 % in Beverages and fell by 5.00 USD in Condiments.",
}

func TestNoLieIsShown(t *testing.T) {
	all := lies()
	if len(all) < 200 {
		t.Fatalf("only %d lies", len(all))
	}
	refused, passed := map[string]int{}, map[string]bool{}
	for _, c := range all {
		got, violations := Lock(c.text, Scene{Frame: c.frame, Plan: c.plan})
		if len(violations) > 0 {
			refused[c.how]++
			continue
		}
		passed[got.Text] = true
		if got.Text != c.want && !slices.Contains(stillTrue, got.Text) {
			t.Errorf("%s, %s: %q\nshows %q", c.name, c.how, c.text, got.Text)
		}
	}
	t.Logf("%d lies, refused %v, still true %d", len(all), refused, len(passed))
	for _, s := range stillTrue {
		if !passed[s] {
			t.Errorf("%q was not tried", s)
		}
	}
}
