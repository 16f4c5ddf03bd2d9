package desktop

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Opening is what a process was started to open.
type Opening struct {
	Paths []string `json:"paths"`          // absolute
	Link  *Link    `json:"link,omitempty"` // nil: none
}

// Link leads to a session of the workspace, and to an answer in it: assay://session/SESSION[/ANSWER]. It only shows; nothing runs by it.
type Link struct {
	Session string `json:"session"`          // of letters, digits, - and _
	Answer  string `json:"answer,omitempty"` // likewise; empty: the whole session
}

// formed says whether a link that came from elsewhere has its form.
func (o Opening) formed() bool {
	return o.Link == nil || link.MatchString("assay://session/"+o.Link.Session+"/"+o.Link.Answer)
}

// Named gives what the words of a command line name: files, also by their address (file:///...), and a link; of several links the last
// one counts. Fault Invalid.
func Named(words []string) (Opening, error) {
	here := Opening{Paths: []string{}}
	for _, word := range words {
		if strings.HasPrefix(word, "assay:") {
			to, err := ParseLink(word)
			if err != nil {
				return here, err
			}
			here.Link = &to
			continue
		}
		path, err := filepath.Abs(pathOf(word))
		if err != nil {
			return here, fault.Wrap(fault.Invalid, "open files", text.Say("desktop.bad_path", "path", word), "", err)
		}
		here.Paths = append(here.Paths, path)
	}
	return here, nil
}

// pathOf gives the path that an address of this machine's own files holds; anything else is a path already.
func pathOf(word string) string {
	address, err := url.Parse(word)
	if err != nil || address.Scheme != "file" || (address.Host != "" && address.Host != "localhost") {
		return word
	}
	return filepath.FromSlash(address.Path)
}

var link = regexp.MustCompile(`^assay://session/([\w-]{1,64})(?:/([\w-]{1,64}))?/?$`)

// ParseLink reads a link. Fault Invalid: it is of no such form.
func ParseLink(raw string) (Link, error) {
	parts := link.FindStringSubmatch(raw)
	if parts == nil {
		return Link{}, fault.New(fault.Invalid, "open link", text.Say("desktop.no_link", "link", raw), text.Say("desktop.no_link_hint"))
	}
	return Link{Session: parts[1], Answer: parts[2]}, nil
}
