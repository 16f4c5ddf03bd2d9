import type { DataApi } from '../api/data';
import { asFault, Fault } from '../api/fault';
import type { TableHead, TableProfile, TableRejected } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { randomId } from '../random-id';

/** The table that the data view shows: its profile, its first rows, the lines that are not in it. */
export class TableController {
  name = $state('');
  profile = $state.raw<TableProfile | null>(null);
  /** Columns that are measured, while they are. */
  progress = $state<{ done: number; total: number } | null>(null);
  /** The measurement was stopped by the person. */
  stopped = $state(false);
  profileProblem = $state<Problem | null>(null);
  head = $state.raw<TableHead | null>(null);
  headProblem = $state<Problem | null>(null);
  rejected = $state.raw<TableRejected | null>(null);
  rejectedProblem = $state<Problem | null>(null);
  private readonly data: DataApi;
  private abort: AbortController | null = null;

  constructor(data: DataApi) {
    this.data = data;
  }

  /** Shows a table; again: everything is read anew, because its data changed. */
  open(name: string): void {
    this.close();
    this.name = name;
    if (!name) return;
    this.abort = new AbortController();
    void this.readHead(this.abort.signal);
    void this.measure(0);
  }

  /** Stops what is under way and forgets the table. */
  close(): void {
    this.abort?.abort();
    this.abort = null;
    this.name = '';
    this.profile = null;
    this.progress = null;
    this.stopped = false;
    this.profileProblem = this.headProblem = this.rejectedProblem = null;
    this.head = null;
    this.rejected = null;
  }

  /** Measures the columns over all rows, or over a sample of so many. */
  async measure(sample: number): Promise<void> {
    const name = this.name;
    this.measuring?.abort();
    const abort = (this.measuring = new AbortController());
    this.abort?.signal.addEventListener('abort', () => abort.abort(), { once: true });
    this.progress = { done: 0, total: 0 };
    this.stopped = false;
    this.profileProblem = null;
    try {
      const profile = await this.data.profile(
        { request_id: randomId(), table: name, sample },
        (done, total) => {
          if (this.measuring === abort) this.progress = { done, total };
        },
        abort.signal,
      );
      if (this.measuring === abort) this.profile = profile;
    } catch (thrown) {
      if (this.measuring !== abort) return;
      const fault = asFault(thrown, new Fault('internal', say('window.error.data')));
      if (fault.code === 'canceled') this.stopped = true;
      else this.profileProblem = fault;
    } finally {
      if (this.measuring === abort) this.progress = null;
    }
  }

  /** Stops the measurement; what was measured before stays. */
  stop(): void {
    this.measuring?.abort();
  }

  async readRejected(): Promise<void> {
    const name = this.name;
    if (this.rejected) return;
    try {
      const lines = await this.data.rejected(name);
      if (this.name === name) this.rejected = lines;
    } catch (thrown) {
      if (this.name === name) this.rejectedProblem = asFault(thrown, new Fault('internal', say('window.error.data')));
    }
  }

  private measuring: AbortController | null = null;

  private async readHead(signal: AbortSignal): Promise<void> {
    try {
      const head = await this.data.head(this.name, signal);
      if (!signal.aborted) this.head = head;
    } catch (thrown) {
      if (!signal.aborted) this.headProblem = asFault(thrown, new Fault('internal', say('window.error.data')));
    }
  }
}
