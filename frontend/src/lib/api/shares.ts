import type { RowsChoice } from './session-files';
import type { Transport } from './transport';
import type { ShareHead, ShareMade } from './types';

/** What others see under an address, and until when. */
export interface ShareChoice {
  frames: RowsChoice;
  /** The last question that is shown; absent: the last one of now. */
  turn?: number;
  /** Until it ends by itself, 1 to 365. */
  days: number;
}

/** Addresses under which others read a session. */
export interface SharesApi {
  /** Makes one; its address is given this once. Rejects with a Fault, `unavailable` where nothing is served to others. */
  make(sessionId: string, choice: ShareChoice): Promise<ShareMade>;
  /** Those of a session, the latest first. */
  of(sessionId: string): Promise<ShareHead[]>;
  /** Ends one at once and for good. */
  revoke(id: string): Promise<void>;
}

export class HttpShares implements SharesApi {
  constructor(private readonly transport: Transport) {}

  async make(sessionId: string, choice: ShareChoice): Promise<ShareMade> {
    const path = `api/sessions/${encodeURIComponent(sessionId)}/share`;
    return (await (await this.transport.send('POST', path, choice)).json()) as ShareMade;
  }

  async of(sessionId: string): Promise<ShareHead[]> {
    const path = `api/sessions/${encodeURIComponent(sessionId)}/shares`;
    return (await this.transport.json<{ shares: ShareHead[] | null }>('GET', path)).shares ?? [];
  }

  async revoke(id: string): Promise<void> {
    await this.transport.send('DELETE', `api/shares/${encodeURIComponent(id)}`);
  }
}
