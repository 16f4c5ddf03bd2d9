import { asFault, Fault } from '../api/fault';
import type { TaughtApi } from '../api/taught';
import type { FoundTaught } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

const settle = 200;

/** Finds what the person taught and prefers, and what is shared with them, by what it is like. */
export class RecallController {
  words = $state('');
  /** The nearest first; null: nothing is looked for, or not found out yet. */
  found = $state.raw<FoundTaught[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  private abort: AbortController | null = null;
  private stop: () => void = () => undefined;

  constructor(
    private readonly api: () => Promise<TaughtApi>,
    private readonly session: () => string | null,
    private readonly later: (work: () => void) => () => void = soon,
  ) {}

  /** Looks for what the words say by now, when nothing more is written for a moment; what was found before stays until then. */
  look(): void {
    this.stop();
    this.abort?.abort();
    this.problem = null;
    const words = this.words.trim();
    if (words === '') {
      this.found = null;
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.stop = this.later(() => void this.find(words, abort.signal));
  }

  /** Looks again, at once: what is there may have changed. */
  async again(): Promise<void> {
    if (!this.found) return;
    this.stop();
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    await this.find(this.words.trim(), abort.signal);
  }

  private async find(words: string, signal: AbortSignal): Promise<void> {
    try {
      const found = await (await this.api()).find(words, this.session(), signal);
      if (!signal.aborted) this.found = found;
    } catch (thrown) {
      if (signal.aborted) return;
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.recall.failed')));
      this.problem = { code, message, hint };
      this.found = null;
    }
  }
}

const soon = (work: () => void) => {
  const timer = setTimeout(work, settle);
  return () => clearTimeout(timer);
};
