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
	Tag   string // semantic.Dimension.PII; empty: none
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
	return p.byName(c.Name)
}

// kindOfTag reads the free word of a tag.
func kindOfTag(tag string) Kind {
	k := Kind(strings.ToLower(strings.TrimSpace(tag)))
	switch k {
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

// byName guesses from the words of a column's name. What counts or describes the thing instead of holding it ends in
// another word, and is not personal: email_count, phone_model, ip_version.
func (p Policy) byName(name string) Kind {
	words := semantic.Words(name)
	for len(words) > 1 && slices.Contains(positions, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	has := func(any ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	ends := func(any ...string) bool { return slices.Contains(any, last) }
	value := ends("address", "addresses", "number", "numbers", "no", "nr", "num", "text", "value", "raw", "id") // behind the word that says what it is
	plain := strings.Join(words, "")
	switch {
	case ends("email", "emails", "mail", "mails") && before != "direct", has("email", "mail") && ends("address", "addresses"), plain == "emailaddress":
		return Email
	case ends("phone", "phones", "telephone", "telefon", "mobile", "cellphone", "fax", "tel", "handy", "msisdn", "landline"),
		has("phone", "telephone", "mobile", "cell", "fax") && ends("number", "numbers", "no", "nr", "num"):
		return Phone
	case ends("ssn"), has("ssn") && value, has("social") && has("security"):
		return SSN
	case ends("iban"), has("iban") && value, has("bank") && has("account") && ends("number", "no", "nr", "num"):
		return IBAN
	case has("card") && ends("number", "no", "nr", "num") && (len(words) == 2 || has("credit", "debit", "payment", "bank")), ends("pan") && len(words) == 1,
		plain == "creditcard", plain == "cardnumber", plain == "creditcardnumber":
		return Card
	case ends("ip", "ipv", "ipaddr", "ipaddress"), has("ip", "ipv") && ends("address", "addr"):
		return IP
	case ends("passport", "taxid", "dni", "nino"), has("passport") && value, has("tax", "national", "personal") && ends("id") && len(words) == 2, has("driver", "drivers") && has("license", "licence") && value:
		return Identifier
	case ends("password", "passwd", "secret", "pwd", "passphrase"), has("api") && ends("key"), ends("token") && before != "":
		return Secret
	case ends("dob", "birthdate", "birthday", "dateofbirth"), has("birth") && ends("date", "day"), plain == "dateofbirth", has("date") && ends("birth"):
		return BirthDate
	case slices.Contains(p.NameWords, last), p.personal(words, last):
		return PersonName
	case ends("street", "streetaddress", "addressline"), ends("address") && !has("web", "mac", "url", "site", "wallet", "memory"), has("address", "street") && ends("line"):
		return Address
	}
	return ""
}

// positions are what numbers several columns of a kind: phone_1, address_line_2.
var positions = []string{"1", "2", "3", "4", "primary", "secondary", "alt", "other"}

// people are who has a name. "customer" and "supplier" are as often companies: their values are names all the same when a
// person is meant, and to mask a company costs a model nothing.
var people = []string{
	"contact", "person", "employee", "patient", "student", "teacher", "user", "customer", "client", "member", "owner", "manager", "driver",
	"passenger", "guest", "applicant", "recipient", "sender", "buyer", "seller", "holder", "cardholder", "signatory", "author", "agent", "rep", "doctor",
	"nurse", "tenant", "candidate", "subscriber", "payer", "payee", "beneficiary", "spouse", "parent", "child", "supervisor", "assignee", "ship",
}

func (p Policy) personal(words []string, last string) bool {
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "firstname", "lastname", "surname", "forename", "fullname", "username", "maidenname", "givenname", "familyname", "middlename", "nachname", "vorname":
		return true
	case "name", "names":
		return slices.Contains([]string{"first", "last", "middle", "given", "family", "full", "maiden", "nick", "birth", "legal", "preferred", "display"}, before) && len(words) == 2 ||
			slices.Contains([]string{"first", "last", "middle", "given", "family", "full", "maiden", "birth"}, before) || slices.Contains(people, before)
	}
	return slices.Contains(p.NameWords, last)
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
