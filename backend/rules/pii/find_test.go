package pii

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marked writes what was found into a text: "mail {email:jane@example.com} now".
func marked(p Policy, s string) string {
	var b strings.Builder
	last := 0
	for _, x := range p.Find(s) {
		fmt.Fprintf(&b, "%s{%s:%s}", s[last:x.Start], x.Kind, s[x.Start:x.End])
		last = x.End
	}
	return b.String() + s[last:]
}

// TestFind: braces in the expected text say what is found and as what. Numbers are those that are reserved for examples or
// fail to belong to anyone.
func TestFind(t *testing.T) {
	for _, want := range []string{
		// e-mail
		"{email:jane.canary@example.com}",
		"write to {email:jane+tag@mail.example.co.uk}, please",
		"<{email:o'neil_1@example-shop.org}>.",
		"email={email:a@b.example};next",
		"'{email:x@example.com}'",
		"mailto:{email:x@example.com}?subject=1",
		"{email:jürgen@bücher.example}",
		"{email:jane [at] example [dot] com}",
		"{email:jane(at)example.com}",
		"u={email:jane%40example.com}&x=1",
		"@home and user@localhost stay, as a@1.2 does",

		// card
		"{card:4111111111111111}",
		"card {card:4111 1111 1111 1111}.",
		"{card:5555-5555-5555-4444}",
		"{card:3782 822463 10005}",
		"{card:378282246310005}",
		"{card:6011111111111117}",
		"{card:3530111333300000}",
		"{card:30569309025904}",
		"{card:2223003122003222}",
		"{card:4222222222222}",
		"{card:6200000000000005}",
		"{card:4111 1111 1111 1111} 12/27",
		"4111111111111112 fails the check",
		"4006381333931 is an article number",
		"0.4111111111111111",
		"1705312800000000",
		"978-3-16-148410-0",

		// IBAN
		"{iban:DE89370400440532013000}",
		"to {iban:GB29 NWBK 6016 1331 9268 19} and more",
		"{iban:fr14 2004 1010 0505 0001 3m02 606}",
		"{iban:NO93 8601 1117 947}",
		"{iban:CH93-0076-2011-6238-5295-7}",
		"DE89370400440532013001 fails",
		"XX89370400440532013000 is no country",

		// SSN
		"{ssn:123-45-6789}",
		"SSN {ssn:123 45 6789}",
		"ssn: {ssn:123456789}",
		"social security number {ssn:219099999}",
		"000-12-3456 666-12-3456 900-12-3456 123-00-4567 123-45-0000",
		"123456789",
		"PO-123-45-6789",
		"123-45-6789-01",

		// IP
		"from {ip:192.168.17.23}:8080",
		"{ip:203.0.113.7}, {ip:2001:db8::8a2e:370:7334}",
		"[{ip:2001:db8::1}]:443",
		"client:{ip:2001:db8::7} asked",
		"peer={ip:10.1.2.3} addr:{ip:10.1.2.4}",
		"http://{ip:198.51.100.4}/x",
		"{ip:fe80::1ff:fe23:4567:890a}",
		"127.0.0.1, ::1, 0.0.0.0 and :: are nobody's",
		"version 1.2.3.4, v10.0.0.1, Chrome/120.0.0.0, 10.0.19045.3803, 1.2.3.4.5",
		"12:30:45 and 00:1B:44:11:3A:B7 and std::string and ::",

		// phone
		"{phone:+49 30 901820}",
		"{phone:+49 (0)30 901820-12}",
		"{phone:+1 (212) 555-0123}",
		"{phone:+12125550123}",
		"{phone:+44 20 7946 0958}",
		"{phone:+33 1 99 00 12 34}",
		"{phone:0044 20 7946 0958}",
		"call {phone:(212) 555-0123} now",
		"{phone:212-555-0123}",
		"{phone:212.555.0123}",
		"{phone:212 555 0123}",
		"{phone:1-212-555-0123}",
		"{phone:(030) 901820}",
		"{phone:030-0074321}",
		"{phone:(5) 555-4729}",
		"{phone:(171) 555-7788}",
		"{phone:0555-09876}",
		"{phone:020 7946 0958}",
		"{phone:07700 900123}",
		"{phone:0171/1234567}",
		"{phone:01 99 00 12 34}",
		"{phone:03-1234-5678}",
		"{phone:0412 345 678}",
		"{phone:(02) 9876 5432}",
		"phone: {phone:5550123}",
		"Tel. {phone:88.60.15}",
		"call me at {phone:2125550123}",
		"whatsapp {phone:612 345 678}",
		"two: {phone:212-555-0123}, {phone:212-555-0124}",
		"{phone:212-555-0123} 12 times",

		"{phone:(212)555-0123}",
		"{phone:+1.212.555.0123}",
		"tel:{phone:+1-212-555-0123}",
		"{phone:+44(0)20 7946 0958}",
		"{phone:(+49) 30 901820}",
		"{phone:1 (800) 555-0199}",
		"{phone:212.555.0123} x12",
		"{phone:212/555-0123}",
		"{phone:0171-5550917}",
		"{phone:0171 555 09 17}",
		"{phone:030/901820-12}",
		"{phone:+49\u00a030\u00a0901820}",
		"{phone:212\u2011555\u20110123}",

		"{phone:+352 621 123 456}",
		"{phone:+256 41 234567}",
		"{phone:(9471) 55-01-23}",
		"{phone:(030) 12345}",
		"{phone:01.99.00.12.34}",
		"{phone:(212) 5550123}",
		"call 01-02-2024 or dial 2024-01-15",
		"Mr. {person_name:J. Canary-Smith} and MRS {person_name:O’Neil}",
		"{ip:10.1.2.3}.",
		"10.1.2 and 1000.1.2.3",
		"{phone:(11) 555 220}",
		"{phone:0301-12345678}",
		"{phone:020 79 46 09 58}",
		"{phone:0049 (0)30 901820}",
		"{phone:+7 495 123 45 67}",
		"phone number is {phone:12 34 56}",
		"Tel: {phone:030 901820}, Fax: {phone:030 901821}",
		"ring 12345 and call 1234567890123456 stay",
		"{phone:212-555-0123}ext 4",
		"a sale phone of 2024-01-15 stays",

		// signs that look like others
		"{email:jane\u200b@exam\u00adple.com}",
		"{email:ｊａｎｅ＠ｅｘａｍｐｌｅ.com}",
		"{card:4111\u00a01111\u00a01111\u00a01111}",
		"{ssn:123\u201345\u20136789}",
		"{ssn:123\u201545\u20156789} {ssn:123\u221245\u22126789}",
		"{card:4111\u200a1111\u202f1111\u30001111}",
		"{ip:203.0\u202e.113.7}",
		"ä ö ü … stay",

		// names with a title, and what a key announces
		"Dear {person_name:Jane Canary}, hello",
		"met Dr. {person_name:Jane van der Canary} today",
		"Mrs {person_name:O'Neil-Canary}'s order",
		"contact_name: {person_name:Jane Canary}, city: London",
		`{"first_name":"{person_name:Jane}","city":"London"}`,
		"last name = '{person_name:canary}'",
		"dr and mr alone, Mr. and Mrs. too",

		// secrets
		"postgres://ana:{secret:s3cret}@db:5432/x",
		"root:{secret:pa:ss}@tcp(db:3306)/x",
		"password={secret:hunter2} user=x",
		"Authorization: Bearer {secret:abcdef0123456789}",
		"api_key: '{secret:abc def}'",
		"key {secret:sk-abcdefghijklmnop}",
		"X-Api-Key: {secret:zzz}",
		"?token={secret:abc}&page=2",
		"total_tokens: 120, token_count=7, tokenizer: x",
	} {
		plain := want
		for _, k := range append(Kinds(), "text") {
			plain = strings.ReplaceAll(plain, "{"+k+":", "")
		}
		if strings.HasPrefix(plain, "{") {
			plain = "{" + strings.ReplaceAll(plain[1:], "}", "") + "}"
		} else {
			plain = strings.ReplaceAll(plain, "}", "")
		}
		if got := marked(Policy{}, plain); got != want {
			t.Errorf("%s\n got  %s", want, got)
		}
	}
}

