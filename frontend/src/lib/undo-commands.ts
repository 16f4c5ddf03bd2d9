// Taking back and doing again, as the palette and the shortcuts have it.
import type { Command } from './controllers/commands.svelte';
import { say } from './text';
import type { Undoing } from './undo.svelte';

export function undoCommands(undoing: Undoing, section: string): Command[] {
  const redo = {
    title: say('window.redo'),
    now: () => say('window.undoing.redo', { what: undoing.next?.what ?? '' }),
    section,
    when: () => undoing.next !== null,
    act: () => void undoing.redo(),
  };
  return [
    {
      id: 'undo',
      title: say('window.undo'),
      now: () => say('window.undoing.undo', { what: undoing.last?.what ?? '' }),
      section,
      keys: 'Mod+Z',
      when: () => undoing.last !== null,
      act: () => void undoing.undo(),
    },
    { ...redo, id: 'redo', keys: 'Mod+Shift+Z' },
  ];
}
