package semantic

import (
	"strings"
	"sync"
)

// abbreviations are short forms that stand for one thing nearly always. Ambiguous ones (st, curr, rev, dep) are left as
// they are: a wrong word is worse than a short one.
var abbreviations = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(`acct account|addr address|amt amount|attr attribute|auth authorization|avg average|bal balance|
bldg building|cat category|ccy currency|cd code|cnt count|cntry country|ctry country|cust customer|dept department|
desc description|descr description|dest destination|disc discount|dist distance|dob date of birth|dt date|emp employee|
est estimated|fname first name|flg flag|freq frequency|grp group|hist history|hr hour|hrs hours|img image|inv invoice|
lang language|lname last name|loc location|lvl level|max maximum|mfg manufacturing|mfr manufacturer|mgr manager|min minimum|
mth month|msg message|mtg meeting|nbr number|nm name|num number|ord order|org organization|pct percent|perc percent|
pmt payment|prc price|prod product|pts points|qtr quarter|qty quantity|rcpt receipt|ref reference|regn region|req required|rgn region|
rtn return|seq sequence|shp ship|src source|std standard|sts status|sz size|tel telephone|temp temperature|terr territory|
tm time|tot total|ts timestamp|ttl total|txn transaction|uom unit of measure|usr user|val value|vend vendor|vol volume|
whse warehouse|wk week|wt weight|yr year|yrs years`, "|") {
		short, long, _ := strings.Cut(strings.TrimSpace(line), " ")
		m[short] = long
	}
	return m
})

// compoundWords are the words that names without a mark between them are made of: "orderdate", "productsubcategories".
var compoundWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`account address age agency airline airport amount area average balance bank begin bill
birth block book branch brand budget building business cat category channel charge city class client code color comment
company contact cost count country county course credit currency customer date day debit delivery department description
detail device discount district due email employee end event exam expense fee file first flag flight full game gender grade
grand group head hire headquarter hotel hour id image invoice item job key label last level line list location manager market member
message method mode model month name net note number office order organization owner page parent part party password
patient payment percent person phone pick plan player policy population position post price product profit project
property purchase quantity quarter rate rating reason record ref region release rent report request required result revenue
review room route salary sale sales school score season seat section segment serial service session ship shipment shop size
sku source staff stage start state status step stock store street student sub subject supplier supply target task tax teacher
team term territory test ticket time title total town track trans transaction transfer trip type unit up update use user
value vehicle vendor version visit volume warehouse way week weight work workshop year zip zone`) {
		m[w] = true
	}
	return m
})

// numberTail cuts the word for a number off a word: EMPNO, CUSTID. tail is empty when it has none.
func numberTail(w string) (head, tail string) {
	for _, tail := range []string{"no", "nr", "nbr", "num", "id", "code"} {
		if head, ok := strings.CutSuffix(w, tail); ok && len(head) >= 3 && w != "valid" {
			return head, tail
		}
	}
	return w, ""
}

// compound cuts a word into vocabulary words when all of it is made of them; else it stays whole. The fewest words win.
func compound(w string) []string {
	known := func(s string) bool {
		if compoundWords()[s] {
			return true
		}
		return len(s) > 3 && strings.HasSuffix(s, "s") && (compoundWords()[s[:len(s)-1]] ||
			strings.HasSuffix(s, "ies") && compoundWords()[s[:len(s)-3]+"y"] ||
			strings.HasSuffix(s, "es") && compoundWords()[s[:len(s)-2]])
	}
	if head, tail := numberTail(w); tail != "" && (known(head) || abbreviations()[head] != "" || len(compound(head)) > 1) {
		return append(compound(head), tail)
	}
	if len(w) < 6 || len(w) > 40 || known(w) {
		return []string{w}
	}
	type cut struct {
		words int
		from  int
	}
	best := make([]cut, len(w)+1) // best[i] cuts w[:i]
	for i := 1; i <= len(w); i++ {
		for j := 0; j < i; j++ {
			if j > 0 && best[j].words == 0 || !known(w[j:i]) || i == len(w) && w[j:i] == "ship" { // membership is one word
				continue
			}
			if n := best[j].words + 1; best[i].words == 0 || n < best[i].words {
				best[i] = cut{n, j}
			}
		}
	}
	if best[len(w)].words < 2 {
		return []string{w}
	}
	var words []string
	for i := len(w); i > 0; i = best[i].from {
		words = append([]string{w[best[i].from:i]}, words...)
	}
	return words
}
