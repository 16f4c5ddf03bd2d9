package workspace

import (
	"cmp"
	"context"
	"io"
	"slices"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/report"
	"assay/backend/session"
	"assay/backend/text"
)

// PagePolicy is the content policy that stands in every page, for who serves one: a stricter policy beside it would stop its own style and script.
func PagePolicy() string { return report.Policy() }

// PageChoice is what a person chooses when a session becomes a page.
type PageChoice struct {
	Frames session.Frames // empty: whole
	Turn   int            // the last turn that is shown, with all before it; 0: all of them
}

// SessionPage writes a session as one page of HTML that stands alone, and gives a name for the file. It shows the chosen version of each turn; turns that
// still run, and those that were cleared away, are left out, which the page says.
//
// Faults: NotFound (no such session, or no such turn of it), Invalid (no such choice), Canceled, and those of out.
func (w *Workspace) SessionPage(ctx context.Context, id string, c PageChoice, out io.Writer) (name string, err error) {
	d, err := w.sessionDocument(ctx, id, c, opened{What: openedSession})
	if err != nil {
		return "", err
	}
	return fileName(d.Title) + ".html", report.WritePage(out, d)
}

// sessionDocument lays out a session. That it is opened, and how, is written down before.
func (w *Workspace) sessionDocument(ctx context.Context, id string, c PageChoice, what opened) (*report.Document, error) {
	x, err := w.survey(ctx, id, SessionChoice{Frames: c.Frames})
	if err != nil {
		return nil, err
	}
	shown, err := w.turnsShown(ctx, id, c.Turn)
	if err != nil {
		return nil, err
	}
	if err := w.noteOpened(ctx, what, analyst.Answer{SessionID: id}, ""); err != nil {
		return nil, err
	}
	d := &report.Document{}
	about := report.About{Frames: x.choice.Frames, Until: shown.last, Cleared: shown.cleared}
	err = x.travel(ctx, func(p analyst.Packed) error {
		place, is := shown.at[p.Turn.RequestID]
		if !is {
			return nil
		}
		turn, err := analyst.Together(p)
		if err != nil {
			return oddTurn(p.Turn.Index, err)
		}
		t, err := report.LayOut(turn, p.Rows, report.Choice{Frames: x.choice.Frames, Rows: report.RowsOf(len(shown.at)), Number: place.number, Versions: place.others, Numbers: shown.numbers})
		if err != nil {
			return oddTurn(p.Turn.Index, err)
		}
		d.Sections = append(d.Sections, t.Section)
		if t.Rows {
			about.Answers++
		}
		if t.Missing && x.choice.Frames != session.FramesNone {
			about.Without = append(about.Without, t.Section.Number)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(d.Sections, func(a, b report.Section) int { return cmp.Compare(a.Place, b.Place) })
	f := x.document()
	d.Title = f.Title
	about.Workspace, about.Program, about.Made = f.Workspace.Name, w.opts.Version, w.opts.Now()
	about.Began, about.Ended, about.Origin, about.Imported, about.Unfinished = f.Created, f.Updated, f.Origin, x.head.Imported, x.contents.Unfinished
	if about.Imported != nil {
		about.Workspace = about.Imported.Workspace
	}
	d.About = about
	return d, nil
}

// shownTurns are the turns of a session that a page shows.
type shownTurns struct {
	at      map[string]placed // by request
	numbers map[int]int       // by index, of every version of a turn that is shown
	last    int               // the number of the last one, where some are left out behind it; else 0
	cleared int               // that are not shown because they were cleared away
}

// placed is where a turn stands in a page.
type placed struct {
	number int // from 1
	others int // versions of it that are not shown
}

// turnsShown gives the turn that stands in each place of a session, up to the place of a turn (0: all). Fault NotFound: there is no such turn.
func (w *Workspace) turnsShown(ctx context.Context, id string, turn int) (shownTurns, error) {
	shown := shownTurns{at: map[string]placed{}, numbers: map[int]int{}}
	all, err := w.memory.Outline(ctx, id)
	if err != nil {
		return shown, err
	}
	end, versions := 0, map[int]int{}
	for _, t := range all {
		if t.Index == turn {
			end = t.Place
		}
		if t.Outcome != session.Running {
			versions[t.Place]++
		}
	}
	if turn != 0 && end == 0 {
		return shown, fault.New(fault.NotFound, "page", text.Say("workspace.page_no_turn", "turn", turn), text.Say("workspace.page_no_turn_hint"))
	}
	slices.SortStableFunc(all, func(a, b session.Turn) int { return cmp.Compare(a.Place, b.Place) })
	places := map[int]int{}
	for _, t := range all {
		switch {
		case !t.Chosen:
		case end != 0 && t.Place > end:
			shown.last = len(shown.at)
		case t.Archived != nil:
			shown.cleared++
		default:
			shown.at[t.RequestID] = placed{len(shown.at) + 1, versions[t.Place] - 1}
			places[t.Place] = len(shown.at)
		}
	}
	for _, t := range all {
		if number := places[t.Place]; number > 0 {
			shown.numbers[t.Index] = number
		}
	}
	return shown, nil
}
