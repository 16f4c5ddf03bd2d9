import { asFault, Fault } from '../api/fault';
import type { ResultsApi } from '../api/results';
import type { Column, Frame } from '../api/types';
import type { Cell } from '../cell';
import { mostPivoted } from '../pivot';
import { RemoteRows } from '../results/remote.svelte';
import { say } from '../text';
import type { Problem } from '../turn';

const step = 10_000;

/** The rows that a pivot is made of: those of the frame, and where it is cut all of them, read window by window on demand. */
export class PivotRows {
  private whole = $state.raw<{ columns: Column[]; rows: Cell[][] } | null>(null);
  /** How much is read, between 0 and 1; null: nothing is being read. */
  reading = $state<number | null>(null);
  problem = $state.raw<Problem | null>(null);
  private stop: AbortController | null = null;

  constructor(
    private readonly api: ResultsApi,
    private readonly answerTo: string,
    private readonly frame: Frame,
  ) {}

  readonly columns = $derived.by(() => this.whole?.columns ?? this.frame.columns);
  readonly rows = $derived.by(() => this.whole?.rows ?? (this.frame.rows as Cell[][]));
  /** Rows that the pivot needs and does not have. */
  readonly missing = $derived.by(() =>
    this.frame.truncated && !this.whole ? this.frame.truncated.total_rows - this.frame.rows.length : 0,
  );
  readonly tooLong = $derived.by(() => (this.frame.truncated?.total_rows ?? 0) > mostPivoted);

  async read(): Promise<void> {
    if (this.stop) return;
    const stop = new AbortController();
    this.stop = stop;
    this.reading = 0;
    this.problem = null;
    try {
      const set = await this.api.open({ answer_to: this.answerTo }, stop.signal);
      const source = new RemoteRows(this.api, set);
      const columns = set.columns.filter(({ role }) => role !== 'flag');
      const rows: Cell[][] = [];
      for (let from = 0; from < set.rows && !stop.signal.aborted; from += step) {
        rows.push(...(await source.read(from, Math.min(set.rows, from + step), [...columns.keys()])));
        if (this.stop === stop) this.reading = rows.length / set.rows;
      }
      if (this.stop === stop) this.whole = { columns, rows };
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.error.unreachable')));
      if (this.stop === stop) this.problem = { code: fault.code, message: fault.message, hint: fault.hint };
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        this.reading = null;
      }
    }
  }

  cancel(): void {
    this.stop?.abort();
    this.stop = null;
    this.reading = null;
  }
}
