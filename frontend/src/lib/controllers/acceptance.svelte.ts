import type { Backend, Use, Word } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import { say } from '../text';
import { acceptedByUse, waits } from '../waiting';
import type { RunController } from './run.svelte';
import type { LiveTurn } from './turn.svelte';

/** Takes the words of a person about answers that wait, and knows how they stand. */
export class AcceptanceController {
  private readonly backend: Backend;
  private readonly run: RunController;
  /** Requests whose result was used. Using it twice says nothing new. */
  private readonly used = new Set<string>();

  constructor(backend: Backend, run: RunController) {
    this.backend = backend;
    this.run = run;
  }

  /** Asks how those turns stand that may have moved: what waits is settled by time, by another turn or in another window. */
  async look(turns: LiveTurn[]): Promise<void> {
    await Promise.all(
      turns.map(async (turn) => {
        const { answer, stands } = turn;
        if (!answer || !waits(answer) || (stands.now?.settled ?? '') !== '') return;
        await this.lookAt(turn);
      }),
    );
  }

  /** Asks how one turn stands. When that is not to be had, it stands as it was answered. */
  async lookAt(turn: LiveTurn): Promise<void> {
    if (!turn.answer) return;
    const now = await this.backend.standing(turn.answer.request_id).catch(() => null);
    if (now) turn.stands = { ...turn.stands, now };
  }

  /** Says a word about an answer. */
  say(turn: LiveTurn, on: Word): Promise<void> {
    return this.take(turn, async (id) => {
      turn.stands = { ...turn.stands, now: await this.backend.say(id, on) };
    });
  }

  /** Runs what waits, as the next turn. */
  confirm(turn: LiveTurn): Promise<void> {
    return this.take(turn, async (id) => {
      await this.run.confirm(id, turn.answer?.understood?.frame_ql ?? turn.question);
      await this.lookAt(turn);
    });
  }

  /** Keeps an accepted answer as an example of a right one. */
  keep(turn: LiveTurn): Promise<void> {
    return this.take(turn, async (id) => {
      await this.backend.keep(id);
      await this.lookAt(turn);
    });
  }

  /** The result of a turn was used, which accepts it from level 4 on. It is told once, and nobody waits for it. */
  async use(turn: LiveTurn, how: Use): Promise<void> {
    const { answer } = turn;
    if (!answer || !acceptedByUse(answer) || this.used.has(answer.request_id)) return;
    this.used.add(answer.request_id);
    const now = await this.backend.say(answer.request_id, 'accepted', how).catch(() => null);
    if (now) turn.stands = { ...turn.stands, now };
  }

  private async take(turn: LiveTurn, work: (requestId: string) => Promise<void>): Promise<void> {
    const id = turn.answer?.request_id;
    if (!id || turn.stands.saying) return;
    turn.stands = { ...turn.stands, saying: true, problem: null };
    let problem = null;
    try {
      await work(id);
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.error.word')));
      problem = { code, message, hint };
      // It moved without us: what became of it says more than the refusal of the word.
      await this.lookAt(turn);
      if (code === 'conflict' && (turn.stands.now?.settled ?? '') !== '') problem = null;
    }
    turn.stands = { ...turn.stands, saying: false, problem };
  }
}
