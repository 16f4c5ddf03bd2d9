package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// The bounds of a session file. A session of 500 artifacts takes about 2 MiB of session.json and 1 MiB of trace.
const (
	MaxFileBytes  = 256 << 20 // of the file, and of all that it expands to
	maxRatio      = 100       // of an entry's expanded bytes to those that it takes, where it expands to more than ratioMatters
	ratioMatters  = 1 << 20
	maxEntries    = 4096
	maxDirectory  = 1 << 20
	maxManifest   = 2 << 20
	maxSession    = 20 << 20
	maxTrace      = 20 << 20
	maxSignature  = 4 << 10
	maxModelFile  = 1 << 20
	maxModel      = 8 << 20 // of all files of the model
	maxModelFiles = 1000
	MaxFrameBytes = 16 << 20 // of the Parquet of a frame, and of the JSON of its rows
	maxDepth      = 32
	maxItems      = 50_000
	maxString     = 1 << 20 // a statement that a person wrote may be long
	maxTurns      = 5000
	maxArtifacts  = 100 // of a turn
	maxSteps      = 1000
	maxID         = 128
)

// The words of what is wrong with a file. Where something is wrong is written as a path within the file.
func refuse(key, where string, cause error) error {
	return fault.Wrap(fault.Invalid, "open session file", text.Say(key, "where", where), text.Say("session.file_hint"), cause)
}

func damaged(where string, cause error) error { return refuse("session.file_damaged", where, cause) }

func misfit(where string, cause error) error { return refuse("session.file_misfit", where, cause) }

func tooLarge(where string) error {
	return fault.New(fault.Limit, "open session file", text.Say("session.file_large", "where", where), text.Say("session.file_large_hint"))
}

func foreign() error {
	return fault.New(fault.Invalid, "open session file", text.Say("session.file_foreign"), text.Say("session.file_foreign_hint"))
}

func cutOff(cause error) error {
	return fault.Wrap(fault.Invalid, "open session file", text.Say("session.file_cut"), text.Say("session.file_hint"), cause)
}

func newer(version int) error {
	return fault.New(fault.Conflict, "open session file", text.Say("session.file_newer", "version", version), text.Say("session.file_newer_hint"))
}

// CheckJSON says whether a text is one JSON value within the bounds of a session file: UTF-8, no key twice, not too deep, no list or string
// too long. where names it in the fault. Faults: Invalid, Limit.
func CheckJSON(raw []byte, where string) error {
	if !utf8.Valid(raw) {
		return damaged(where, errors.New("no UTF-8"))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var open []*level
	for first := true; first || len(open) > 0; first = false {
		token, err := d.Token()
		if err != nil {
			return damaged(where, err)
		}
		if written(token) > maxString {
			return tooLarge(where)
		}
		if end := token == json.Delim('}') || token == json.Delim(']'); end {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open); n > 0 {
			if err := open[n-1].take(token, where); err != nil {
				return err
			}
		}
		switch token {
		case json.Delim('{'):
			open = append(open, &level{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, &level{})
		}
		if len(open) > maxDepth {
			return tooLarge(where)
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return damaged(where, errors.New("more than one value"))
	}
	return nil
}

// written is how long a text or a number is.
func written(t json.Token) int {
	switch t := t.(type) {
	case string:
		return len(t)
	case json.Number:
		return len(t)
	}
	return 0
}

// level is an object or a list that is being read.
type level struct {
	keys  map[string]bool // of an object; nil: a list
	value bool            // of an object: a key was read, its value is next
	items int
}

func (l *level) take(token json.Token, where string) error {
	if l.keys != nil && !l.value {
		key, _ := token.(string) // the decoder takes nothing else here
		if l.keys[key] {
			return misfit(where, fmt.Errorf("key %q twice", key))
		}
		l.keys[key], l.value = true, true
		return nil
	}
	l.value = false
	if l.items++; l.items > maxItems {
		return tooLarge(where)
	}
	return nil
}

// DecodeStrict reads one JSON value that CheckJSON took into a type: a field that the type does not have is a fault, and so is one
// that is written in other capitals. Numbers of a field without a type keep their digits. Fault Invalid.
func DecodeStrict(raw []byte, into any, where string) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return misfit(where, err)
	}
	if d.More() {
		return misfit(where, errors.New("more than one value"))
	}
	return nil
}
