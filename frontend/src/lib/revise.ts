import type { ReadingApi } from './api/reading';
import type { ReadingAsked, ReadingChange, ReadingMenu } from './api/types';
import { asFault, Fault } from './api/fault';
import type { RunController } from './controllers/run.svelte';
import type { SessionController } from './controllers/session.svelte';
import type { LiveTurn } from './controllers/turn.svelte';
import { say } from './text';
import type { Asked, Problem } from './turn';

/** What `Revise` needs of the page. */
interface Page {
  readonly session: SessionController;
  readonly run: RunController;
  ask(asked: Asked, insteadOf?: LiveTurn): Promise<void>;
  problem: Problem | null;
}

/** Asks turns in another way: by a part of their reading, by other words, or once more. What comes of it stands in their place. */
export class Revise {
  constructor(
    private readonly api: ReadingApi,
    private readonly page: Page,
  ) {}

  /** What a part of the reading of a turn may become. Rejects with a Fault. */
  alternatives(key: string, asked: ReadingAsked, signal: AbortSignal): Promise<ReadingMenu> {
    const id = this.page.session.turn(key)?.requestId ?? '';
    return this.api.alternatives(id, asked, signal);
  }

  /** Changes a part of the reading of a turn and asks that. Gives why it cannot be, or null once it is being asked. */
  async change(key: string, change: ReadingChange): Promise<Problem | null> {
    const turn = this.page.session.turn(key);
    if (!turn || this.page.run.running) return null;
    try {
      const edited = await this.api.edit(turn.requestId, change);
      const { criticality, asking } = turn.asked;
      void this.inPlace({ criticality, asking, ...edited }, turn);
      return null;
    } catch (thrown) {
      return asFault(thrown, new Fault('internal', say('window.reading.not_changed')));
    }
  }

  /** Asks a turn once more. */
  async again(key: string): Promise<void> {
    const turn = this.page.session.turn(key);
    if (turn) await this.inPlace(turn.asked, turn);
  }

  /** Asks other words in the place of a turn: as a query where it was one that a person wrote, else as a question. */
  async reword(key: string, words: string): Promise<void> {
    const turn = this.page.session.turn(key);
    if (!turn || words.trim() === '') return;
    const { question, frame_ql, sql, ...rest } = turn.asked;
    const asked =
      sql !== undefined
        ? { sql: words }
        : frame_ql !== undefined && !question
          ? { frame_ql: words }
          : { question: words };
    await this.inPlace({ ...rest, ...asked }, turn);
  }

  /** Shows another version of a turn. Later questions go on from it. */
  async step(key: string, by: number): Promise<void> {
    const { all, at } = this.page.session.versions(key);
    const next = all[at + by];
    if (!next || this.page.run.running) return;
    this.page.session.choose(next);
    if (!next.requestId) return;
    // One after the other: of two that are on their way at once, either could arrive last.
    this.page.session.kept = this.page.session.kept.then(() => this.keep(next.requestId));
    await this.page.session.kept;
  }

  private async keep(requestId: string): Promise<void> {
    try {
      await this.api.choose(requestId);
    } catch (thrown) {
      this.page.problem = asFault(thrown, new Fault('internal', say('window.versions.not_kept')));
    }
  }

  // The turn stays in view, and with the keyboard, while its new version runs.
  private async inPlace(asked: Asked, turn: LiveTurn): Promise<void> {
    if (this.page.run.running) return;
    const asking = this.page.ask(asked, turn);
    const now = this.page.session.turns.at(-1);
    if (now && now.place === turn.place) this.page.session.wantedTurn = { requestId: now.key };
    await asking;
  }
}
