package secret

import "strings"

// usual are the variables that the programs of providers read as well.
var usual = map[string]string{"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}

// Variables gives the names of the variables in which a credential is looked for, the first one first.
func Variables(id string) []string {
	own := "ASSAY_KEY_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, id)
	if name, ok := usual[id]; ok {
		return []string{own, name}
	}
	return []string{own}
}

func (s *Store) fromEnvironment(id string) string {
	for _, name := range Variables(id) {
		if value := strings.TrimSpace(s.o.Getenv(name)); value != "" {
			return value
		}
	}
	return ""
}
