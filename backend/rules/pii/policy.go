package pii

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// Kind is a kind of personal value.
type Kind string

// The kinds.
const (
	Email      Kind = "email"
	Phone      Kind = "phone"
	Card       Kind = "card"
	IBAN       Kind = "iban"
	SSN        Kind = "ssn"
	IP         Kind = "ip"
	PersonName Kind = "person_name"
	Address    Kind = "address"
	BirthDate  Kind = "birth_date"
	Identifier Kind = "identifier" // passport, tax number: whatever names one person
	Secret     Kind = "secret"     // password, token
	Literal    Kind = "text"       // text that looks like a token, and quoted values of an error
	None       Kind = "none"       // of a rule: looked at, and not personal
)

// Kinds are those that a rule may name, besides None.
func Kinds() []string {
	return []string{"email", "phone", "card", "iban", "ssn", "ip", "person_name", "address", "birth_date", "identifier", "secret"}
}

// Detected are the kinds that detectors find by the value alone.
func Detected() []string {
	return []string{"email", "phone", "card", "iban", "ssn", "ip", "person_name"}
}

// Policy is pii.yaml. The zero value has every detector on and no rule.
type Policy struct {
	Columns   []ColumnRule
	Off       []Kind   // detectors that are not wanted
	NameWords []string // further last words of column names that hold names of people
	Unread    bool     // the file cannot be read: what nobody calls harmless counts as personal
}

// ColumnRule says what the columns that match hold.
type ColumnRule struct {
	Match string // table.column, with * for any characters, without regard to case
	Kind  Kind
}

// Column is a column as the policy sees it.
type Column struct {
	Table string // empty: not known
	Name  string // as the data or the model names it
	Tag   string // semantic.Dimension.PII; empty: nobody said; "none": not personal
	Label string // as a frame shows it; empty: Name
}

// Of says what kind of values a column holds. Empty: nothing is known, so that detectors look into its cells; None: somebody
// looked, and they do not.
//
// A tag of the model is never lifted. A tag of a kind that is not known here masks all the same.
func (p Policy) Of(c Column) Kind {
	if c.Tag != "" {
		return kindOfTag(c.Tag)
	}
	for _, rule := range p.Columns {
		if Matches(rule.Match, c.Table+"."+c.Name) {
			return rule.Kind
		}
	}
	if kind := p.byName(c.Name); kind != "" || !p.Unread {
		return kind
	}
	return Identifier
}

// kindOfTag reads the free word of a tag.
func kindOfTag(tag string) Kind {
	k := Kind(strings.ToLower(strings.TrimSpace(tag)))
	switch k {
	case None:
		return None
	case "name", "full_name", "person", "person name":
		return PersonName
	case "fax", "mobile", "telephone":
		return Phone
	case "number", "credit_card", "card_number", "pan":
		return Card
	case "ip_address", "ip address":
		return IP
	case "password", "token":
		return Secret
	case "dob", "birthday", "birthdate":
		return BirthDate
	}
	if slices.Contains(Kinds(), string(k)) {
		return k
	}
	return Identifier
}

