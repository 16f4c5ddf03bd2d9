package semantic

import (
	"errors"
	"reflect"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// reload writes a model and loads it again.
func reload(t interface{ Fatalf(string, ...any) }, m *Model) *Model {
	fsys := fstest.MapFS{"workspace.yaml": {Data: WriteWorkspaceYAML(&WorkspaceFile{Name: m.Name, Settings: m.Workspace, Calendars: m.Calendars})}}
	for _, memo := range m.Memos {
		fsys[MemoFileName] = &fstest.MapFile{Data: []byte(memo.Text)}
	}
	for file, body := range WriteYAML(m) {
		fsys[file] = &fstest.MapFile{Data: body}
	}
	again, err := Load(fsys)
	if err != nil {
		var all Problems
		errors.As(err, &all)
		for file, f := range fsys {
			t.Fatalf("%v\n%v\n%s\n%s", err, all, file, f.Data)
		}
	}
	return again
}

// bare takes off where a model was read and on what it rests.
func bare(m *Model) *Model {
	out := clone(m)
	for i := range out.Entities {
		out.Entities[i].Pos = Pos{}
		for j := range out.Entities[i].Dimensions {
			out.Entities[i].Dimensions[j].Pos = Pos{}
		}
	}
	for i := range out.Metrics {
		out.Metrics[i].Pos, out.Metrics[i].Basis = Pos{}, ""
	}
	for i := range out.Joins {
		out.Joins[i].Pos, out.Joins[i].Basis = Pos{}, ""
	}
	for i := range out.Gotchas {
		out.Gotchas[i].Pos = Pos{}
	}
	for i := range out.Golden {
		out.Golden[i].Pos = Pos{}
	}
	for i := range out.Calendars {
		out.Calendars[i].Pos = Pos{}
	}
	return out
}

func TestWhatIsWrittenLoadsAsTheSame(t *testing.T) {
	m := loadGood(t)
	again := reload(t, m)
	if !reflect.DeepEqual(bare(again), bare(m)) || again.Version != m.Version {
		t.Errorf("got\n%+v\nwant\n%+v", bare(again), bare(m))
	}
}

func TestInferredModelsSurviveWriting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Infer(drawFacts(t), Settings{Label: "x", Currency: "EUR"})
		for _, p := range Check(m) {
			if p.Severity == SeverityError {
				t.Fatalf("the inferred model has an error: %s", p)
			}
		}
		again := reload(t, m)
		if !reflect.DeepEqual(bare(again), bare(m)) || again.Version != m.Version {
			t.Fatalf("got\n%+v\nwant\n%+v", bare(again), bare(m))
		}
	})
}

func TestAnyTextSurvivesYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"true", "- a", "a: b", "#x", "1e5", "0x1F", "~", "{a}", "[", "'", "\"", "a\nb", "@a", "%", "null", "2026-10-01", "\\", "? x", "a #b", "\u0085x", "*a", "&b", "!c", "|", ">", "a,b"})).Draw(t, "s")
		r := newReading()
		bodies := r.documents("f", []byte("k: {v: "+scalarYAML(s)+"}\nl: ["+scalarYAML(s)+"]\nm: "+scalarYAML(s)+"\n"))
		if len(bodies) != 1 {
			t.Fatalf("%q: %v", s, r.problems)
		}
		f, _ := r.openMapping("f", "", bodies[0])
		want := cleanText(s)
		if got := f.text("m"); got != want {
			t.Fatalf("%q came back as %q", s, got)
		}
		if got := f.sub("k", "v").text("v"); got != want {
			t.Fatalf("%q came back as %q in a flow mapping", s, got)
		}
	})
}
