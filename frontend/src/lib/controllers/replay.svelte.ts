import { asFault, Fault } from '../api/fault';
import type { ReplayApi, ReplayClock } from '../api/replay';
import type { Replay } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** Asks a session again, and holds what came of it while somebody looks at it. */
export class ReplayController {
  /** The session that is asked again; null: nobody looks. */
  session = $state<{ id: string; title: string } | null>(null);
  clock = $state<ReplayClock>('recorded');
  running = $state(false);
  report = $state.raw<Replay | null>(null);
  problem = $state.raw<Problem | null>(null);
  private abort: AbortController | null = null;

  constructor(private readonly api: ReplayApi) {}

  /** Asks all turns of a session again, from the clock that they had. */
  open(id: string, title: string): void {
    this.session = { id, title };
    this.clock = 'recorded';
    void this.start();
  }

  /** Counts relative dates from another moment, and asks again. */
  choose(clock: ReplayClock): void {
    this.clock = clock;
    void this.start();
  }

  async start(): Promise<void> {
    const session = this.session;
    if (!session) return;
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.running = true;
    this.report = this.problem = null;
    try {
      const report = await this.api.replay(session.id, this.clock, abort.signal);
      if (this.abort === abort) this.report = report;
    } catch (thrown) {
      if (this.abort === abort && !abort.signal.aborted)
        this.problem = asFault(thrown, new Fault('internal', say('window.replay.broke')));
    } finally {
      if (this.abort === abort) this.running = false;
    }
  }

  stop(): void {
    this.abort?.abort();
    this.abort = null;
    this.running = false;
  }

  close(): void {
    this.stop();
    this.session = this.report = this.problem = null;
  }
}
