import type { Backend, SessionChange } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { SessionHead } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** What was done to a session a moment ago, and can be taken back. */
export interface Undoable {
  what: 'removed' | 'archived';
  head: SessionHead;
}

/** The list of sessions in the drawer, with its search. */
export class SessionsController {
  all = $state<SessionHead[]>([]);
  search = $state('');
  /** Those are shown that are out of sight otherwise. */
  archived = $state(false);
  /** The list was read at least once. */
  loaded = $state(false);
  problem = $state<Problem | null>(null);
  undoable = $state<Undoable | null>(null);
  readonly found = $derived(
    matching(
      this.all.filter((head) => head.archived === this.archived),
      this.search,
    ),
  );
  /** How many are out of sight that have the words that are searched for. */
  readonly hidden = $derived(
    matching(
      this.all.filter((head) => head.archived !== this.archived),
      this.search,
    ).length,
  );
  private readonly backend: Backend;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async load(): Promise<void> {
    await this.try(async () => {
      this.all = await this.backend.sessions();
      this.loaded = true;
    });
  }

  async rename(id: string, title: string): Promise<void> {
    const name = title.trim();
    if (name !== '') await this.change(id, { title: name });
  }

  pin(head: SessionHead, pinned: boolean): Promise<boolean> {
    return this.change(head.id, { pinned });
  }

  async archive(head: SessionHead, archived: boolean): Promise<void> {
    if (await this.change(head.id, { archived })) this.undoable = archived ? { what: 'archived', head } : null;
  }

  /** Deletes a session. It can be taken back as long as nothing else was done. False: it could not be deleted. */
  async remove(head: SessionHead): Promise<boolean> {
    const done = await this.try(async () => {
      await this.backend.removeSession(head.id);
      this.all = this.all.filter((known) => known.id !== head.id);
    });
    if (done) this.undoable = { what: 'removed', head };
    return done;
  }

  /** Takes back what was done last, and gives the session that it was done to. */
  async undo(): Promise<SessionHead | null> {
    const last = this.undoable;
    if (!last) return null;
    const back = await this.try(async () => {
      if (last.what === 'removed') await this.backend.restoreSession(last.head.id);
      else await this.backend.changeSession(last.head.id, { archived: false });
      if (last.head.pinned) await this.backend.changeSession(last.head.id, { pinned: true });
    });
    if (!back) return null;
    this.undoable = null;
    await this.load();
    return last.head;
  }

  // The order is the program's, so that the list is read again.
  private change(id: string, change: SessionChange): Promise<boolean> {
    return this.try(async () => {
      await this.backend.changeSession(id, change);
      this.all = await this.backend.sessions();
    });
  }

  private async try(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      this.problem = null;
      return true;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.sessions')));
      return false;
    }
  }
}

function matching(all: SessionHead[], search: string): SessionHead[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((head) => words.every((word) => head.title.toLowerCase().includes(word)));
}
