import type { Asked } from '../turn';
import type { RunController } from './run.svelte';
import type { SessionController } from './session.svelte';
import type { LiveTurn } from './turn.svelte';

/** A question that waits for its turn. */
export interface Queued {
  key: number;
  asked: Asked & { question: string };
}

/** What `Queue` needs of the page. */
interface Page {
  readonly session: SessionController;
  readonly run: RunController;
  ask(asked: Asked): Promise<void>;
}

/**
 * Questions that wait for the one that runs, in their order. Each is asked once the one before it has an answer. Any other
 * end of it (stopped, failed, refused, asked back, waits for a word), and another session, holds them: what comes next may
 * have been meant to go on from an answer that is not there. Held questions are asked when a person says so.
 */
export class Queue {
  waiting = $state.raw<Queued[]>([]);
  /** The first turn of the session that they go on from. */
  private of: LiveTurn | undefined;
  private counter = 0;

  constructor(private readonly page: Page) {}

  /** They wait for a person, not for a run. */
  get held(): boolean {
    return this.waiting.length > 0 && !this.page.run.running;
  }

  /** Asks at once, or puts the question at the end while another one runs or waits. */
  async put(asked: Queued['asked']): Promise<void> {
    if (!this.page.run.running) return this.page.ask(asked);
    this.of = this.page.session.turns[0];
    this.waiting = [...this.waiting, { key: ++this.counter, asked }];
  }

  /** Takes one out, to be written anew or not to be asked at all. */
  take(key: number): Queued | undefined {
    const taken = this.waiting.find((one) => one.key === key);
    this.waiting = this.waiting.filter((one) => one !== taken);
    return taken;
  }

  /** Asks the first of them now; the others follow it. */
  async go(): Promise<void> {
    const [first] = this.waiting;
    if (!first || this.page.run.running) return;
    this.take(first.key);
    const asking = this.page.ask(first.asked);
    this.of = this.page.session.turns[0];
    await asking;
  }

  /** A run has ended: goes on when it has an answer and the session is still the one that they were written in. */
  async follow(): Promise<void> {
    const { session, run } = this.page;
    const last = session.turns.at(-1);
    if (run.running || last?.state !== 'done' || last.answer?.outcome !== 'answer') return;
    if (session.opening || this.of !== session.turns[0]) return;
    await this.go();
  }
}