// TestStays: what a report is full of is nobody's.
func TestStays(t *testing.T) {
	for _, s := range []string{
		// order numbers and product codes
		"10248", "SO43659", "ORD-2024-000123", "PO-4711-2024", "INV/2024/00017", "#1002938475", "A-1234-5678", "order 1234567890", "SKU-00012-XL",
		"BK-R93R-62", "FR-M94S-38", "0123-4567", "12345-678", "045-123-789", "4006381333931", "ISBN 978-3-16-148410-0", "100045 and 100046", "order_id=100045",
		"Orders 10248, 10249 and 10250", "UPC 036000291452", "(1997) 10248 orders", "item 555-1234", "T-1000-2000-3000", "00012345", "000123456789",
		"f47ac10b-58cc-4372-a567-0e02b2c3d479", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"212-155-0123", "112-555-0123", "(2024) 10248-12", "(12) 345678", "030-1234567890123", "001234567890 12", "7:030 901820", "030 901820,55", "030 901820%", "030 901820-A1",
		"+1 112 555 0123", "+1 212 155 0123", "+49 12", "+45 123 456 789", "(212) 12-34", "03-123-4567", "0x030 901820", "(", "+", "call", "tel.", "(+", "+(", "0 30",
		"123-45-678", "12-345-6789", "1234-56-7890", "01 23 45 67", "01.23.45.67.89.10", "A123-45-6789", "123-45-6789B", "123 45 6789012", "gg::1g", "1:2:3:4:5:6:7:8:9", "12:34:56:78", "300.1.2.3",
		// amounts
		"1,234,567.89", "1.234.567,89", "$1 234 567", "1 234 567 890", "EUR 612 345 678", "-1234567.891234", "(1,234)", "(1234) 56", "12.5 %", "1e10", "+1 234 567",
		"+12 345 678", "USD 4.111.111.111", "0.123456789", "4111111111111111.50", "revenue 2125550123",
		// dates and times
		"2024-01-15", "15.01.2024", "01/02/2024", "01-23-2024", "2024-01-15T09:30:00Z", "2024-01-15 09:30:00.123456", "20240115", "20240115093000", "1705312800",
		"1705312800000", "09:30:15", "Q3 1997", "1996-07-04 to 1998-05-06", "2024-W03", "between 01-01-1997 and 31-12-1997", "01 02 2024 10:30", "+02:00", "12:30:45.678",
		// coordinates, versions, measures
		"52.520008, 13.404954", "-33.8688,151.2093", "lat 40.712776 lon -74.005974", "v1.2.3", "1.60.1", "2.10505.0", "version 10.0.0.1", "go1.26.4", "1920x1080", "10-20-30",
		"3.14159265358979", "192.168", "1:25000",
		// words
		"Revenue by month", "Northwind Traders", "name: Chai", "product_name = 'Chai'", "Miss rate", "status: open", "the token ring", "secretary", "at example dot com",
		"a@b", "@mention", "x = 5", "category: Dairy Products", "https://example.com/a/b?page=2", "key=value", "key: 12", "company_name: Alfreds Futterkiste", "primary key: id",
	} {
		if got := marked(Policy{}, s); got != s {
			t.Errorf("%s", got)
		}
		m := masker(t)
		if got := m.Text(s); got != s {
			t.Errorf("masked: %s", got)
		}
	}
	for _, cell := range []any{int64(10248), int64(1705312800), int64(1705312800000), int64(1705312800000000), 1234567.89, int64(2125550123), int64(4006381333931), 52.520008, true, nil, int64(-5)} {
		if got := masker(t).Value(Column{Table: "orders", Name: "x"}, cell); got != cell {
			t.Errorf("%v became %v", cell, got)
		}
	}
}

