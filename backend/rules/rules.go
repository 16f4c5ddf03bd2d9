package rules

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules/pii"
	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/yamlfile"
)

// The names of the files, in Folder of a workspace.
const (
	Folder         = "rules"
	AutonomyFile   = "autonomy.yaml"
	RolesFile      = "roles.yaml"
	EscalationFile = "escalation.yaml"
	PIIFile        = "pii.yaml"
)

//go:embed defaults/*.yaml
var defaults embed.FS

// Example gives the built-in text of one of the files, with its explanations: what a workspace without the file works with,
// and what an author may start from. Empty: there is no such file.
func Example(name string) string {
	raw, err := defaults.ReadFile("defaults/" + name)
	if err != nil {
		return ""
	}
	return string(raw)
}

// Rules are what a workspace allows. They are never changed after Load.
type Rules struct {
	Matrix       []Row
	Review       float64 // above this likelihood x cost the level is 3 at most
	Routine      float64 // below this complexity "trust routine" holds
	Triggers     Triggers
	AgentsAtMost int // the highest level for an agent
	Clarify      Clarify
	Acceptance   [6]Waiting // by level; [0] is not used
	Roles        []Role
	DefaultRole  string // of a user of this computer whom no actor is bound to
	Actors       []Actor
	Consensus    Consensus
	Confidence   knowledge.Table // how sure shared knowledge is, by its evidence
	TakesOver    Route           // level 1
	IsTold       Route           // level 4
	PII          pii.Policy
	wishes       map[string]Wishes // by actor
	acting       string            // see Acting
	version      string
}

// Row is a row of the level matrix.
type Row struct {
	Below     float64 // the row holds for a likelihood below this; 0: for all that are left
	Low, High int     // the level at a low and at a high cost
}

// Then is what a trigger asks for beside its cap.
type Then string

// What a trigger may ask for.
const (
	ThenNothing Then = ""
	ThenWarn    Then = "warn"    // say so
	ThenConfirm Then = "confirm" // ask before the statement runs
)

// Trigger is one policy on what a request does.
type Trigger struct {
	Limit  float64 // over this, of domains from this; of sensitive tables not used
	AtMost int     // cap of the level; 5: none
	Then   Then
}

// Triggers are the policies, with the unit of their limits.
type Triggers struct {
	Scan      Trigger // GB of 1e9 bytes
	Runtime   Trigger // minutes
	Rows      Trigger // millions
	Domains   Trigger // different domains, inclusive
	Sensitive Trigger // any sensitive table
}

// Clarify says when the question goes back to the person.
type Clarify struct {
	Ambiguity float64 // from this
	Slot      float64 // a slot's confidence below this
}

// Ending is what happens when nobody answers in time.
type Ending string

// The endings.
const (
	EndAccept  Ending = "accept"           // closed as accepted
	EndFlag    Ending = "accept_with_flag" // closed as accepted, marked that nobody looked
	EndAbandon Ending = "abandon"          // closed as abandoned, and the person is told
	EndExpire  Ending = "expire"           // the recommendation expires, and the person is told
	EndNever   Ending = "never"            // it stays open
)

// Waiting is how long something waits for a person, and what happens then.
type Waiting struct {
	After time.Duration `json:"after"` // 0 with EndNever
	Then  Ending        `json:"then"`
}

// Consensus says when corrections that mean the same make a candidate for shared knowledge. A steward always decides.
type Consensus struct {
	MoreThan   int      // different people: more than this
	Seniority  []string // of these
	Similarity float64  // more alike than this, 0 to below 1
}

// Load reads the rules of a workspace folder. A file that is missing, and a key that a file leaves out, is as Example says;
// listed roles, actors, matrix rows and columns replace the built-in list.
//
// Loading never half-succeeds: any problem gives no rules and a fault.Invalid whose message names the first file and line;
// errors.As finds all of them as semantic.Problems. A file in the folder that nothing reads is such a problem, because
// silence would look like a rule that has no effect. fault.Unavailable: a file cannot be read.
func Load(fsys fs.FS) (*Rules, error) {
	r := &reading{}
	files, err := r.files(fsys)
	if err != nil {
		return nil, err
	}
	rules := &Rules{Confidence: knowledge.DefaultTable()}
	all := sha256.New()
	for _, name := range []string{AutonomyFile, RolesFile, EscalationFile, PIIFile} {
		rules.read(r, builtIn+name, name, []byte(Example(name)))
		fmt.Fprintf(all, "%s %d:%s", name, len(Example(name)), Example(name))
		if raw, ok := files[name]; ok {
			rules.read(r, Folder+"/"+name, name, raw)
			fmt.Fprintf(all, "%d:%s", len(raw), raw)
		}
	}
	rules.version = "sha256:" + hex.EncodeToString(all.Sum(nil))
	if len(r.problems) == 0 {
		rules.crossCheck(r)
	}
	if err := r.problems.Fault("load rules"); err != nil {
		return nil, err
	}
	return rules, nil
}

// Version is the hash of the texts that the rules were read from: sha256:...
func (rules *Rules) Version() string { return rules.version }

// Builtin gives the rules of a workspace without rules.
func Builtin() *Rules {
	rules, err := Load(noFiles{})
	if err != nil {
		panic(err) // files of ours, read by a test
	}
	return rules
}

// builtIn stands before the names of our own files in places.
const builtIn = "built-in "

// noFiles is a file system without files.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (rules *Rules) read(r *reading, file, name string, raw []byte) {
	switch name {
	case AutonomyFile:
		rules.autonomy(r, file, raw)
	case RolesFile:
		rules.people(r, file, raw)
	case EscalationFile:
		rules.escalation(r, file, raw)
	case PIIFile:
		rules.personal(r, file, raw)
	}
}

// files reads what is in the folder of rules.
func (r *reading) files(fsys fs.FS) (map[string][]byte, error) {
	entries, err := fs.ReadDir(fsys, Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(Folder, err)
	}
	known := []string{AutonomyFile, EscalationFile, PIIFile, RolesFile}
	files := map[string][]byte{}
	for _, e := range entries {
		file := Folder + "/" + e.Name()
		switch {
		case strings.HasPrefix(e.Name(), "."), strings.EqualFold(e.Name(), "readme.md"):
			continue
		case e.IsDir() || !slices.Contains(known, e.Name()):
			r.fail(semantic.Pos{File: file}, "", text.Say("rules.stray_file"), semantic.KnownHint(e.Name(), known))
			continue
		}
		info, err := fs.Stat(fsys, file)
		if err != nil {
			return nil, unreadable(file, err)
		}
		if info.Size() > yamlfile.MaxSize {
			r.fail(semantic.Pos{File: file}, "", text.Say("semantic.file_too_big"), text.Say("rules.file_too_big_hint"))
			continue
		}
		raw, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, unreadable(file, err)
		}
		files[e.Name()] = []byte(strings.TrimPrefix(string(raw), "\ufeff"))
	}
	return files, nil
}

func unreadable(file string, err error) error {
	return fault.Wrap(fault.Unavailable, "load rules", text.Say("semantic.file_unreadable", "file", file), text.Say("semantic.file_unreadable_hint"), err)
}
