// Assay is a desktop workspace for questions over data: `assay` alone opens the window, a subcommand runs headless.
package main

import (
	"embed"
	"io/fs"
	"os"
	_ "time/tzdata" // a machine without a zone database reads time zones too

	"assay/backend/cli"
)

// version is set by the build: -ldflags "-X main.version=…".
var version = "dev"

//go:embed all:frontend/dist
var built embed.FS

//go:embed frontend/placeholder
var placeholder embed.FS

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Program{Version: version, Page: page(), Window: window}))
}

// page is the built page, or one that says how to build it.
func page() fs.FS {
	if dist, err := fs.Sub(built, "frontend/dist"); err == nil {
		if _, err := fs.Stat(dist, "index.html"); err == nil {
			return dist
		}
	}
	page, err := fs.Sub(placeholder, "frontend/placeholder")
	if err != nil {
		panic(err) // the path is fixed at compile time
	}
	return page
}