// TestColumnNames: which names say what a column holds.
func TestColumnNames(t *testing.T) {
	for kind, names := range map[Kind]string{
		Email:      "email Email e_mail EmailAddress customer_email contact_email_address mail emails email_1 primary_email EMAIL_ADDR",
		Phone:      "phone Phone HomePhone phone_number mobile fax telephone cell_phone contact_phone phone_2 tel MobileNumber",
		SSN:        "ssn SSN social_security_number ssn_number employee_ssn",
		IBAN:       "iban IBAN customer_iban bank_account_number",
		Card:       "card_number credit_card_number CreditCard cc_card_number pan",
		IP:         "ip ip_address client_ip IPAddress last_login_ip source_ip_addr",
		PersonName: "first_name LastName surname full_name contact_name ContactName employee_name customer_name username ship_name patient_name maiden_name",
		Address:    "address ship_address street address_line_1 street_address home_address",
		BirthDate:  "dob birth_date date_of_birth birthday BirthDate",
		Identifier: "passport passport_number tax_id national_id",
		Secret:     "password api_key access_token secret",
		"": `email_count emails_sent email_opened phone_model phone_type ip_count ip_version product_name company_name category_name city name region order_number
			card_type number_of_cards address_type is_email has_phone email_verified first_order last_order_date order_id amount token_count country birth_country
			secretary mailing_list_size phone_id customer_id contact_title card mobile_sessions street_count account first_name_length web_address mac_address order_token_total file_name
			table_name column_name event_name campaign_name`,
	} {
		for _, name := range strings.Fields(names) {
			if got := (Policy{}).Of(Column{Table: "t", Name: name}); got != kind {
				t.Errorf("%s: %q, want %q", name, got, kind)
			}
		}
	}
}

