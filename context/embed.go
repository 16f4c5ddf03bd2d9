// Package shipped holds the knowledge that ships inside the program: the installation's memo and the sample workspaces.
// It is read-only; package workspace lays a sample down in the user's data folder before it opens it.
package shipped

import (
	"embed"
	"io/fs"
)

// The all: prefix keeps files whose names begin with a dot or an underscore.
//
//go:embed all:samples ANALYST.md
var files embed.FS

// Samples gives the sample workspaces, one folder each: northwind (a context written by hand) and adventureworks (data
// alone, whose model is inferred).
func Samples() fs.FS {
	samples, err := fs.Sub(files, "samples")
	if err != nil {
		panic(err) // the name is a valid path: cannot happen
	}
	return samples
}

// Memo gives the text of the installation's ANALYST.md. The caller owns the bytes.
func Memo() []byte {
	memo, err := files.ReadFile("ANALYST.md")
	if err != nil {
		panic(err) // the build fails when the file is missing: cannot happen
	}
	return memo
}
