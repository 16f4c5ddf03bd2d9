// The actions of the whole window, as the palette lists them. What a view can do is added by that view while it is open.
import type { App } from './app.svelte';
import type { Command } from './controllers/commands.svelte';
import { say } from './text';

const themes = [
  { choice: 'system', label: 'window.theme.system' },
  { choice: 'light', label: 'window.theme.light' },
  { choice: 'dark', label: 'window.theme.dark' },
] as const;

/** The actions that are there whatever view is open. `pick` opens the dialog for files. */
export function windowCommands(app: App, pick: () => void): Command[] {
  const go = say('window.section.go');
  const session = say('window.section.session');
  const look = say('window.section.look');
  return [
    {
      id: 'palette',
      title: say('window.palette.title'),
      section: say('window.section.help'),
      keys: 'Mod+K',
      act: () => (app.commands.paletteOpen = true),
    },
    {
      id: 'shortcuts',
      title: say('window.shortcuts.title'),
      section: say('window.section.help'),
      keys: '?',
      act: () => (app.commands.shortcutsOpen = true),
    },
    {
      id: 'go.workspace',
      title: say('window.rail.workspace'),
      section: go,
      act: () => app.places.go('workspace'),
    },
    { id: 'go.inbox', title: say('window.inbox.title'), section: go, act: () => (app.layout.inboxOpen = true) },
    {
      id: 'session.new',
      title: say('window.session.new'),
      section: session,
      keys: 'Mod+N',
      act: () => app.newSession(),
    },
    {
      id: 'session.list',
      title: say('window.sessions.search'),
      section: session,
      keys: 'Mod+Shift+F',
      act: () => (app.layout.drawerOpen = true),
    },
    {
      id: 'session.drawer',
      title: say('window.sessions.toggle'),
      section: session,
      keys: 'Mod+B',
      act: () => (app.layout.drawerOpen = !app.layout.drawerOpen),
    },
    {
      id: 'run.cancel',
      title: say('window.run.cancel'),
      section: session,
      keys: 'Escape',
      when: () => app.run.running && !app.layout.drawerOpen && !app.layout.inboxOpen,
      act: () => app.run.cancel(),
    },
    { id: 'data.open', title: say('window.data.open'), section: say('window.section.data'), act: pick },
    ...themes.map(({ choice, label }) => ({
      id: `theme.${choice}`,
      title: `${say('window.theme.label')}: ${say(label)}`,
      section: look,
      when: () => app.theme.choice !== choice,
      act: () => void app.settings.choose({ theme: choice }),
    })),
  ];
}
