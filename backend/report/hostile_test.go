package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/backend/session"
)

// known are all elements that a page is made of, with their attributes.
var known = map[string][]string{
	"html": {"lang"}, "head": {}, "meta": {"charset", "http-equiv", "content", "name"}, "title": {"id"}, "style": {}, "script": {}, "body": {"class"},
	"header": {}, "nav": {"aria-label"}, "main": {}, "footer": {}, "section": {"class", "id", "aria-labelledby"}, "div": {"class", "id", "tabindex", "role", "aria-label"},
	"h1": {"dir"}, "h2": {"id", "dir", "class"}, "h3": {"id", "dir"}, "p": {"class", "dir", "title"}, "span": {"class", "dir", "aria-hidden"}, "small": {"dir"}, "sup": {"class"},
	"a": {"href", "class", "aria-label"}, "bdi": {"class"}, "strong": {}, "em": {}, "br": {}, "ul": {"class"}, "ol": {}, "li": {"class", "dir"}, "dl": {"class"}, "dt": {"dir"}, "dd": {"dir"},
	"pre": {}, "code": {"dir"}, "details": {"class", "id", "open"}, "summary": {}, "figure": {"class", "id"}, "figcaption": {},
	"table": {"class"}, "caption": {"dir"}, "thead": {}, "tbody": {}, "tr": {"class"}, "th": {"scope", "class", "data-words", "id", "data-k", "title", "dir"}, "td": {"class", "id", "data-k", "title", "dir"},
	"svg": {"class", "width", "height", "viewBox", "role", "aria-label", "aria-labelledby", "xmlns"}, "polygon": {"class", "points"}, "text": {"x", "y", "text-anchor", "class", "transform"}, "path": {"class", "d"},
	"desc": {"id"}, "rect": {"class", "x", "y", "width", "height", "rx"}, "line": {"class", "x1", "x2", "y1", "y2"}, "circle": {"class", "cx", "cy", "r"},
}

// strange says what of a page is not ours.
func strange(page *html.Node) (found []string) {
	scripts := map[string]int{}
	each(page, func(e *html.Node) {
		attributes, is := known[e.Data]
		if !is {
			found = append(found, "<"+e.Data+">")
		}
		for _, a := range e.Attr {
			if !slices.Contains(attributes, a.Key) || a.Namespace != "" {
				found = append(found, e.Data+" "+a.Key+"="+a.Val)
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				found = append(found, "leads away: "+a.Val)
			}
			if a.Key == "class" && strings.Trim(a.Val, "abcdefghijklmnopqrstuvwxyz0123456789-_ ") != "" {
				found = append(found, "class "+a.Val)
			}
		}
		switch e.Data {
		case "script":
			if scripts[e.Data]++; words(e) != pageScript {
				found = append(found, "a script: "+words(e))
			}
		case "style":
			if scripts[e.Data]++; words(e) != style {
				found = append(found, "a style: "+words(e))
			}
		case "meta":
			if attribute(e, "http-equiv") != "" && attribute(e, "http-equiv") != "Content-Security-Policy" {
				found = append(found, "meta "+attribute(e, "http-equiv"))
			}
		}
	})
	if scripts["script"] != 1 || scripts["style"] != 1 {
		found = append(found, "scripts and styles that are not one each")
	}
	return found
}

// TestHostileTextsStayText puts texts that want to be more into every place that a text may stand in, and finds each again as text.
func TestHostileTextsStayText(t *testing.T) {
	for _, s := range hostile(t) {
		d := documentOf(t, s, session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return everything(t, s) }, func() (session.FileTurn, json.RawMessage) { return askedBack(t, s) })
		d.About.Imported = &session.Imported{File: s, Workspace: s, Program: s, At: noon(), Signature: session.SignatureValid, Signer: s, Fingerprint: s}
		d.About.Origin = &session.Origin{Title: s, Turn: 1}
		page := parsed(t, written(t, d))
		if found := strange(page); len(found) > 0 {
			t.Errorf("%.60q made %.300q", s, found)
		}
		want := asRead(s)
		if len(all(page, "title")) == 0 || words(all(page, "title")[0]) != want || words(all(page, "h1")[0]) != want {
			t.Errorf("%.60q is no title", s)
		}
		if got, whole := strings.CutSuffix(words(all(page, "h2")[0]), "…"); (got != want && (!whole || !strings.HasPrefix(want, got))) && strings.TrimSpace(s) != "" {
			t.Errorf("%.60q is asked as %.60q", s, got)
		}
		places := map[string]int{}
		each(page, func(e *html.Node) {
			if words(e) == want {
				places[e.Data]++
			}
		})
		for _, place := range []string{"th", "bdi", "code", "span", "p", "li", "dt", "dd", "h3"} {
			if places[place] == 0 && strings.TrimSpace(s) != "" {
				t.Errorf("%.60q stands in no %s: %v", s, place, places)
			}
		}
		for _, p := range all(page, "div") {
			if attribute(p, "class") == "told" && !strings.HasPrefix(words(p), want+" 7.50 "+want) && !strings.HasPrefix(words(p), asRead(s+" 7.50 "+s)) {
				t.Errorf("%.60q is told as %.120q", s, words(p))
			}
		}
	}
}

// TestWhatTurnsIsIsolated finds no text with signs that turn the direction outside of an element that keeps them in.
func TestWhatTurnsIsIsolated(t *testing.T) {
	for _, s := range hostile(t) {
		if !turns(s) {
			continue
		}
		page := parsed(t, written(t, documentOf(t, s, session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return everything(t, s) })))
		var walk func(n *html.Node, kept bool)
		walk = func(n *html.Node, kept bool) {
			if n.Type == html.ElementNode {
				kept = kept || n.Data == "bdi" || attribute(n, "dir") == "auto" || n.Data == "svg" || n.Data == "title"
			}
			if n.Type == html.TextNode && turns(n.Data) && !kept {
				t.Errorf("%.40q stands open in %s %q", n.Data, n.Parent.Data, attribute(n.Parent, "class"))
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c, kept)
			}
		}
		walk(page, false)
	}
}

// TestEveryLinkLeadsSomewhere follows each link of a page, and finds every name once.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	turn, rows := bigTurn(t, "line", 1000)
	big := func() (session.FileTurn, json.RawMessage) { return turn, rows }
	one := func() (session.FileTurn, json.RawMessage) { return everything(t, "a text") }
	turns := []func() (session.FileTurn, json.RawMessage){one, one}
	for range 20 {
		turns = append(turns, big)
	}
	page := parsed(t, written(t, documentOf(t, "links", session.FramesWhole, turns...)))
	ids := map[string]int{}
	each(page, func(e *html.Node) {
		if id := attribute(e, "id"); id != "" {
			ids[id]++
		}
	})
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements are called %s", n, id)
		}
	}
	leads := 0
	for _, a := range all(page, "a") {
		if to := strings.TrimPrefix(attribute(a, "href"), "#"); ids[to] != 1 {
			t.Errorf("%q leads to %q", words(a), to)
		} else if strings.Contains(to, "-") {
			leads++
		}
	}
	if leads < 22 {
		t.Errorf("only %d numbers lead to cells", leads)
	}
}
