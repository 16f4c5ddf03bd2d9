import { asFault, Fault } from '../api/fault';
import type { ShareChoice, SharesApi } from '../api/shares';
import type { ShareHead, ShareMade } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** The addresses under which others read a session: they are made, listed and revoked. */
export class SharesController {
  /** Days after which an address ends by itself. */
  days = $state(30);
  /** The address that was made last, which is said this once. */
  made = $state.raw<ShareMade | null>(null);
  all = $state.raw<ShareHead[]>([]);
  readonly open = $derived.by(() => this.all.filter((share) => !ended(share, this.now())));
  readonly ended = $derived.by(() => this.all.filter((share) => ended(share, this.now())));
  making = $state(false);
  /** The address that is about to be revoked, when the person says so once more. */
  revoking = $state<string | null>(null);
  problem = $state.raw<Problem | null>(null);
  private of: string | null = null;
  /** How many times the list was asked for: only the last answer counts. */
  private asked = 0;

  constructor(
    private readonly api: SharesApi,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** Lists those of a session. What cannot be found out is not said: making one says why. */
  async load(sessionId: string): Promise<void> {
    if (this.of !== sessionId) {
      this.all = [];
      this.made = this.problem = this.revoking = null;
    }
    this.of = sessionId;
    const turn = ++this.asked;
    const all = await this.api.of(sessionId).catch(() => null);
    if (all && turn === this.asked && this.of === sessionId) this.all = all;
  }

  /** Makes an address of the session whose addresses are listed. */
  async make(choice: Omit<ShareChoice, 'days'>): Promise<void> {
    const of = this.of;
    if (!of || this.making) return;
    this.making = true;
    this.made = this.problem = null;
    try {
      const made = await this.api.make(of, { ...choice, days: this.days });
      // It is said once it stands in the list, so that nobody takes another one there for it.
      await this.load(of);
      if (this.of === of) this.made = made;
    } catch (thrown) {
      if (this.of === of) this.fail(thrown, say('window.share.failed'));
    } finally {
      this.making = false;
    }
  }

  /** Ends an address for good. */
  async revoke(id: string): Promise<void> {
    const of = this.of;
    this.problem = null;
    try {
      await this.api.revoke(id);
      if (this.made?.id === id) this.made = null;
      if (this.revoking === id) this.revoking = null;
      if (of) await this.load(of);
    } catch (thrown) {
      this.fail(thrown, say('window.share.not_revoked'));
    }
  }

  /** Nobody looks any more: an address that was said is not said again. */
  close(): void {
    this.of = null;
    this.all = [];
    this.made = this.problem = this.revoking = null;
  }

  private fail(thrown: unknown, broke: string): void {
    const { code, message, hint } = asFault(thrown, new Fault('internal', broke));
    this.problem = { code, message, hint };
  }
}

const ended = ({ revoked, expires }: ShareHead, now: number): boolean => revoked !== null || Date.parse(expires) <= now;