// byName guesses from the words of a column's name. What counts or describes the thing instead of holding it is not
// personal: email_count, phone_model, is_email, number_of_cards.
func (p Policy) byName(name string) Kind {
	words := semantic.Words(name)
	for len(words) > 1 && slices.Contains(positions, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || len(words) > 1 && slices.Contains(counting, words[0]) {
		return ""
	}
	for _, guess := range guesses {
		if guess.says(words) {
			return guess.kind
		}
	}
	if p.person(words) {
		return PersonName
	}
	if addressed(words) {
		return Address
	}
	return ""
}

// guess is a kind and the words of names that say it: one of ends last, or one of has anywhere with one of value last.
type guess struct {
	kind             Kind
	ends, has, value []string
	also             []string // of has and value: one of these, too; empty: none
}

func (g guess) says(words []string) bool {
	last := words[len(words)-1]
	anyOf := func(of []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
	}
	return slices.Contains(g.ends, last) || slices.Contains(g.ends, strings.Join(words, "")) ||
		anyOf(g.has) && slices.Contains(g.value, last) && (len(g.also) == 0 || anyOf(g.also))
}

// guesses are tried in this order.
var guesses = []guess{
	{kind: Email, ends: words("email emails mail mails emailaddress"), has: words("email mail"), value: words("address addresses addr text value")},
	{kind: Phone, ends: words("phone phones telephone telefon mobile cellphone fax tel handy msisdn landline"), has: words("phone telephone mobile cell fax"), value: words("number numbers no nr num")},
	{kind: SSN, ends: words("ssn socialsecurity socialsecuritynumber"), has: words("ssn"), value: words("number no nr num value")},
	{kind: SSN, has: words("social"), value: words("number no nr security"), also: words("security")},
	{kind: IBAN, ends: words("iban"), has: words("iban"), value: words("number no nr value")},
	{kind: IBAN, has: words("bank"), value: words("number no nr num"), also: words("account")},
	{kind: Card, ends: words("creditcard debitcard cardnumber cardno creditcardnumber pan"), has: words("credit debit payment bank cc"), value: words("number no nr num"), also: words("card")},
	{kind: IP, ends: words("ip ipv4 ipv6 ipaddr ipaddress"), has: words("ip ipv"), value: words("address addr 4 6")},
	{kind: Identifier, ends: words("passport taxid dni nino nationalid"), has: words("passport license licence"), value: words("number no nr num")},
	{kind: Secret, ends: words("password passwd secret pwd passphrase apikey accesstoken authtoken sessiontoken refreshtoken")},
	{kind: Secret, has: words("access auth session refresh api bearer"), value: words("token key"), also: words("token api access")},
	{kind: BirthDate, ends: words("dob birthdate birthday dateofbirth birthdt"), has: words("birth"), value: words("date day dt")},
}

func words(s string) []string { return strings.Fields(s) }

// counting are first words of what is a number of things, or true or false.
var counting = words("is has can was no num n count number total avg average sum max min pct percent share rate")

// positions are what numbers several columns of a kind: phone_1, address_line_2.
var positions = []string{"1", "2", "3", "4", "primary", "secondary", "alt", "other"}

// people are who has a name. "customer" and "supplier" are as often companies: their values are names all the same when a
// person is meant, and to mask a company costs a model nothing.
var people = []string{
	"contact", "person", "employee", "patient", "student", "teacher", "user", "customer", "client", "member", "owner", "manager", "driver",
	"passenger", "guest", "applicant", "recipient", "sender", "buyer", "seller", "holder", "cardholder", "signatory", "author", "agent", "rep", "doctor",
	"nurse", "tenant", "candidate", "subscriber", "payer", "payee", "beneficiary", "spouse", "parent", "child", "supervisor", "assignee", "ship",
}

// parts are the words before "name" that make it one of a person.
var parts = words("first last middle given family full maiden birth")

// person says whether a column holds names of people.
func (p Policy) person(words []string) bool {
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "firstname", "lastname", "surname", "forename", "fullname", "username", "maidenname", "givenname", "familyname", "middlename", "nachname", "vorname":
		return true
	case "name", "names":
		return slices.Contains(parts, before) || slices.Contains(people, before) || len(words) == 2 && slices.Contains([]string{"nick", "legal", "preferred"}, before)
	}
	return slices.Contains(p.NameWords, last)
}

// addressed says whether a column holds where somebody lives, and not where a page or a device is.
func addressed(words []string) bool {
	last := words[len(words)-1]
	elsewhere := slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"web", "mac", "url", "site", "wallet", "memory", "hardware", "contract"}, w)
	})
	switch last {
	case "street", "streetaddress", "addressline", "homeaddress":
		return true
	case "address", "line":
		return !elsewhere && (last == "address" || slices.Contains(words, "address") || slices.Contains(words, "street"))
	}
	return false
}

// Matches says whether a name fits a pattern, in which * stands for any characters, without regard to case.
func Matches(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	rest := name[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}
