import { asFault, Fault } from './api/fault';
import type { AcceptanceController } from './controllers/acceptance.svelte';
import type { Layout } from './controllers/layout.svelte';
import type { Places } from './controllers/places.svelte';
import type { RunController } from './controllers/run.svelte';
import type { SessionController } from './controllers/session.svelte';
import { say } from './text';
import type { Problem } from './turn';

/** What `Opening` needs of the page. */
interface Page {
  readonly session: SessionController;
  readonly run: RunController;
  readonly acceptance: AcceptanceController;
  readonly places: Places;
  readonly layout: Layout;
  problem: Problem | null;
}

/** Which session is in view: a stored one, or one that begins. */
export class Opening {
  constructor(private readonly page: Page) {}

  /** Begins a session of its own. */
  begin(): void {
    const { places, run, session, layout } = this.page;
    places.go('workspace');
    run.cancel();
    session.begin();
    places.name(null);
    this.page.problem = null;
    layout.panel = 'sources';
    layout.dialogueInView = true;
  }

  /** Opens a session, and brings an answer of it into view. What is open stays as it is, and goes on running. */
  async open(id: string, answer: string | null = null): Promise<void> {
    const { places, run, session, layout } = this.page;
    if (session.id === id && answer) {
      places.name(id);
      this.showAnswer(answer);
      return;
    }
    run.cancel();
    try {
      if (!(await this.read(id))) return;
      places.name(id);
      this.page.problem = null;
      layout.panel = session.cards.length > 0 ? 'results' : 'sources';
      layout.dialogueInView = true;
      if (answer) this.showAnswer(answer);
    } catch (thrown) {
      this.page.problem = asFault(thrown, new Fault('internal', say('window.error.session')));
    }
  }

  /** Opens a session in the workspace, whatever view is open. */
  show(id: string): Promise<void> {
    this.page.places.go('workspace');
    return this.open(id);
  }

  /** Reads the session in view again, when it is this one and nothing runs in it. */
  async reread(id: string): Promise<void> {
    if (this.page.session.id === id && !this.page.run.running) await this.read(id);
  }

  private read = (id: string) => this.page.session.open(id, (turns) => this.page.acceptance.look(turns));

  // One that stands behind another version of its turn is shown in its place; what its session does not have is said.
  private showAnswer(requestId: string): void {
    const { session } = this.page;
    const turn = session.turns.find((one) => one.requestId === requestId);
    if (turn) session.choose(turn);
    else this.page.problem = new Fault('not_found', say('window.error.no_answer'), say('window.error.no_answer_hint'));
    session.wantedTurn = { requestId };
  }
}
