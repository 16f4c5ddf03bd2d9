package workspace

import (
	"archive/zip"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSessionFileFitsItsSchema holds a session with every kind of turn to the documented form.
func TestSessionFileFitsItsSchema(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	path := exported(t, w, told(t, w), SessionChoice{Model: true, Sign: true})
	file, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, definition := range map[string]string{"session.json": "", "manifest.json": "#/$defs/Manifest"} {
		schema, err := jsonschema.NewCompiler().Compile("../../docs/session.schema.json" + definition)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := file.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(entry)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	foreign, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"format":"assay-session","version":1,"approvals":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile("../../docs/session.schema.json")
	if err != nil || schema.Validate(foreign) == nil {
		t.Errorf("a field that is none passes: %v", err)
	}
}
