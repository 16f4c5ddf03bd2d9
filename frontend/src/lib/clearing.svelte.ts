import type { SessionLifeApi } from './api/session-life';
import { asFault, Fault } from './api/fault';
import { say } from './text';
import type { Problem } from './turn';
import { undoing, type Deed } from './undo.svelte';

/** What clearing needs of the page. */
interface Page {
  readonly session: { readonly id: string | null; readonly title: string };
  /** Reads the session in view again, when it is this one. */
  reread(sessionId: string): Promise<void>;
}

/** Puts the conversation of the session in view away, so that it begins anew under the same title, and brings it back. */
export class Clearing {
  /** Why the last one did not work. */
  problem = $state.raw<Problem | null>(null);
  private working = false;
  /** The clearing that was done last. */
  private last: { id: string; deed: Deed } | null = null;

  constructor(
    private readonly api: SessionLifeApi,
    private readonly page: Page,
    private readonly undone = undoing,
  ) {}

  /** Puts away what stands. It can be taken back. */
  async clear(): Promise<void> {
    const { id, title } = this.page.session;
    if (!id || this.working || !(await this.away(id))) return;
    const deed: Deed = {
      about: id,
      what: say('window.undoing.session_cleared', { name: title || say('window.session.untitled') }),
      undo: () => this.back(id),
      redo: () => this.away(id),
    };
    this.undone.did(deed);
    this.last = { id, deed };
  }

  /** Brings back what was put away last: as undo does, where that is what was done last. */
  async bringBack(): Promise<void> {
    const { id } = this.page.session;
    if (!id || this.working) return;
    if (this.last?.id === id && this.undone.last === this.last.deed) await this.undone.undo();
    else await this.back(id);
  }

  private away = (id: string) => this.try(id, () => this.api.clear(id), say('window.clear.failed'));
  private back = (id: string) => this.try(id, () => this.api.unclear(id), say('window.clear.back_failed'));

  private async try(id: string, work: () => Promise<void>, broke: string): Promise<boolean> {
    this.working = true;
    try {
      await work();
      this.problem = null;
      await this.page.reread(id);
      return true;
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown, new Fault('internal', broke));
      this.problem = { code, message, hint };
      return false;
    } finally {
      this.working = false;
    }
  }
}
