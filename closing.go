//go:build desktop

package main

import (
	"strings"
	"time"

	"assay/backend/api"
	"assay/backend/desktop"
	"assay/backend/text"
)

// placeEvery is how often it is seen where the window is: a window that is killed cannot say so.
const placeEvery = 3 * time.Second

// settle puts the window where it was, as far as that place is still there.
func (w *Window) settle(known bool) {
	if at, screens, ok := where(w.ctx); ok && known && !at.Maximised {
		w.mu.Lock()
		wanted := w.place.Fit(screens)
		w.mu.Unlock()
		w.resize(at, wanted)
		move(w.ctx, wanted.X, wanted.Y)
	}
}

// followPlace keeps what has changed of the window's place until the window ends.
func (w *Window) followPlace() {
	tick := time.NewTicker(placeEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.keepPlace()
		case <-w.ctx.Done():
			return
		}
	}
}

// keepPlace remembers where the window is. What it was before it was maximised stays what it comes back to.
func (w *Window) keepPlace() {
	at, _, ok := where(w.ctx)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := at
	if at.Maximised {
		now = w.place
		now.Maximised = true
	}
	if now != w.place {
		w.place = now
		w.folder.KeepPlace(now)
	}
}

// mayClose says whether the window may close now. When something is under way a person is asked; when the process was told to end
// nobody is.
func (w *Window) mayClose() bool {
	if !w.closing.TryLock() {
		return false // the question is already there
	}
	defer w.closing.Unlock()
	w.keepPlace()
	working := w.opened.working()
	if !working.Any() || w.wasTold() {
		return true
	}
	return w.confirm(text.Say("window.closing.title"), underWay(working)+"\n\n"+text.Say("window.closing.ask"))
}

// wasTold waits a moment for the signal that closes the window too: both hear of it at once.
func (w *Window) wasTold() bool {
	select {
	case <-w.ended.Done():
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

// underWay says in a sentence for each kind what is under way.
func underWay(working api.Working) string {
	var all []string
	if n := working.Questions; n > 0 {
		all = append(all, text.Count("window.closing.questions", int64(n), "n", n))
	}
	if n := working.Imports; n > 0 {
		all = append(all, text.Count("window.closing.imports", int64(n), "n", n))
	}
	if n := working.Exports; n > 0 {
		all = append(all, text.Count("window.closing.exports", int64(n), "n", n))
	}
	return strings.Join(all, " ")
}

// resize makes the window fit a screen that is smaller than the one it was on.
func (w *Window) resize(at, wanted desktop.Place) {
	if at.Width != wanted.Width || at.Height != wanted.Height {
		resize(w.ctx, wanted.Width, wanted.Height)
	}
}
