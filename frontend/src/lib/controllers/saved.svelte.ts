import { asFault, Fault } from '../api/fault';
import type { SavedApi, SaveRequest } from '../api/saved';
import type { SavedQuery } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { undoing, type Deed } from '../undo.svelte';

/** The queries that the person keeps under names. They are text: opening one runs nothing. */
export class SavedController {
  all = $state.raw<SavedQuery[]>([]);
  problem = $state.raw<Problem | null>(null);
  private gone = $state.raw<{ query: SavedQuery; deed: Deed } | null>(null);
  /** The one that was deleted last, as long as nothing else was done. */
  readonly removed = $derived.by(() => (this.gone?.deed === this.undone.last ? this.gone.query : null));

  constructor(
    private readonly api: SavedApi,
    private readonly undone = undoing,
  ) {}

  async load(): Promise<void> {
    await this.try(async () => undefined);
  }

  /** The query that has a name, whatever its case. */
  named(name: string): SavedQuery | null {
    const wanted = tidy(name).toLowerCase();
    return this.all.find((query) => query.name.toLowerCase() === wanted) ?? null;
  }

  /** Those that hold all of some words, in their name or their text. */
  matching(search: string): SavedQuery[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return this.all.filter(({ name, text }) =>
      words.every((word) => name.toLowerCase().includes(word) || text.toLowerCase().includes(word)),
    );
  }

  /** Keeps a query; `over` is the one that is replaced, null: the name must be free. Null: it could not be, and `problem` says why. */
  async save(query: Omit<SaveRequest, 'replacing'>, over: SavedQuery | null): Promise<SavedQuery | null> {
    const saved = await this.put({ ...query, name: tidy(query.name) }, over);
    if (!saved) return null;
    const redo = () => this.put(saved, this.named(saved.name));
    if (over)
      this.undone.did({
        what: say('window.undoing.query_replaced', { name: over.name }),
        undo: async () => (await this.put(over, this.named(over.name))) !== null,
        redo: async () => (await redo()) !== null,
      });
    return saved;
  }

  async rename(query: SavedQuery, name: string): Promise<boolean> {
    const call = (as: string) => this.try(() => this.api.rename(query.id, as));
    const wanted = tidy(name);
    if (wanted === '' || wanted === query.name || !(await call(wanted))) return false;
    this.undone.did({
      what: say('window.undoing.query_renamed', { name: wanted }),
      undo: () => call(query.name),
      redo: () => call(wanted),
    });
    return true;
  }

  /** Deletes a query. It comes back by being saved again. */
  async remove(query: SavedQuery): Promise<boolean> {
    let { id } = query;
    const take = () => this.try(() => this.api.remove(id));
    if (!(await take())) return false;
    const deed = {
      what: say('window.undoing.query_deleted', { name: query.name }),
      undo: async () => {
        const back = await this.put(query, null);
        id = back?.id ?? id;
        return back !== null;
      },
      redo: take,
    };
    this.undone.did(deed);
    this.gone = { query, deed };
    return true;
  }

  private async put(query: Omit<SaveRequest, 'replacing'>, over: SavedQuery | null): Promise<SavedQuery | null> {
    let saved: SavedQuery | null = null;
    const { name, language, text } = query;
    await this.try(async () => {
      saved = await this.api.save({ name, language, text, ...(over ? { replacing: over.changed } : {}) });
    });
    return saved;
  }

  // What there is then is read again, also when it did not work: somebody else may have changed it.
  private async try(work: () => Promise<unknown>): Promise<boolean> {
    let failed: unknown;
    try {
      await work();
    } catch (thrown) {
      failed = thrown;
    }
    try {
      this.all = await this.api.list();
    } catch (thrown) {
      failed ??= thrown;
    }
    this.problem = failed === undefined ? null : asFault(failed, new Fault('internal', say('window.saved.failed')));
    return failed === undefined;
  }
}

const tidy = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ');
