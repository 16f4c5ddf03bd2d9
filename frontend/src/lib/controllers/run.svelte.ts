import { randomId } from '../random-id';
import type { Backend } from '../api/backend';
import { hasMade } from '../artifacts';
import { asFault, Fault } from '../api/fault';
import { say } from '../text';
import type { Answer, RunEvent } from '../api/types';
import { noOpinion } from '../feedback';
import { asAnswered, withStep, type Asked } from '../turn';
import type { SessionController } from './session.svelte';
import type { LiveTurn } from './turn.svelte';

/** Runs one question at a time and puts what happens into its turn, as it happens. */
export class RunController {
  /** The turn that is running; null when nothing is. */
  current = $state.raw<LiveTurn | null>(null);
  readonly running = $derived(this.current !== null);
  private readonly backend: Backend;
  private readonly session: SessionController;
  private readonly newId: () => string;
  private abort: AbortController | null = null;

  constructor(backend: Backend, session: SessionController, newId: () => string = randomId) {
    this.backend = backend;
    this.session = session;
    this.newId = newId;
  }

  /**
   * Asks a question or runs a query, as a turn of its own or as another version of one. Nothing happens while another one
   * runs, or when there is nothing to ask.
   */
  async ask(asked: Asked, insteadOf?: LiveTurn): Promise<void> {
    const question = (asked.question || asked.frame_ql || asked.sql || '').trim();
    if (this.running || question === '') return;
    // What never came as far as the program can have no version there.
    const version = insteadOf?.requestId ? { instead_of: insteadOf.requestId } : {};
    const session_id = this.session.id ?? undefined;
    await this.follow(
      asked,
      question,
      async (turn, hear, signal) => {
        await this.session.kept; // the question goes on from the version that stands there
        signal.throwIfAborted();
        return this.backend.ask({ request_id: turn.key, session_id, ...asked, ...version }, hear, signal);
      },
      insteadOf,
    );
  }

  /** Runs what waited for a word, under the query that it runs. Rejects when the program does not take the word. */
  async confirm(requestId: string, frameQL: string): Promise<void> {
    if (this.running) return;
    let refused: Fault | null = null;
    await this.follow({ frame_ql: frameQL }, frameQL, async (turn, hear, signal) => {
      try {
        return await this.backend.confirm(requestId, turn.key, hear, signal);
      } catch (thrown) {
        // Then there is no turn: nothing was run, or will be.
        if (thrown instanceof Fault && notTaken.includes(thrown.code)) {
          refused = thrown;
          this.session.withdraw(turn);
        }
        throw thrown;
      }
    });
    if (refused) throw refused;
  }

  // Puts a turn at the end of the session and what comes of the work into it.
  private async follow(
    asked: Asked,
    question: string,
    work: (turn: LiveTurn, hear: (event: RunEvent) => void, signal: AbortSignal) => Promise<Answer>,
    insteadOf?: LiveTurn,
  ): Promise<void> {
    const turn = this.session.add(
      {
        key: this.newId(),
        asked,
        question,
        at: new Date().toISOString(),
        state: 'running',
        steps: [],
        answer: null,
        problem: null,
        facts: null,
        stands: asAnswered,
        opinion: noOpinion,
        learned: null,
        view: null,
        made: [],
      },
      insteadOf,
    );
    this.current = turn;
    const abort = new AbortController();
    this.abort = abort;
    const hear = (event: RunEvent): void => {
      if (abort.signal.aborted) return;
      this.join(turn, event.session_id);
      turn.requestId = event.request_id;
      if (event.step) turn.steps = withStep(turn.steps, event.step);
      if (event.draft) turn.draft = event.draft;
    };
    try {
      const answer = await work(turn, hear, abort.signal);
      if (abort.signal.aborted) return;
      this.join(turn, answer.session_id);
      turn.answer = answer;
      if (hasMade(answer)) void this.session.fetchMade(turn);
      turn.requestId = answer.request_id;
      if (answer.trace.length > 0) turn.steps = answer.trace;
      turn.state = 'done';
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.error.run')));
      if (abort.signal.aborted || fault.code === 'canceled') turn.state = 'stopped';
      else {
        turn.state = 'failed';
        turn.problem = { code: fault.code, message: fault.message, hint: fault.hint };
      }
    } finally {
      turn.draft = null;
      if (this.abort === abort) this.finish();
    }
  }

  /** Stops the run at once; the program behind hears of it and stops too. */
  cancel(): void {
    const turn = this.current;
    if (!turn) return;
    turn.state = 'stopped';
    // A program that cannot be reached has nothing left to stop.
    this.backend.cancel(turn.key).catch(() => undefined);
    this.abort?.abort();
    this.finish();
  }

  private finish(): void {
    this.current = null;
    this.abort = null;
  }

  // The first word of a run says which session it belongs to; a session that was left meanwhile is not touched.
  private join(turn: LiveTurn, sessionId: string): void {
    if (sessionId !== '' && this.session.turns.includes(turn)) this.session.id = sessionId;
  }
}

// The word was not taken: it waits no more, it is somebody else's, or there is no such request.
const notTaken = ['conflict', 'unauthorized', 'not_found'];
