package report

import (
	"strings"
	"testing"

	"assay/backend/session"
)

// TestProse reads the part of Markdown that texts may use, and leaves all else as it stands.
func TestProse(t *testing.T) {
	for s, want := range map[string]string{
		"one\ntwo\n\nthree":                 "p[one\ntwo] p[three]",
		"- a\n- b\n\n1. c\n2) d":            "ul[a|b] ol[c|d]",
		"text\n- a\nmore":                   "p[text] ul[a] p[more]",
		"**strong** and *em* and `code`":    "p[strong:strong| and |em:em| and |code:code]",
		"[words](http://example.com) end":   "p[words (http://example.com)| end]",
		"![alt](http://example.com/a.png)":  "p[alt (http://example.com/a.png)]",
		"[x](javascript:alert(1))":          "p[[x](javascript:alert(1))]",
		"```sql\nSELECT *\n<b>\n```\nafter": "code[SELECT *\n<b>] p[after]",
		"```\nnever closed":                 "code[never closed]",
		"| a | b |\n|---|---|":              "p[| a | b |\n|---|---|]",
		"# heading":                         "p[# heading]",
		"<b>bold</b> &amp; <http://a.b>":    "p[<b>bold</b> &amp; <http://a.b>]",
		"a * b * c ** d, 2*3*4 and **x":     "p[a * b * c ** d, 2|em:3|4 and **x]",
		"a\r\nb\rc":                         "p[a\nb\nc]",
		"  \n\t\n":                          "",
		"*a* *b*\n\n*c":                     "p[em:a| |em:b] p[*c]",
		"``two`` `one``":                    "p[code:two| |`one``]",
		"- **a** [b](c)":                    "ul[strong:a| |b (c)]",
	} {
		var got []string
		for _, p := range Prose(s) {
			pieces := func(all []Piece) string {
				var parts []string
				for _, x := range all {
					if x.Class != "" {
						x.Text = x.Class + ":" + x.Text
					}
					parts = append(parts, x.Text)
				}
				return strings.Join(parts, "|")
			}
			inner := p.Text + pieces(p.Pieces)
			var items []string
			for _, i := range p.Items {
				items = append(items, pieces(i))
			}
			got = append(got, p.Kind+"["+inner+strings.Join(items, "|")+"]")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q reads %q, want %q", s, strings.Join(got, " "), want)
		}
	}
}

// TestHostileReportsStayText puts texts that want to be more into the title, the headings, the texts and every artifact of a report.
func TestHostileReportsStayText(t *testing.T) {
	for _, s := range hostile(t) {
		turn, rows := everything(t, s)
		if strings.TrimSpace(s) == "" {
			continue
		}
		turn.RequestID = "r1"
		turn.Artifacts = append(turn.Artifacts, session.FileArtifact{ID: "art_s_1_90", Kind: session.KindChart, Title: s}, session.FileArtifact{ID: "art_s_1_91", Kind: session.KindFrame, Title: s},
			session.FileArtifact{ID: "art_s_1_92", Kind: session.KindNarration, Title: s}, session.FileArtifact{ID: "art_s_1_93", Kind: session.KindExplanation, Title: s})
		parts := []Part{{Heading: s}, {Text: s}, {Text: "- " + s + "\n\n```\n" + s + "\n```\n\n**" + s + "** [" + s + "](" + s + ")"}, {Request: "r1"}}
		for _, a := range turn.Artifacts {
			parts = append(parts, Part{Request: "r1", Artifact: a.ID})
		}
		c := NewComposer(parts, session.FramesWhole)
		if err := c.Take(turn, rows, Came{Session: s, Imported: true}); err != nil {
			t.Fatal(err)
		}
		page := parsed(t, written(t, c.Document(s, About{Workspace: s, Program: s, Made: noon()})))
		if found := strange(page); len(found) > 0 {
			t.Errorf("%.60q made %.300q", s, found)
		}
		want := asRead(s)
		if words(all(page, "title")[0]) != want || words(all(page, "h1")[0]) != want || words(all(page, "h2")[0]) != want {
			t.Errorf("%.60q is no title or heading", s)
		}
		ids := map[string]int{}
		for _, name := range []string{"section", "figure", "td", "th", "h2", "h3", "details", "div"} {
			for _, e := range all(page, name) {
				if id := attribute(e, "id"); id != "" {
					ids[id]++
				}
			}
		}
		for _, a := range all(page, "a") {
			if to := strings.TrimPrefix(attribute(a, "href"), "#"); ids[to] != 1 {
				t.Errorf("%.60q: %q leads to %q, which is there %d times", s, words(a), to, ids[to])
			}
		}
	}
}

// TestReportNumbersItsSources counts the answers as the report comes to them, each once.
func TestReportNumbersItsSources(t *testing.T) {
	one, rows := everything(t, "first")
	two := one
	two.RequestID, two.Question = "r2", "second"
	c := NewComposer([]Part{{Request: "r2"}, {Text: "and"}, {Request: "r1", Artifact: one.Artifacts[0].ID}, {Request: "r2"}}, session.FramesWhole)
	for _, turn := range []session.FileTurn{one, two} { // in another order
		if err := c.Take(turn, rows, Came{Session: "a session"}); err != nil {
			t.Fatal(err)
		}
	}
	d := c.Document("title", About{Made: noon()})
	if len(d.Sources) != 2 || d.Sources[0].Title != "second" || d.Sources[1].Title != "first" || d.Sources[1].ID != "s2" || d.About.Answers != 2 {
		t.Errorf("%+v", d.Sources)
	}
	page := parsed(t, written(t, d))
	if n := len(all(page, "sup")); n != 3 {
		t.Errorf("%d references", n)
	}
	if err := NewComposer([]Part{{Request: "r1", Artifact: "art_s_1_99"}}, session.FramesWhole).Take(one, rows, Came{}); err == nil {
		t.Error("an artifact that is not there was shown")
	}
}
