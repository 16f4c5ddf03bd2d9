package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "rewrite openapi.json")

// TestOpenAPI keeps the committed description, from which the page's types are made, equal to the routes.
func TestOpenAPI(t *testing.T) {
	server := New(nil, Options{Version: "1"})
	got, err := server.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("openapi.json is not what the routes say: run make types")
	}
}

// TestEveryPathHasItsParameters looks that what stands in braces in a route is a parameter of it: one that is not is never read, and the route finds nothing.
func TestEveryPathHasItsParameters(t *testing.T) {
	raw, err := New(nil, Options{Version: "1"}).OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(raw, &described); err != nil {
		t.Fatal(err)
	}
	inBraces := regexp.MustCompile(`\{(\w+)\}`)
	for path, methods := range described.Paths {
		for method, route := range methods {
			for _, m := range inBraces.FindAllStringSubmatch(path, -1) {
				found := false
				for _, p := range route.Parameters {
					found = found || p.In == "path" && p.Name == m[1]
				}
				if !found {
					t.Errorf("%s %s does not read {%s}", method, path, m[1])
				}
			}
		}
	}
}
