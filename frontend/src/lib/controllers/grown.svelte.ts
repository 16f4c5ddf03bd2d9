import { asFault, Fault } from '../api/fault';
import type { SessionLifeApi } from '../api/session-life';
import { say } from '../text';
import type { Problem } from '../turn';
import type { SessionController } from './session.svelte';

/** Knows whether the session in view has grown in another window. */
export class Grown {
  /** Why the answers could not be shown. */
  problem = $state.raw<Problem | null>(null);
  /** What the program has of a session; null: nobody has looked. */
  private there = $state.raw<{ id: string; ended: number } | null>(null);
  /** How many answers the program has that are not in view. */
  readonly n = $derived.by(() => {
    if (!this.there || this.there.id !== this.session.id) return 0;
    return Math.max(0, this.there.ended - this.session.turns.length);
  });

  /** `reread` shows the session as the program has it. */
  constructor(
    private readonly api: SessionLifeApi,
    private readonly session: Pick<SessionController, 'id' | 'opening' | 'turns'>,
    private readonly reread: (id: string) => Promise<void>,
  ) {}

  /**
   * Looks again and again while the page can be seen, until it is stopped: another window need not be of this browser,
   * and says nothing. `pause` is in milliseconds.
   */
  watch(pause = 15_000): () => void {
    const each = setInterval(() => document.visibilityState === 'visible' && void this.look(), pause);
    return () => clearInterval(each);
  }

  /** Looks once. What cannot be found out is not said: the next look is soon enough. */
  async look(): Promise<void> {
    const { id } = this.session;
    if (id === null || this.busy) return;
    const ended = await this.api.ended(id).catch(() => null);
    if (ended !== null && this.session.id === id && !this.busy) this.there = { id, ended };
  }

  /** Shows them. */
  async show(): Promise<void> {
    const { id } = this.session;
    if (id === null || this.busy) return;
    try {
      await this.reread(id);
      this.problem = null;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.grown.failed')));
    }
  }

  // What runs here is neither in view nor with the program, and what is being opened is about to be read.
  private get busy(): boolean {
    return this.session.opening !== null || this.session.turns.some(({ state }) => state === 'running');
  }
}
