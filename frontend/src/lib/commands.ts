// The actions of the whole window, as the palette lists them. What a view can do is added by that view while it is open.
import { tick } from 'svelte';
import type { App } from './app.svelte';
import type { Command } from './controllers/commands.svelte';
import { copyAsButton, openCopyAs } from './copy-as';
import { closeWindow, inDesktop } from './desktop';
import { drawWithin } from './gradual';
import { goToPane } from './panes';
import { say } from './text';
import { undoing } from './undo.svelte';
import { undoCommands } from './undo-commands';

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
    {
      id: 'go.composer',
      title: say('window.go.composer'),
      section: go,
      keys: 'Mod+J',
      act: () => void goToComposer(app),
    },
    {
      id: 'go.result',
      title: say('window.go.result'),
      section: go,
      keys: 'Alt+1…9',
      when: () => app.session.cards.length > 0,
      act: (event) => void goToResult(app, Number(/\d/.exec(event?.code ?? event?.key ?? '')?.[0] ?? 1)),
    },
    { id: 'go.pane', title: say('window.go.pane'), section: go, keys: 'F6', act: () => goToPane(false) },
    { id: 'go.pane_back', title: say('window.go.pane_back'), section: go, keys: 'Shift+F6', act: () => goToPane(true) },
    {
      id: 'export',
      title: say('window.export.title'),
      section: session,
      keys: 'Mod+E',
      when: () => app.session.cards.some((card) => card.kind === 'frame'),
      act: () => (app.exports.choosing = nearestResult(app)),
    },
    {
      id: 'copy.as',
      title: say('window.grid.copy_as'),
      section: session,
      keys: 'Mod+Shift+C',
      words: 'TSV CSV Markdown JSON SQL IN INSERT',
      when: () => copyAsButton() !== null,
      // The palette gives the keyboard back first.
      act: (event) => (event?.type === 'keydown' ? openCopyAs() : requestAnimationFrame(openCopyAs)),
    },
    ...undoCommands(undoing, say('window.section.undo')),
    { id: 'data.open', title: say('window.data.open'), section: say('window.section.data'), keys: 'Mod+O', act: pick },
    {
      id: 'window.close',
      title: say('window.menu.close'),
      section: look,
      keys: 'Mod+Q',
      when: inDesktop,
      act: closeWindow,
    },
    ...themes.map(({ choice, label }) => ({
      id: `theme.${choice}`,
      title: `${say('window.theme.label')}: ${say(label)}`,
      section: look,
      when: () => app.theme.choice !== choice,
      act: () => void app.settings.choose({ theme: choice }),
    })),
  ];
}

/** Puts the keyboard where questions are written. */
export async function goToComposer(app: App): Promise<void> {
  app.places.go('workspace');
  app.layout.dialogueInView = true;
  await tick();
  document.getElementById('composer')?.focus();
}

const results = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#panels [data-result]')];

// Brings the nth result of the list into view, with the keyboard on it.
async function goToResult(app: App, n: number): Promise<void> {
  app.places.go('workspace');
  app.layout.show('results');
  await tick();
  const result = results()[n - 1];
  if (result) drawWithin(result);
  result?.scrollIntoView({ block: 'start' });
  result?.focus({ preventScroll: true });
}

// The result that the keyboard is on, or the first of the list.
function nearestResult(app: App): string | null {
  const on = results().find((result) => result.contains(document.activeElement));
  const frames = app.session.cards.filter((card) => card.kind === 'frame');
  return (frames.find((card) => card.key === on?.dataset.result) ?? frames[0])?.key ?? null;
}

/** What can be done with the last question while the dialogue is open. */
export function questionCommands({ session, run, revise }: App): Command[] {
  const section = say('window.section.session');
  const when = () => !run.running && session.standing.length > 0;
  const last = () => session.standing.at(-1)?.key ?? '';
  return [
    {
      id: 'question.edit',
      title: say('window.turn.edit_last'),
      section,
      keys: 'Alt+E',
      when,
      act: () => (session.editing = last()),
    },
    { id: 'question.again', title: say('window.turn.again_last'), section, when, act: () => void revise.again(last()) },
  ];
}
