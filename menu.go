package main

// menuEntry is an entry of the menu bar: a command of the page by its id, under the sentence and with the keys that the page has for it.
// An entry without an id parts what stands before it from what follows.
type menuEntry struct {
	command string
	label   string // key of the catalogue
	keys    string // as lib/keys.ts writes them; empty: none, or some that must stay the page's own, as Esc
}

type menuGroup struct {
	label   string
	entries []menuEntry
}

// menus are those of the window. They hold nothing that the palette or a key of the page does not do too: an entry only says its
// command to the page. The commands that begin with "edit." are those of the text field that has the focus; on macOS the system's own
// take their place.
func menus() []menuGroup {
	return []menuGroup{
		{"window.menu.file", []menuEntry{
			{"session.new", "window.session.new", "Mod+N"},
			{"data.open", "window.data.open", "Mod+O"},
			{},
			{"window.close", "window.menu.close", "Mod+Q"},
		}},
		{"window.menu.edit", []menuEntry{
			{"edit.undo", "window.menu.undo", ""},
			{"edit.redo", "window.menu.redo", ""},
			{},
			{"edit.cut", "window.menu.cut", ""},
			{"edit.copy", "window.menu.copy", ""},
			{"edit.paste", "window.menu.paste", ""},
			{"edit.selectAll", "window.menu.select_all", ""},
		}},
		{"window.menu.view", []menuEntry{
			{"go.workspace", "window.rail.workspace", ""},
			{"go.data", "window.data.title", ""},
			{"go.query", "window.query.title", ""},
			{"go.model", "window.model.title", ""},
			{"go.inbox", "window.inbox.title", ""},
			{"go.settings", "window.settings.title", "Mod+,"},
			{},
			{"theme.system", "window.menu.theme_system", ""},
			{"theme.light", "window.menu.theme_light", ""},
			{"theme.dark", "window.menu.theme_dark", ""},
			{},
			{"palette", "window.palette.title", "Mod+K"},
		}},
		{"window.menu.session", []menuEntry{
			{"session.drawer", "window.sessions.toggle", "Mod+B"},
			{"session.list", "window.sessions.search", "Mod+Shift+F"},
			{},
			{"run.cancel", "window.run.cancel", ""},
		}},
		{"window.menu.help", []menuEntry{
			{"shortcuts", "window.shortcuts.title", ""},
		}},
	}
}

// notices are what the window may say outside itself, by the word that the page uses: what ended and how, never what came out.
func notices() map[string]string {
	return map[string]string{
		"question": "window.notify.question", "question_failed": "window.notify.question_failed", "question_asks": "window.notify.question_asks",
		"import": "window.notify.import", "import_failed": "window.notify.import_failed",
		"export": "window.notify.export", "export_failed": "window.notify.export_failed",
	}
}
