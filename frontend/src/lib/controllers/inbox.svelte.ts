import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { InboxNotice } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** What the person is told: what waits for their role, and what time has settled. */
export class InboxController {
  notices = $state.raw<InboxNotice[]>([]);
  problem = $state.raw<Problem | null>(null);
  readonly unread = $derived(this.notices.filter((notice) => !notice.read).length);
  private readonly backend: Backend;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async load(): Promise<void> {
    try {
      this.notices = await this.backend.inbox();
      this.problem = null;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.inbox')));
    }
  }

  /** Marks a notice as read, at once; it is unread again when that could not be stored. */
  async read(notice: InboxNotice): Promise<void> {
    if (notice.read) return;
    this.mark(notice.id, true);
    try {
      await this.backend.readNotice(notice.id);
    } catch (thrown) {
      this.mark(notice.id, false);
      this.problem = asFault(thrown, new Fault('internal', say('window.error.inbox')));
    }
  }

  private mark(id: number, read: boolean): void {
    this.notices = this.notices.map((notice) => (notice.id === id ? { ...notice, read } : notice));
  }
}
