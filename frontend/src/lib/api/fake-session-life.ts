import { Fault } from './fault';
import type { SessionLifeApi } from './session-life';
import type { SearchHit } from './types';

/** Searching and clearing for tests: hits are put in by the words that find them, and a test may let one search wait. */
export class FakeSessionLife implements SessionLifeApi {
  hits = new Map<string, SearchHit[]>();
  searched: string[] = [];
  stopped: string[] = [];
  cleared: string[] = [];
  uncleared: string[] = [];
  erased: string[] = [];
  /** How many turns of a session have ended; of one that is not named: none. */
  grown = new Map<string, number>();
  failure: Fault | null = null;
  wait = new Map<string, Promise<void>>();

  async search(words: string, signal: AbortSignal): Promise<SearchHit[]> {
    this.searched.push(words);
    signal.addEventListener('abort', () => this.stopped.push(words));
    await this.wait.get(words);
    if (signal.aborted) throw new Fault('canceled', 'stopped');
    if (this.failure) throw this.failure;
    return this.hits.get(words) ?? [];
  }

  async clear(sessionId: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.cleared.push(sessionId);
  }

  async unclear(sessionId: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.uncleared.push(sessionId);
  }

  async ended(sessionId: string): Promise<number> {
    if (this.failure) throw this.failure;
    return this.grown.get(sessionId) ?? 0;
  }

  async erase(sessionId: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.erased.push(sessionId);
  }
}
