import { randomId } from '../random-id';
import type { Transport } from './transport';
import type { Holding, Replay, Unsettled } from './types';

export type ReplayClock = Replay['clock'];

/** Asking again what was asked: whole sessions, and answers that people rely on. */
export interface ReplayApi {
  /** Asks the turns of a session again and compares them; the session stays as it is. Rejects with a Fault. */
  replay(sessionId: string, clock: ReplayClock, signal: AbortSignal): Promise<Replay>;
  /** The accepted and pinned answers of a session whose data or definitions changed. */
  unsettled(sessionId: string): Promise<Unsettled[]>;
  /** Asks an answer again over what is there now. */
  again(requestId: string): Promise<Holding>;
  /** What came of that the last time, with both frames; null: it was not asked again. */
  holding(requestId: string): Promise<Holding | null>;
}

export class HttpReplay implements ReplayApi {
  constructor(private readonly transport: Transport) {}

  async replay(sessionId: string, clock: ReplayClock, signal: AbortSignal): Promise<Replay> {
    const request_id = randomId();
    const stop = () => void this.transport.send('POST', `api/requests/${request_id}/cancel`).catch(() => undefined); // it is over then
    signal.addEventListener('abort', stop, { once: true });
    try {
      const path = `api/sessions/${encodeURIComponent(sessionId)}/replay`;
      return (await (await this.transport.send('POST', path, { request_id, clock }, { signal })).json()) as Replay;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async unsettled(sessionId: string): Promise<Unsettled[]> {
    const path = `api/answers/unsettled?session=${encodeURIComponent(sessionId)}`;
    return (await this.transport.json<{ answers: Unsettled[] }>('GET', path)).answers;
  }

  async again(requestId: string): Promise<Holding> {
    const response = await this.transport.send('POST', `api/requests/${encodeURIComponent(requestId)}/again`, {});
    return (await response.json()) as Holding;
  }

  holding = (requestId: string) =>
    this.transport.json<Holding | null>('GET', `api/requests/${encodeURIComponent(requestId)}/holding`);
}
