package knowledge

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// Signer is somebody with a key that bundles of theirs are signed with.
type Signer struct{ Author, Key string }

// Bundle is what one person taught, signed with their key, for colleagues who share no server: JSON lines, the head first, a statement in each line, the seal last. Who the person is, and what
// their word counts, is said by the roles of whoever reads it, and by nothing in it.
type Bundle struct {
	Version   int       `json:"assay_memory"` // BundleVersion
	Author    string    `json:"author"`       // an actor of roles.yaml
	Key       string    `json:"key"`          // Ed25519, in hexadecimal
	Workspace string    `json:"workspace"`
	Number    int64     `json:"number"` // counts up: of two of one person the higher one holds, all of it
	Made      time.Time `json:"made"`

	Said   []Statement `json:"-"`
	Digest string      `json:"-"` // sha256 of what was signed, in hexadecimal
}

// Statement is one thing that a person taught.
type Statement struct {
	Term      string    `json:"term"`
	Means     string    `json:"means"`
	Sort      Sort      `json:"sort"`
	Domain    string    `json:"domain"`
	Detection Detection `json:"detection"`
	Quote     string    `json:"quote"`
	At        time.Time `json:"at"`
}

// seal is the last line of a bundle.
type seal struct {
	Statements int    `json:"statements"`
	Signature  string `json:"signature"` // of all the lines before, each with its end
}

// How far a bundle goes.
const (
	BundleVersion  = 1
	BundleEnding   = ".assay-memory"
	MostStatements = 1000
	MostBundle     = 4 << 20 // bytes
)

// ID is what a statement of a person is known by, whichever bundle brought it.
func (s Statement) ID(author string) string {
	sum := sha256.Sum256([]byte(author + "\x00" + Key(s.Term) + "\x00" + strings.ToLower(s.Means)))
	return hex.EncodeToString(sum[:16])
}

// Write writes a bundle, signed. Fault Limit: it has too many statements. Other errors are those of w.
func (b Bundle) Write(w io.Writer, sign func([]byte) []byte) error {
	if len(b.Said) > MostStatements {
		return fault.New(fault.Limit, "write bundle", text.Say("knowledge.bundle_many", "most", MostStatements), "")
	}
	var body bytes.Buffer
	lines := json.NewEncoder(&body)
	lines.SetEscapeHTML(false)
	b.Version = BundleVersion
	if err := lines.Encode(b); err != nil {
		return err
	}
	for _, s := range b.Said {
		if err := lines.Encode(s); err != nil {
			return err
		}
	}
	end := seal{len(b.Said), hex.EncodeToString(sign(body.Bytes()))}
	if err := lines.Encode(end); err != nil {
		return err
	}
	_, err := w.Write(body.Bytes())
	return err
}

// ReadBundle reads a bundle from anybody, and believes nothing in it but that the holder of its key wrote it. Statements that are no corrections are faults too: nothing of such a bundle is taken.
// Faults: Invalid (it is no bundle, cut off, changed, or not signed by its key), Limit (too long, too many), Unavailable (it cannot be read).
func ReadBundle(r io.Reader) (Bundle, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MostBundle+1))
	switch {
	case err != nil:
		return Bundle{}, fault.Wrap(fault.Unavailable, "read bundle", text.Say("knowledge.bundle_unread"), "", err)
	case len(raw) > MostBundle:
		return Bundle{}, fault.New(fault.Limit, "read bundle", text.Say("knowledge.bundle_long", "most", MostBundle>>20), "")
	case !utf8.Valid(raw):
		return Bundle{}, wrongBundle("knowledge.bundle_none")
	}
	at := bytes.LastIndexByte(bytes.TrimSuffix(raw, []byte("\n")), '\n')
	if at < 0 || !bytes.HasSuffix(raw, []byte("\n")) {
		return Bundle{}, wrongBundle("knowledge.bundle_cut")
	}
	signed, last := raw[:at+1], raw[at+1:]
	var b Bundle
	var end seal
	lines := bytes.Split(bytes.TrimSuffix(signed, []byte("\n")), []byte("\n"))
	if strict(lines[0], &b) != nil || b.Version < 1 {
		return Bundle{}, wrongBundle("knowledge.bundle_none")
	}
	if b.Version > BundleVersion {
		return Bundle{}, wrongBundle("knowledge.bundle_newer")
	}
	key, err := hex.DecodeString(b.Key)
	if err != nil || len(key) != ed25519.PublicKeySize || b.Author == "" || b.Number < 1 {
		return Bundle{}, wrongBundle("knowledge.bundle_none")
	}
	if strict(last, &end) != nil || end.Statements != len(lines)-1 {
		return Bundle{}, wrongBundle("knowledge.bundle_cut")
	}
	signature, err := hex.DecodeString(end.Signature)
	if err != nil || !ed25519.Verify(key, signed, signature) {
		return Bundle{}, wrongBundle("knowledge.bundle_forged")
	}
	if len(lines)-1 > MostStatements {
		return Bundle{}, fault.New(fault.Limit, "read bundle", text.Say("knowledge.bundle_many", "most", MostStatements), "")
	}
	seen := map[string]bool{}
	for i, line := range lines[1:] {
		var s Statement
		err := strict(line, &s)
		c := Correction{Term: s.Term, Means: s.Means, Quote: s.Quote}
		if err == nil {
			err = c.Check()
		}
		if err == nil {
			if year := s.At.UTC().Year(); year < 1 || year > 9999 { // no date that can be written down
				err = errors.New("no date")
			}
		}
		if err != nil || s.Sort != Factual && s.Sort != Gotcha || len(s.Domain) > MostTermRunes || seen[Key(c.Term)] {
			return Bundle{}, wrongBundle("knowledge.bundle_line", "line", i+2)
		}
		seen[Key(c.Term)] = true
		s.Term, s.Means, s.Quote, s.Domain = c.Term, c.Means, c.Quote, Line(s.Domain)
		if s.Detection != ByCorrection && s.Detection != ByDefinition {
			s.Detection = ByConfirmation // what nobody knows counts as little as that
		}
		b.Said = append(b.Said, s)
	}
	sum := sha256.Sum256(signed)
	b.Digest = hex.EncodeToString(sum[:])
	return b, nil
}

// headOfBundle is how a bundle begins. Its first key is the one that tells it from other lines of JSON; what begins so and is none is said to be no bundle.
var headOfBundle = regexp.MustCompile(`^(?:\x{feff})?\s*\{[^{}\[\]]*"assay_memory"\s*:`)

// IsBundle says by the beginning of a file, whatever it is called, whether it means to be a bundle: whether it can be taken is said by ReadBundle.
func IsBundle(beginning []byte) bool { return headOfBundle.Match(beginning) }

// strict reads one JSON object that has no keys but those of its type, and nothing behind it.
func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errTrailing
	}
	return nil
}

var errTrailing = fault.New(fault.Invalid, "read bundle", "something stands behind a line's object", "")

func wrongBundle(key string, args ...any) error {
	return fault.New(fault.Invalid, "read bundle", text.Say(key, args...), text.Say("knowledge.bundle_hint"))
}
