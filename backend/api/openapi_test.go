package api

import (
	"bytes"
	"flag"
	"os"
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
