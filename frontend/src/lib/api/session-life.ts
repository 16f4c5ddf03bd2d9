import type { Transport } from './transport';
import type { SearchHit, SessionState } from './types';

/** What happens to stored sessions beside being asked in: they are searched, cleared and done away with. */
export interface SessionLifeApi {
  /** Where all words stand, pinned and newer sessions first. Rejects with a Fault. */
  search(words: string, signal: AbortSignal): Promise<SearchHit[]>;
  /** Puts the answers of a session away; it goes on as an empty conversation. */
  clear(sessionId: string): Promise<void>;
  /** Brings back what was put away last. */
  unclear(sessionId: string): Promise<void>;
  /** How many turns of a session have come to their end, wherever they were asked: with every version, and with those that were put away. */
  ended(sessionId: string): Promise<number>;
  /** Deletes a session for good, be it deleted already or not: nothing brings it back. */
  erase(sessionId: string): Promise<void>;
}

/** Hits of one search, so that a list never grows without end. */
const most = 100;

export class HttpSessionLife implements SessionLifeApi {
  constructor(private readonly transport: Transport) {}

  async search(words: string, signal: AbortSignal): Promise<SearchHit[]> {
    const asked = new URLSearchParams({ q: words, limit: String(most) });
    const response = await this.transport.send('GET', `api/sessions/search?${asked.toString()}`, undefined, { signal });
    return ((await response.json()) as { hits: SearchHit[] | null }).hits ?? [];
  }

  async clear(sessionId: string): Promise<void> {
    await this.transport.send('POST', `api/sessions/${encodeURIComponent(sessionId)}/clear`, {});
  }

  async unclear(sessionId: string): Promise<void> {
    await this.transport.send('POST', `api/sessions/${encodeURIComponent(sessionId)}/unclear`, {});
  }

  async ended(sessionId: string): Promise<number> {
    const response = await this.transport.send('GET', `api/sessions/${encodeURIComponent(sessionId)}/state`);
    const { turns } = (await response.json()) as SessionState;
    return turns.all + turns.versions + turns.cleared - turns.running;
  }

  async erase(sessionId: string): Promise<void> {
    await this.transport.send('DELETE', `api/sessions/${encodeURIComponent(sessionId)}?forever=true`);
  }
}
