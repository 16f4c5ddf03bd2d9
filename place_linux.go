//go:build desktop

package main

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

#define MOST_SCREENS 16

typedef struct {
	int references;
	GMutex mutex;
	GCond answered;
	gboolean done, move;
	int x, y, width, height;
	gboolean known, maximised, apart;
	int screens;
	GdkRectangle screen[MOST_SCREENS];
} PlaceAsk;

static void place_release(PlaceAsk *ask) {
	if (g_atomic_int_dec_and_test(&ask->references)) {
		g_mutex_clear(&ask->mutex);
		g_cond_clear(&ask->answered);
		g_free(ask);
	}
}

// The program has one main window; dialogs stand before it.
static GtkWindow *place_window(void) {
	GtkWindow *found = NULL;
	GList *all = gtk_window_list_toplevels();
	for (GList *at = all; at != NULL; at = at->next) {
		GtkWindow *window = GTK_WINDOW(at->data);
		if (gtk_window_get_window_type(window) == GTK_WINDOW_TOPLEVEL && gtk_window_get_transient_for(window) == NULL && gtk_window_get_type_hint(window) == GDK_WINDOW_TYPE_HINT_NORMAL) {
			found = window;
		}
	}
	g_list_free(all);
	return found;
}

static gboolean place_answer(gpointer data) {
	PlaceAsk *ask = data;
	GtkWindow *window = place_window();
	GdkDisplay *display = gdk_display_get_default();
	g_mutex_lock(&ask->mutex);
	if (window != NULL && ask->move) {
		gtk_window_move(window, ask->x, ask->y);
	} else if (window != NULL && ask->width > 0) {
		gtk_window_resize(window, ask->width, ask->height);
	} else if (window != NULL) {
		GdkWindow *drawn = gtk_widget_get_window(GTK_WIDGET(window));
		GdkWindowState state = drawn != NULL ? gdk_window_get_state(drawn) : GDK_WINDOW_STATE_WITHDRAWN;
		gtk_window_get_position(window, &ask->x, &ask->y);
		gtk_window_get_size(window, &ask->width, &ask->height);
		ask->maximised = gtk_window_is_maximized(window);
		ask->apart = (state & (GDK_WINDOW_STATE_ICONIFIED | GDK_WINDOW_STATE_FULLSCREEN | GDK_WINDOW_STATE_WITHDRAWN)) != 0;
		ask->known = TRUE;
	}
	if (display != NULL) {
		ask->screens = MIN(gdk_display_get_n_monitors(display), MOST_SCREENS);
		for (int i = 0; i < ask->screens; i++) {
			gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), &ask->screen[i]);
		}
	}
	ask->done = TRUE;
	g_cond_signal(&ask->answered);
	g_mutex_unlock(&ask->mutex);
	place_release(ask);
	return G_SOURCE_REMOVE;
}

// place_ask has the main loop look or move, and waits for it a second at most. The caller releases what it gets.
static PlaceAsk *place_ask(gboolean move, int x, int y, int width, int height) {
	PlaceAsk *ask = g_new0(PlaceAsk, 1);
	ask->references = 2;
	ask->move = move;
	ask->x = x;
	ask->y = y;
	ask->width = width;
	ask->height = height;
	g_mutex_init(&ask->mutex);
	g_cond_init(&ask->answered);
	g_idle_add_full(G_PRIORITY_DEFAULT, place_answer, ask, NULL);
	gint64 end = g_get_monotonic_time() + G_TIME_SPAN_SECOND;
	g_mutex_lock(&ask->mutex);
	while (!ask->done && g_cond_wait_until(&ask->answered, &ask->mutex, end)) {}
	if (!ask->done) {
		ask->known = FALSE;
		ask->screens = 0;
	}
	g_mutex_unlock(&ask->mutex);
	return ask;
}
*/
import "C"

import (
	"context"

	"assay/backend/desktop"
)

// where says where the window is, on which screens; false: nobody knows now, or it is minimised or fills the screen for a while.
func where(context.Context) (desktop.Place, []desktop.Screen, bool) {
	ask := C.place_ask(0, 0, 0, 0, 0)
	defer C.place_release(ask)
	var screens []desktop.Screen
	for _, s := range ask.screen[:ask.screens] {
		screens = append(screens, desktop.Screen{X: int(s.x), Y: int(s.y), Width: int(s.width), Height: int(s.height)})
	}
	at := desktop.Place{X: int(ask.x), Y: int(ask.y), Width: int(ask.width), Height: int(ask.height), Maximised: ask.maximised != 0}
	return at, screens, ask.known != 0 && ask.apart == 0
}

// move puts the window's corner at a point of the desktop. Wails counts from the corner of the screen that the window is on, and tells
// where it is from that of the desktop.
func move(_ context.Context, x, y int) { C.place_release(C.place_ask(1, C.int(x), C.int(y), 0, 0)) }

// resize sets the size of the window. Wails does so from whichever thread asks.
func resize(_ context.Context, width, height int) {
	C.place_release(C.place_ask(0, 0, 0, C.int(width), C.int(height)))
}
