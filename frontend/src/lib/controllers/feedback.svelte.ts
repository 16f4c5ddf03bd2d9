import type { FeedbackApi, Opinion } from '../api/feedback';
import { asFault, Fault } from '../api/fault';
import { say } from '../text';
import type { LiveTurn } from './turn.svelte';

/** Keeps what a person says of answers. */
export class FeedbackController {
  private readonly api: FeedbackApi;
  /** An answer that waited for a word may have got it. */
  private readonly settled: (turn: LiveTurn) => void;
  /** Its words said what a term means. */
  private readonly learned: () => void;

  constructor(api: FeedbackApi, settled: (turn: LiveTurn) => void, learned: () => void) {
    this.api = api;
    this.settled = settled;
    this.learned = learned;
  }

  /** Keeps an opinion, or takes it back where it is null. False: it was not kept, and the turn says why. */
  async give(turn: LiveTurn | undefined, opinion: Opinion | null): Promise<boolean> {
    if (!turn?.answer || turn.opinion.saying) return false;
    const id = turn.answer.request_id;
    turn.opinion = { ...turn.opinion, saying: true };
    try {
      const kept = opinion ? await this.api.give(id, opinion) : await this.api.takeBack(id).then(() => null);
      turn.opinion = { now: kept, saying: false, problem: null };
      if (kept?.learned) {
        turn.learned = kept.learned;
        this.learned();
      }
      this.settled(turn);
      return true;
    } catch (thrown) {
      const problem = asFault(thrown, new Fault('internal', say('window.feedback.failed')));
      turn.opinion = { ...turn.opinion, saying: false, problem };
      return false;
    }
  }
}
