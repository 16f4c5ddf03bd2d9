package tool

import (
	"context"
	"embed"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

//go:embed *.md
var texts embed.FS

// All gives every tool, always in the same order: what is looked up, what is run, what is said of a frame, what would be.
func All() []Tool {
	return []Tool{
		listFamilies(), describeFamily(), searchValues(), columnProfile(), discoverFDDAG(), verificationLevel(),
		proposeFrameQL(), executeFrameQL(), runSQL(), narrateFrame(), proposeFollowups(), recallArtifact(),
		simulateFilter(), simulatePerturbation(), simulateGoalSeek(), askUser(),
	}
}

// Find gives a tool by its name; false: there is none.
func Find(name string) (Tool, bool) {
	all := All()
	i := slices.IndexFunc(all, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return all[i], true
}

// Unknown is the problem of a call of a tool that is not there. known are the names that are.
func Unknown(name string, known []string) *Problem {
	return unknown("unknown_tool", "tool.no_tool", name, known)
}

// define makes a tool of a function over arguments of a type. The schema is made from the type and its tags; what does not fit it never
// reaches the function.
func define[A any](name string, makes bool, do func(context.Context, *Desk, A) (Result, error)) Tool {
	words := textOf(name)
	return Tool{
		Name: name, Text: words, Schema: schemaOf(reflect.TypeFor[A]()), ReadOnly: true, Makes: makes,
		Do: func(ctx context.Context, d *Desk, raw json.RawMessage) (Result, error) {
			var a A
			if wrong := ReadArguments(raw, &a); wrong != nil {
				wrong.Suggestion = Example(words)
				return Result{Problem: wrong}, nil
			}
			r, err := do(ctx, d, a)
			if r.Problem != nil && r.Problem.Kind == "bad_arguments" && r.Problem.Suggestion == "" {
				r.Problem.Suggestion = Example(words)
			}
			if r.Problem != nil { // an engine quotes values of the data
				r.Problem.Message = d.masked(r.Problem.Message)
			}
			return r, err
		},
	}
}

// textOf gives the text beside the code of a tool.
func textOf(name string) string {
	raw, err := texts.ReadFile(name + ".md")
	if err != nil {
		panic(err) // a file of ours, read by a test
	}
	return strings.TrimSpace(string(raw)) + "\n"
}

// Example gives the arguments of the worked example in the text of a tool: its first block of JSON. Empty: it has none.
func Example(words string) string {
	_, rest, found := strings.Cut(words, "```json\n")
	block, _, closed := strings.Cut(rest, "\n```")
	if !found || !closed {
		return ""
	}
	return block
}

// SchemaOf is how tools that are made elsewhere get their schema and their strict reading; see package skill.
func SchemaOf(arguments reflect.Type) json.RawMessage { return schemaOf(arguments) }
