import type { SavedQuery } from './api/types';
import type { QueryController } from './controllers/query.svelte';
import type { SavedController } from './controllers/saved.svelte';
import { say } from './text';

/** How the query of the current tab is saved: again where it was saved before, else under a name that the person gives. */
export class Saving {
  /** A name is asked for. */
  asking = $state(false);
  /** What came of it, in words. */
  said = $state('');
  /** The saved query of the current tab; null: it has none, or it is gone. */
  readonly now = $derived.by(() => this.saved.all.find(({ id }) => id === this.query.current.saved) ?? null);
  /** The tab says something else than what was saved. */
  readonly changed = $derived.by(
    () =>
      this.now !== null &&
      (this.now.text !== this.query.current.text || this.now.language !== this.query.current.language),
  );

  constructor(
    private readonly query: QueryController,
    private readonly saved: SavedController,
  ) {}

  /** Saves the tab where it was saved before, or asks for a name. */
  async save(): Promise<void> {
    if (this.query.current.text.trim() === '') {
      this.said = say('window.saved.empty');
      return;
    }
    const { now } = this;
    if (!now) this.ask();
    else if (!this.changed) this.said = say('window.saved.same', { name: now.name });
    else if (!(await this.under(now.name, now))) this.asking = true;
  }

  /** Asks for a name. */
  ask(): void {
    this.said = '';
    this.saved.problem = null;
    this.asking = true;
    void this.saved.load();
  }

  /** Saves the current tab under a name; `over` is what it replaces. False: it could not be saved, and `saved.problem` says why. */
  async under(name: string, over: SavedQuery | null): Promise<boolean> {
    const tab = this.query.current;
    const { language, text } = tab;
    const saved = await this.saved.save({ name, language, text }, over);
    if (!saved) return false;
    this.query.savedAs(tab, saved);
    this.asking = false;
    this.said = say(over ? 'window.saved.replaced' : 'window.saved.done', { name: saved.name });
    return true;
  }
}
