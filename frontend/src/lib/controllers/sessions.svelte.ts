import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { SessionHead } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** The list of sessions in the drawer, with its search. */
export class SessionsController {
  all = $state<SessionHead[]>([]);
  search = $state('');
  problem = $state<Problem | null>(null);
  /** A session that was removed a moment ago and can still be brought back. */
  removed = $state<SessionHead | null>(null);
  readonly found = $derived(matching(this.all, this.search).filter((head) => head.id !== this.removed?.id));
  private readonly backend: Backend;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async load(): Promise<void> {
    try {
      this.all = await this.backend.sessions();
      this.problem = null;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.sessions')));
    }
  }

  async rename(id: string, title: string): Promise<void> {
    const name = title.trim();
    if (name === '') return;
    await this.try(async () => {
      await this.backend.renameSession(id, name);
      this.all = this.all.map((head) => (head.id === id ? { ...head, title: name } : head));
    });
  }

  /** Takes a session off the list. It is deleted for good when the next one goes, or when the drawer closes. */
  async remove(head: SessionHead): Promise<void> {
    await this.settle();
    this.removed = head;
  }

  /** Brings back what was removed last. */
  undo(): void {
    this.removed = null;
  }

  /** Deletes for good what was removed and not brought back. */
  async settle(): Promise<void> {
    const head = this.removed;
    if (!head) return;
    this.removed = null;
    this.all = this.all.filter((known) => known.id !== head.id);
    await this.try(() => this.backend.removeSession(head.id));
    if (this.problem) await this.load();
  }

  private async try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.problem = null;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.sessions')));
    }
  }
}

function matching(all: SessionHead[], search: string): SessionHead[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((head) => words.every((word) => head.title.toLowerCase().includes(word)));
}
