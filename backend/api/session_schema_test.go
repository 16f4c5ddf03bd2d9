package api

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const sessionSchema = "../../docs/session.schema.json"

// TestSessionSchema keeps the documented form of session files equal to the types that they are read into (`make types` rewrites it).
func TestSessionSchema(t *testing.T) {
	server := New(nil, Options{Version: "1"})
	raw, err := server.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &described); err != nil {
		t.Fatal(err)
	}
	definitions := map[string]any{}
	var take func(name string)
	var walk func(x any)
	take = func(name string) {
		if _, known := definitions[name]; known {
			return
		}
		definitions[name] = described.Components.Schemas[name]
		if definitions[name] == nil {
			t.Fatalf("the API has no schema %s", name)
		}
		walk(definitions[name])
	}
	const from, to = "#/components/schemas/", "#/$defs/"
	walk = func(x any) {
		switch x := x.(type) {
		case map[string]any:
			if ref, is := x["$ref"].(string); is {
				name := strings.TrimPrefix(ref, from)
				x["$ref"] = to + name
				take(name)
			}
			for _, v := range x {
				walk(v)
			}
		case []any:
			for _, v := range x {
				walk(v)
			}
		}
	}
	take("File")
	take("Manifest")
	schema := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "session.json of a session of Assay; #/$defs/Manifest is manifest.json",
		"$ref": to + "File", "$defs": definitions,
	}
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(schema); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(sessionSchema, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(sessionSchema)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Error("docs/session.schema.json is not what the types say: run make types")
	}
}