// TestWhatDecidesFirst: tag, rule, name, detectors.
func TestWhatDecidesFirst(t *testing.T) {
	p := Policy{Columns: []ColumnRule{{"orders.note", PersonName}, {"*.email", None}, {"*.code", None}, {"legacy_*.x*", Phone}}, Off: []Kind{IP}}
	for _, x := range []struct {
		c    Column
		want Kind
	}{
		{Column{Table: "orders", Name: "note"}, PersonName},
		{Column{Table: "Orders", Name: "NOTE"}, PersonName},
		{Column{Table: "order", Name: "note"}, ""},
		{Column{Table: "a", Name: "email"}, None},
		{Column{Table: "a", Name: "email", Tag: "email"}, Email}, // a rule never lifts a tag
		{Column{Table: "a", Name: "code", Tag: "shoe size"}, Identifier},
		{Column{Table: "a", Name: "email", Tag: "none"}, None},
		{Column{Table: "legacy_eu", Name: "x1"}, Phone},
		{Column{Table: "legacy", Name: "x1"}, ""},
	} {
		if got := p.Of(x.c); got != x.want {
			t.Errorf("%+v: %q, want %q", x.c, got, x.want)
		}
	}
	if got := marked(p, "203.0.113.7 a@example.com"); got != "203.0.113.7 {email:a@example.com}" {
		t.Error(got)
	}
	if got := marked(Policy{Off: []Kind{PersonName}}, "Dr. Jane, contact_name: Jane"); got != "Dr. Jane, contact_name: Jane" {
		t.Error(got)
	}
	m := masker(t)
	m.Policy = p
	if got := m.Value(Column{Table: "a", Name: "code"}, int64(4111111111111111)); got != int64(4111111111111111) {
		t.Errorf("%v", got)
	}
	if got := m.Value(Column{Table: "a", Name: "code"}, "a@example.com"); got != "a@example.com" {
		t.Errorf("%v", got)
	}
}

func TestMatches(t *testing.T) {
	for pattern, names := range map[string][2]string{
		"*":      {"a b.c ", ""},
		"a":      {"a A", "ab ba b"},
		"a*":     {"a ab", "ba"},
		"*a":     {"a ba", "ab"},
		"a*b*c":  {"abc axxbyyc abbc", "ab ac acb"},
		"*.x":    {"a.x .x b.c.x", "x a.y"},
		"a**":    {"a ab", "b"},
		"ab*bc":  {"abbc ab1bc", "abc"},
		"*a*":    {"a bab", "b"},
		"a.b.c*": {"a.b.c a.b.cd", "axbxc"},
	} {
		for i, list := range names {
			for _, name := range strings.Fields(list) {
				if Matches(pattern, name) != (i == 0) {
					t.Errorf("%s on %s", pattern, name)
				}
			}
		}
	}
}

// drawn fills a form: # is any digit, N one from 2 to 8.
func drawn(rt *rapid.T, form string) string {
	b := []byte(form)
	for i, c := range b {
		switch c {
		case '#':
			b[i] = byte(rapid.IntRange('0', '9').Draw(rt, "digit"))
		case 'N':
			b[i] = byte(rapid.IntRange('2', '8').Draw(rt, "digit"))
		}
	}
	return string(b)
}

