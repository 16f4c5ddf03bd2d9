import type { Fault } from './fault';
import type { ReplayApi, ReplayClock } from './replay';
import type { Holding, Replay, Unsettled } from './types';

/** Replays for tests: what comes of them is put in before. */
export class FakeReplay implements ReplayApi {
  asked: [string, ReplayClock][] = [];
  /** What a replay gives; null: it lasts until it is stopped. */
  report: Replay | null = null;
  unsettledOf = new Map<string, Unsettled[]>();
  holdings = new Map<string, Holding>();
  failure: Fault | null = null;

  async replay(sessionId: string, clock: ReplayClock, signal: AbortSignal): Promise<Replay> {
    if (this.failure) throw this.failure;
    this.asked.push([sessionId, clock]);
    if (this.report) return this.report;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }

  async unsettled(sessionId: string): Promise<Unsettled[]> {
    return this.unsettledOf.get(sessionId) ?? [];
  }

  async again(requestId: string): Promise<Holding> {
    const holding = this.holdings.get(requestId);
    if (this.failure || !holding) throw this.failure ?? new Error('no holding was prepared');
    return holding;
  }

  async holding(requestId: string): Promise<Holding | null> {
    return this.holdings.get(requestId) ?? null;
  }
}
