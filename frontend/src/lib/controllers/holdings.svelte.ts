import { SvelteSet } from 'svelte/reactivity';
import { asFault, Fault } from '../api/fault';
import type { ReplayApi } from '../api/replay';
import type { Comparison, Unsettled } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** Which answers of the session in view somebody relies on while their data or definitions are others by now, and whether they still hold. */
export class HoldingsController {
  private all = $state.raw<Unsettled[]>([]);
  /** The answers that are asked again at the moment, by request. */
  readonly asking = new SvelteSet<string>();
  /** Why one could not be asked again, by request. */
  problem = $state.raw<(Problem & { requestId: string }) | null>(null);
  /** The two frames of an answer that are looked at. */
  beside = $state.raw<{ title: string; comparison: Comparison } | null>(null);
  private wanted: string | null = null;

  constructor(private readonly api: ReplayApi) {}

  of(requestId: string): Unsettled | undefined {
    return this.all.find((one) => one.request_id === requestId);
  }

  /** Looks which answers of a session are concerned. What cannot be found out is not said. */
  async load(sessionId: string | null): Promise<void> {
    this.wanted = sessionId;
    if (sessionId === null) {
      this.all = [];
      return;
    }
    const all = await this.api.unsettled(sessionId).catch(() => []);
    if (this.wanted === sessionId) this.all = all;
  }

  /** Asks an answer again, and says whether it holds. */
  async again(requestId: string): Promise<void> {
    if (this.asking.has(requestId)) return;
    this.asking.add(requestId);
    this.problem = null;
    try {
      const holding = await this.api.again(requestId);
      this.all = this.all.map((one) => (one.request_id === requestId ? { ...one, holding } : one));
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.holding.broke')));
      this.problem = { code, message, hint, requestId };
    } finally {
      this.asking.delete(requestId);
    }
  }

  /** Shows the frame of the answer beside the new one. */
  async compare(requestId: string, title: string): Promise<void> {
    try {
      const holding = this.of(requestId)?.holding;
      const comparison = holding?.comparison ?? (await this.api.holding(requestId))?.comparison;
      if (comparison) this.beside = { title, comparison };
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.holding.broke')));
      this.problem = { code, message, hint, requestId };
    }
  }
}
