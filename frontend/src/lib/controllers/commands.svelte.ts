import { untrack } from 'svelte';
import { pressed, writing } from '../keys';

/** What a person can do, by the palette, by its shortcut, or by a control that calls the same function. */
export interface Command {
  /** Unique, and the same in every version: it is what is remembered as used lately. */
  id: string;
  title: string;
  /** What it does now, as the palette says it; absent: its title. */
  now?: () => string;
  /** Under which heading the palette and the shortcuts list it. */
  section: string;
  /** As `lib/keys.ts` reads it. */
  keys?: string;
  /** More words by which it is found. */
  words?: string;
  /** Absent: always. A command that cannot be done now is not listed, and its shortcut does nothing. */
  when?: () => boolean;
  /** With the key that was pressed, when it was one. */
  act: (event?: KeyboardEvent) => void;
}

/** Every action of the page. A view adds its own while it is there. */
export class Commands {
  paletteOpen = $state(false);
  shortcutsOpen = $state(false);
  private groups = $state.raw<readonly (readonly Command[])[]>([]);
  readonly all = $derived(this.groups.flat());

  /** What can be done now. It is asked anew each time, and when the palette opens: whether a grid is there, only the page itself knows. */
  get available(): readonly Command[] {
    void this.paletteOpen;
    return this.all.filter((command) => command.when?.() ?? true);
  }

  /** Adds commands; later ones go first where two have the same shortcut. Returns the way to take them out. */
  add(commands: readonly Command[]): () => void {
    // An effect that adds commands does not depend on what others have added.
    this.groups = [...untrack(() => this.groups), commands];
    return () => {
      this.groups = untrack(() => this.groups).filter((group) => group !== commands);
    };
  }

  /** Does what a shortcut stands for. False when it stands for nothing now. */
  press(event: KeyboardEvent): boolean {
    const command = this.available.findLast(({ keys }) => keys !== undefined && pressed(event, keys));
    if (!command?.keys) return false;
    const writes = !/Mod|Alt/.test(command.keys) && event.key.length === 1;
    if (writes && writing(event)) return false;
    // Undoing what was typed is the field's own affair.
    if (/^Mod\+(Shift\+)?Z$|^Mod\+Y$/.test(command.keys) && writing(event)) return false;
    this.run(command, event);
    return true;
  }

  /** Does a command by its id, as the menu bar says it. False when there is none of that id now. */
  runById(id: string): boolean {
    const command = this.available.findLast((one) => one.id === id);
    if (command) this.run(command);
    return command !== undefined;
  }

  run(command: Command, event?: KeyboardEvent): void {
    this.paletteOpen = false;
    command.act(event);
  }
}
