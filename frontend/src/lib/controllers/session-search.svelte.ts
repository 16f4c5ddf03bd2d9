import { asFault, Fault } from '../api/fault';
import type { SessionLifeApi } from '../api/session-life';
import type { SearchHit } from '../api/types';
import { bySession, wordsOf } from '../found';
import { say } from '../text';
import type { Problem } from '../turn';

/** So long nothing more was typed, in milliseconds, when a search begins. */
const settled = 120;

/** Searches the sessions for words in what was asked and answered. What is shown is always of the search that began last. */
export class SessionSearch {
  /** As it is typed. */
  typed = $state('');
  private hits = $state.raw<SearchHit[]>([]);
  /** The words that what is shown was found by; none: nothing was searched for yet. */
  words = $state.raw<string[]>([]);
  /** A search is under way, or about to begin. */
  searching = $state(false);
  problem = $state.raw<Problem | null>(null);
  readonly on = $derived(this.typed.trim() !== '');
  readonly found = $derived(bySession(this.hits));
  private timer: ReturnType<typeof setTimeout> | undefined;
  private abort: AbortController | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly api: SessionLifeApi) {}

  /** Takes what is typed, and searches for it when nothing more comes for a moment. */
  type(typed: string): void {
    const before = this.typed.trim();
    this.typed = typed;
    if (typed.trim() === before) return;
    this.stop();
    if (typed.trim() === '') {
      this.hits = [];
      this.words = [];
      this.problem = null;
      return;
    }
    this.searching = true;
    this.timer = setTimeout(() => this.begin(), settled);
  }

  /** Waits for no further letter. True once what is shown is of what is typed; false where something else was typed meanwhile. */
  async now(): Promise<boolean> {
    const { typed } = this;
    if (this.searching && !this.abort) {
      clearTimeout(this.timer);
      this.begin();
    }
    await this.running;
    return this.typed === typed;
  }

  /** Searches once more: what is found may have changed. */
  async again(): Promise<void> {
    if (!this.on) return;
    this.stop();
    this.begin();
    await this.running;
  }

  private begin(): void {
    this.running = this.search();
  }

  private async search(): Promise<void> {
    const asked = this.typed.trim();
    const abort = new AbortController();
    this.abort = abort;
    this.searching = true;
    try {
      const hits = await this.api.search(asked, abort.signal);
      if (this.abort !== abort) return;
      this.hits = hits;
      this.words = wordsOf(asked);
      this.problem = null;
    } catch (thrown) {
      if (this.abort !== abort) return;
      this.hits = [];
      this.words = wordsOf(asked);
      this.problem = asFault(thrown, new Fault('internal', say('window.sessions.search_failed')));
    } finally {
      if (this.abort === abort) {
        this.abort = null;
        this.searching = false;
      }
    }
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = null;
    this.searching = false;
  }
}
