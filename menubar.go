//go:build desktop

package main

import (
	system "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"

	"assay/backend/text"
)

// menuBar makes the menus, whose entries say their command. On macOS the first menu, Edit and Window are the system's.
func menuBar(say func(command string)) *menu.Menu {
	bar := menu.NewMenu()
	mac := system.GOOS == "darwin"
	if mac {
		bar.Append(menu.AppMenu())
	}
	for _, group := range menus() {
		if mac && group.label == "window.menu.edit" {
			bar.Append(menu.EditMenu())
			continue
		}
		sub := bar.AddSubmenu(text.Say(group.label))
		for _, e := range group.entries {
			switch {
			case e.command == "":
				sub.AddSeparator()
			case mac && e.command == "window.close": // the first menu has it
			default:
				sub.AddText(text.Say(e.label), accelerator(e.keys), func(*menu.CallbackData) { say(e.command) })
			}
		}
	}
	if mac {
		bar.Append(menu.WindowMenu())
	}
	return bar
}

// accelerator reads keys as the page writes them: "Mod+Shift+F".
func accelerator(written string) *keys.Accelerator {
	if written == "" {
		return nil
	}
	parts := strings.Split(written, "+")
	a := &keys.Accelerator{Key: strings.ToLower(parts[len(parts)-1])}
	for _, part := range parts[:len(parts)-1] {
		a.Modifiers = append(a.Modifiers, map[string]keys.Modifier{"Mod": keys.CmdOrCtrlKey, "Alt": keys.OptionOrAltKey, "Shift": keys.ShiftKey}[part])
	}
	return a
}
