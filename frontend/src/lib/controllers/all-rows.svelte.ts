import { asFault, Fault } from '../api/fault';
import type { ResultOf, ResultsApi } from '../api/results';
import { RemoteRows } from '../results/remote.svelte';
import { say } from '../text';
import type { Problem } from '../turn';

/** All rows of a result that is shown in part, or of a table: opened on demand, stopped at any time. */
export class AllRows {
  rows = $state.raw<RemoteRows | null>(null);
  opening = $state(false);
  problem = $state.raw<Problem | null>(null);
  private stop: AbortController | null = null;

  constructor(
    private readonly api: ResultsApi,
    private readonly of: ResultOf,
  ) {}

  async open(): Promise<void> {
    if (this.opening || this.rows) return;
    const stop = new AbortController();
    this.stop = stop;
    this.opening = true;
    this.problem = null;
    try {
      const result = await this.api.open(this.of, stop.signal);
      if (!stop.signal.aborted) this.rows = new RemoteRows(this.api, result);
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.error.unreachable')));
      if (!stop.signal.aborted) this.problem = { code: fault.code, message: fault.message, hint: fault.hint };
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        this.opening = false;
      }
    }
  }

  cancel(): void {
    this.stop?.abort();
    this.stop = null;
    this.opening = false;
  }
}
