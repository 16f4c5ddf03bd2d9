package mind

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"assay/backend/session"
)

// PromptVersion is raised with every change of meaning of a prompt.
const PromptVersion = "v1.1.0"

//go:embed prompts/*.md
var promptFiles embed.FS

// Prompts are the texts that a model is told, by name: analyst, form, and those of other packages that tell a model something.
type Prompts struct {
	texts   map[string]string
	Version string // PromptVersion, and the beginning of the hash of all bytes
}

// LoadPrompts reads the prompts that the program has with it: those of the loop, and the folders prompts of others. One version is over all of them.
func LoadPrompts(others ...fs.FS) Prompts {
	p := Prompts{texts: map[string]string{}}
	var all []string
	for _, files := range append([]fs.FS{promptFiles}, others...) {
		names, err := fs.Glob(files, "prompts/*.md")
		if err != nil {
			continue // the pattern is a right one
		}
		for _, name := range names {
			raw, err := fs.ReadFile(files, name)
			if err != nil {
				continue // it is in the program
			}
			p.texts[strings.TrimSuffix(path.Base(name), ".md")] = string(raw)
			all = append(all, string(raw))
		}
	}
	p.Version = PromptVersion + "+" + strings.TrimPrefix(session.Hash(all), "sha256:")[:8]
	return p
}

// Text gives a prompt; empty: there is none of that name.
func (p Prompts) Text(name string) string { return p.texts[name] }
