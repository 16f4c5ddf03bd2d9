package mind

import (
	"embed"
	"strings"

	"assay/backend/session"
)

// PromptVersion is raised with every change of meaning of a prompt.
const PromptVersion = "v1.0.0"

//go:embed prompts/*.md
var promptFiles embed.FS

// Prompts are the texts that a model is told, by name: analyst, form.
type Prompts struct {
	texts   map[string]string
	Version string // PromptVersion, and the beginning of the hash of all bytes
}

// LoadPrompts reads the prompts that the program has with it.
func LoadPrompts() Prompts {
	p := Prompts{texts: map[string]string{}}
	entries, err := promptFiles.ReadDir("prompts")
	if err != nil {
		return p // the folder is in the program
	}
	var all []string
	for _, e := range entries {
		raw, err := promptFiles.ReadFile("prompts/" + e.Name())
		if err != nil {
			continue
		}
		p.texts[strings.TrimSuffix(e.Name(), ".md")] = string(raw)
		all = append(all, string(raw))
	}
	p.Version = PromptVersion + "+" + strings.TrimPrefix(session.Hash(all), "sha256:")[:8]
	return p
}

// Text gives a prompt; empty: there is none of that name.
func (p Prompts) Text(name string) string { return p.texts[name] }