// TestFormsOfPhones draws numbers of every form in which people write those of phones: each is found as a whole, wherever it
// stands.
func TestFormsOfPhones(t *testing.T) {
	forms := []string{
		"+49 30 N#####", "+49 30 N#######", "+49 (0)30 N######", "+49 171 N######", "+49-171-N######", "+49171N######", "+49/171/N######", "0049 171 N######",
		"+1 (N##) N##-####", "+1 N##-N##-####", "+1N##N######", "+1.N##.N##.####", "(N##) N##-####", "(N##)N##-####", "N##-N##-####", "N##.N##.####", "N##" + " N## ####", "1-N##-N##-####",
		"+44 20 N### ####", "020 N### ####", "07N## N#####", "+33 1 N# ## ## ##", "01 N# ## ## ##", "01.N#.##.##.##", "0171/N######", "0171-N######", "0171 N## ## ##", "(030) N#####", "030-N######",
		"+31 6 N#######", "06-N#######", "+41 44 N## ## ##", "044 N## ## ##", "+61 4## ### ###", "04## ### ###", "(02) N### ####", "03-N###-####", "090-N###-####", "+81 3-N###-####", "+86 138 N### ####",
		"+91 N##NN N####", "+55 11 N####-####", "+7 495 N##-##-##", "+34 612 N## ###", "+39 06 N### ####", "+45 N# ## ## ##", "+47 N## ## ###", "+48 N## ### ###", "(N) 555-####", "(N#) 555 ## ##",
	}
	around := []string{"%s", "call %s.", "phone=%s;x", "(%s)", "\"%s\"", "a, %s, b", "Tel.: %s\nFax", "<%s>", "%s or later", "at 10:30, %s"}
	rapid.Check(t, func(rt *rapid.T) {
		number := drawn(rt, rapid.SampledFrom(forms).Draw(rt, "form"))
		text := fmt.Sprintf(rapid.SampledFrom(around).Draw(rt, "around"), number)
		found := Policy{}.Find(text)
		if len(found) != 1 || found[0].Kind != Phone || !strings.Contains(number, strings.Trim(text[found[0].Start:found[0].End], "()")) || found[0].End-found[0].Start < len(number)-1 {
			rt.Fatalf("%s: %s", text, marked(Policy{}, text))
		}
	})
}

// TestFormsThatStay draws what a report is full of.
func TestFormsThatStay(t *testing.T) {
	forms := []string{
		"1####", "SO-#####", "ORD-2024-######", "INV/2024/#####", "#N######", "1#########", "A-####-####", "N##-####", "N###-####", "PO N######", "$N,###,###.##", "N.###.###,##", "N ### ###",
		"N## ### ###", "0.#########", "-N#.######", "52.5####, 13.4####", "-33.8#####,151.2#####", "2024-0#-1#", "1#.0#.2024", "0#/1#/2024", "2024-01-1#T0N:3#:1#Z", "2024011#0N3015", "17053#####", "17053########",
		"vN.##.#", "version N.#.#.#", "go1.2#.#", "N##xN##", "N#-N#-N#", "#### rows", "N#.# %", "978-3-16-14841#-#", "BK-RN#R-6#", "NN:##:##",
	}
	around := []string{"%s", "order %s.", "id=%s;x", "[%s]", "\"%s\"", "a, %s, b", "code: %s\nx", "%s or later", "between %s and 7"}
	rapid.Check(t, func(rt *rapid.T) {
		text := fmt.Sprintf(rapid.SampledFrom(around).Draw(rt, "around"), drawn(rt, rapid.SampledFrom(forms).Draw(rt, "form")))
		if got := marked(Policy{}, text); got != text {
			rt.Fatal(got)
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("call +49 (0)30 901820, jane@example.com, DE89 3704 0044 0532 0130 00 (1) 2")
	f.Add("<EMAIL_3f9a1c> :: 1.2.3.4:5 password='x Dr. É [at]")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, x := range (Policy{}).Find(s) {
			if x.Start < last || x.End <= x.Start || x.End > len(s) {
				t.Fatalf("%+v in %q", x, s)
			}
			last = x.End
		}
		m := masker(t)
		masked := m.Text(s)
		if got := m.Vault.Restore(masked); got != s {
			t.Fatalf("%q came back as %q from %q", s, got, masked)
		}
	})
}
