package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"slices"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// lockedRole is the only role where nobody can tell who may see what. It sees nothing.
const lockedRole = "locked"

// LoadSound reads what Load reads. A file that is wrong does not fail: it closes what it is about, because what it was to forbid is
// not known.
//
//	roles.yaml       nobody sees anything
//	autonomy.yaml    nothing runs without somebody who takes it over
//	escalation.yaml  the same, and every steward is asked
//	pii.yaml         every column counts as personal that the model does not call harmless
//	anything else    all of that
//
// The problems are those of Load.
func LoadSound(fsys fs.FS) (*Rules, semantic.Problems) {
	r := &reading{}
	files, err := r.files(fsys)
	blank := func(name string) bool { // it was cut off
		raw, there := files[name]
		return there && len(bytes.TrimSpace(raw)) == 0
	}
	all := []string{AutonomyFile, RolesFile, EscalationFile, PIIFile}
	whole, failed := Load(fsys)
	if failed == nil && !slices.ContainsFunc(all, blank) {
		return whole, nil
	}
	if err != nil {
		f := fault.Wrap(fault.Unavailable, "load rules", text.Say("semantic.file_unreadable", "file", Folder), text.Say("semantic.file_unreadable_hint"), err)
		r.fail(semantic.Pos{File: Folder}, "", f.Message, f.Hint)
	}
	closed := map[string]bool{}
	if len(r.problems) > 0 {
		for _, name := range all {
			closed[name] = true
		}
	}
	rules := Builtin()
	for _, name := range all {
		raw, there := files[name]
		if !there || closed[name] {
			continue
		}
		one := &reading{}
		next := *rules
		next.Actors = slices.Clone(rules.Actors)
		next.read(one, Folder+"/"+name, name, raw)
		if blank(name) {
			one.fail(semantic.Pos{File: Folder + "/" + name, Line: 1}, "", text.Say("semantic.file_blank"), text.Say("semantic.file_blank_hint"))
		}
		if len(one.problems) > 0 {
			r.problems = append(r.problems, one.problems...)
			closed[name] = true
			continue
		}
		rules, r.roles = &next, one.roles
	}
	if !closed[RolesFile] && !closed[EscalationFile] {
		cross := &reading{roles: r.roles}
		rules.crossCheck(cross)
		if len(cross.problems) > 0 {
			r.problems = append(r.problems, cross.problems...)
			closed[EscalationFile] = true
		}
	}
	if len(closed) == 0 { // what Load saw and the files alone do not show
		closed[RolesFile] = true
	}
	rules.close(closed)
	sum := sha256.New()
	for _, name := range all {
		sum.Write(files[name])
		if closed[name] {
			sum.Write([]byte("\x00closed\x00" + name))
		}
	}
	rules.version = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return rules, r.problems
}

func (rules *Rules) close(closed map[string]bool) {
	if closed[RolesFile] {
		rules.Roles, rules.Actors, rules.DefaultRole = []Role{{Name: lockedRole, AtMost: lowest}}, nil, lockedRole
	}
	if closed[EscalationFile] || closed[RolesFile] {
		to := Route{Default: rules.stewards(), Domains: map[string][]string{}, Triggers: map[string][]string{}, at: map[string]semantic.Pos{}}
		rules.TakesOver, rules.IsTold = to, to
	}
	if closed[PIIFile] {
		rules.PII.Unread = true
	}
	if closed[AutonomyFile] || closed[EscalationFile] {
		*rules = *rules.Lowest()
	}
}

// Lowest gives the same rules with the lowest autonomy for everybody.
func (rules *Rules) Lowest() *Rules {
	out := *rules
	out.Matrix, out.AgentsAtMost, out.Routine = []Row{{Low: lowest, High: lowest}}, lowest, 0
	return &out
}
