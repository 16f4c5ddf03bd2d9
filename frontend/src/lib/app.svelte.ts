import { createContext } from 'svelte';
import type { Backend } from './api/backend';
import type { DataApi } from './api/data';
import type { Diagnostics, InboxNotice } from './api/types';
import type { PageApi } from './api/page';
import type { ResultsApi } from './api/results';
import { AcceptanceController } from './controllers/acceptance.svelte';
import { Commands } from './controllers/commands.svelte';
import { ChartsController } from './controllers/charts.svelte';
import { ExportsController } from './controllers/exports.svelte';
import { Connection } from './controllers/connection.svelte';
import type { Complete } from './controllers/completion.svelte';
import { FeedbackController } from './controllers/feedback.svelte';
import { ImportController } from './controllers/imports.svelte';
import { InboxController } from './controllers/inbox.svelte';
import { Layout } from './controllers/layout.svelte';
import { LookController } from './controllers/look.svelte';
import { Places } from './controllers/places.svelte';
import { MemoryController } from './controllers/memory.svelte';
import { MindsController } from './controllers/minds.svelte';
import { ModelController } from './controllers/model.svelte';
import { QueryController } from './controllers/query.svelte';
import { ReviewController } from './controllers/review.svelte';
import { RunController } from './controllers/run.svelte';
import { SavedController } from './controllers/saved.svelte';
import { SessionController } from './controllers/session.svelte';
import { SessionsController } from './controllers/sessions.svelte';
import { SettingsController } from './controllers/settings.svelte';
import { SourcesController } from './controllers/sources.svelte';
import { TableController } from './controllers/table.svelte';
import { Theme } from './controllers/theme.svelte';
import type { LiveTurn } from './controllers/turn.svelte';
import { WorkspaceController } from './controllers/workspace.svelte';
import type { ExportFormat } from './api/exports';
import { Handover } from './handover';
import { usualView } from './chart/view';
import type { CellRef } from './citations';
import { Intake } from './intake';
import { Opening } from './opening';
import { Queue } from './controllers/queue.svelte';
import { Revise } from './revise';
import type { Glance } from './controllers/glance.svelte';
import { lastSession } from './last-session';
import { follow, send } from './storage';
import { say } from './text';
import type { Asked, Problem } from './turn';
import type { SettlingWord } from './waiting';

/** The page's controllers, built once over one backend, and the few actions that concern several of them. */
export class App {
  readonly theme = new Theme();
  readonly layout = new Layout();
  readonly settings: SettingsController;
  readonly places = new Places();
  readonly commands = new Commands();
  readonly workspace: WorkspaceController;
  readonly session: SessionController;
  readonly sessions: SessionsController;
  readonly run: RunController;
  readonly acceptance: AcceptanceController;
  readonly charts: ChartsController;
  readonly exports: ExportsController;
  readonly connection: Connection;
  readonly feedback: FeedbackController;
  readonly inbox: InboxController;
  readonly imports: ImportController;
  readonly query: QueryController;
  readonly sources: SourcesController;
  readonly table: TableController;
  readonly look: LookController;
  readonly intake: Intake;
  /** Asks turns in another way. */
  readonly revise: Revise;
  readonly queue: Queue;
  readonly model: ModelController;
  readonly minds: MindsController;
  readonly memory: MemoryController;
  readonly review: ReviewController;
  readonly handover: Handover;
  readonly saved: SavedController;
  /** Why a session could not be opened. */
  problem = $state<Problem | null>(null);
  /** Words that are put into the composer; a new object puts them there again. */
  draft = $state<{ text: string } | null>(null);

  private readonly opening: Opening;
  private readonly data: DataApi;
  private readonly page: PageApi;
  /** Ways to go on with a question that is being written. */
  readonly complete: Complete;
  /** What is understood of it so far. */
  readonly glance: Glance;
  /** Whole results, for grids whose rows are not in the page. */
  readonly results: ResultsApi;
  /** What helps to find out why something does not work. */
  readonly diagnostics: () => Promise<Diagnostics>;

  constructor(backend: Backend) {
    this.complete = async (question, signal) => (this.settings.suggestions ? backend.complete(question, signal) : []);
    this.settings = new SettingsController(backend.settings, this.theme);
    this.minds = new MindsController(backend.minds, this.settings);
    this.memory = new MemoryController(backend.memory);
    this.review = new ReviewController(backend.knowledge);
    this.diagnostics = () => backend.settings.diagnostics();
    this.results = backend.results;
    this.data = backend.data;
    this.page = backend.page;
    this.workspace = new WorkspaceController(backend);
    this.session = new SessionController(backend, (turn) => this.pinned(turn));
    this.sessions = new SessionsController(backend);
    this.run = new RunController(backend, this.session);
    this.acceptance = new AcceptanceController(backend, this.run);
    this.charts = new ChartsController(backend.charts);
    this.exports = new ExportsController(backend.exports);
    this.feedback = new FeedbackController(
      backend.feedback,
      (turn) => void this.acceptance.look([turn]),
      () => void this.memory.load(),
    );
    this.opening = new Opening(this);
    this.handover = new Handover(backend, {
      session: this.session,
      show: (id) => this.opening.show(id),
      reread: (id) => this.opening.reread(id),
    });
    this.inbox = new InboxController(backend);
    this.connection = new Connection(
      () => backend.workspace(),
      () => void Promise.all([this.workspace.load(), this.inbox.load(), this.review.load(), send()]),
    );
    backend.watch(() => this.connection.lose());
    this.query = new QueryController(backend);
    this.saved = new SavedController(backend.saved);
    this.model = new ModelController(backend.model, () => void this.workspace.load());
    this.imports = new ImportController(backend, this.workspace);
    this.sources = new SourcesController(backend.data, this.workspace);
    this.table = new TableController(backend.data);
    this.look = new LookController(backend);
    this.intake = new Intake(backend, this);
    this.revise = new Revise(backend.reading, this);
    this.queue = new Queue(this);
    this.glance = async (question, signal) =>
      this.settings.suggestions ? backend.reading.glance(question, this.session.id, signal) : [];
  }

  /** In which numbers and dates are written. */
  get locale(): string {
    return this.settings.locale;
  }

  /** Loads the workspace, and the session that the address names, or the one of before a restart: neither that nor a reload loses it. */
  async start(): Promise<void> {
    const loading = Promise.all([
      this.settings.load(),
      this.workspace.load(),
      this.inbox.load(),
      this.minds.load(),
      this.memory.load(),
      this.review.load(),
    ]);
    await follow(this.page);
    const { sessionId, answerId } = this.places;
    const id = sessionId ?? lastSession();
    if (id && this.session.turns.length === 0 && !this.session.opening) {
      await this.openSession(id, answerId);
      if (!sessionId) this.problem = null; // it may have been deleted
    }
    await loading;
  }

  /** Asks, and brings the result into view. */
  async ask(asked: Asked, insteadOf?: LiveTurn): Promise<void> {
    this.places.go('workspace');
    this.problem = null;
    const { here } = this.minds;
    await this.run.ask(here && asked.question ? { mind: here, ...asked } : asked, insteadOf);
    this.afterRun();
  }

  /** Runs what waits for a word, and brings the result into view. */
  async confirm(key: string): Promise<void> {
    const turn = this.session.turn(key);
    if (!turn) return;
    this.problem = null;
    await this.acceptance.confirm(turn);
    this.afterRun();
  }

  /** Says a word about an answer, or keeps it as an example. */
  async settle(key: string, word: SettlingWord): Promise<void> {
    const turn = this.session.turn(key);
    if (turn) await (word === 'keep' ? this.acceptance.keep(turn) : this.acceptance.say(turn, word));
  }

  /** The rows of an answer were copied. */
  copied(key: string): void {
    const turn = this.session.turn(key);
    if (turn) void this.acceptance.use(turn, 'copy');
  }

  /** Writes an answer into a file. */
  async export(turn: LiveTurn | undefined, format: ExportFormat): Promise<void> {
    if (!turn?.answer) return;
    if (await this.exports.start(turn.answer.request_id, format)) await this.acceptance.use(turn, 'export');
  }

  /** Whether the person keeps an answer before all others. */
  pinned(turn: LiveTurn): boolean {
    return (this.charts.viewOf(turn.requestId) ?? turn.view)?.pinned === true;
  }

  /** Puts an answer before all others, or back among them. */
  async pin(turn: LiveTurn | undefined, pinned: boolean): Promise<void> {
    if (!turn?.answer) return;
    const id = turn.answer.request_id;
    const view = this.charts.viewOf(id) ?? turn.view ?? usualView(turn.answer.chart);
    const name = turn.answer.understood?.reading || turn.answer.question;
    const what = say(pinned ? 'window.undoing.result_pinned' : 'window.undoing.result_unpinned', { name });
    await this.charts.edit(id, view, { ...view, pinned }, what);
    if (pinned) await this.acceptance.use(turn, 'pin');
  }

  /** The provenance of an answer is opened: what it shows beyond the answer is fetched. */
  fetchProvenance(key: string): void {
    void this.session.fetchFacts(key);
    const turn = this.session.turn(key);
    if (turn) void this.acceptance.lookAt(turn);
  }

  /** Brings the turn into view that a notice is about. */
  async openNotice(notice: InboxNotice): Promise<void> {
    this.layout.inboxOpen = false;
    this.places.go('workspace');
    void this.inbox.read(notice);
    await this.openSession(notice.session_id, notice.request_id);
    this.layout.dialogueInView = true;
  }

  // A run may settle what waited before it, and may tell somebody something. A session that is about to be left is not
  // named any more: the address holds the one that was wanted.
  private afterRun(): void {
    void Promise.all([this.inbox.load(), this.review.load()]);
    if (this.session.opening || this.places.leaving) return;
    this.places.name(this.session.id);
    void this.handover.grown.look();
    const last = this.session.turns.at(-1)?.answer;
    if (last?.learned || last?.suggested) void this.memory.load();
    if (last?.frame) this.layout.panel = 'results';
    void Promise.all([this.acceptance.look(this.session.turns), this.queue.follow()]);
  }

  newSession(): void {
    this.minds.here = '';
    this.opening.begin();
  }

  /** Follows the address until it is stopped: going back in the browser opens the session that was open before. */
  follow(): () => void {
    return this.places.follow((session, answer) => {
      if (session === this.session.id && !answer) return;
      if (session) void this.openSession(session, answer);
      else this.newSession();
    });
  }

  /** Opens a session, and brings an answer of it into view. What is open stays as it is, and goes on running. */
  openSession(id: string, answer: string | null = null): Promise<void> {
    if (id !== this.session.id) this.minds.here = '';
    return this.opening.open(id, answer);
  }

  /** Brings a cell into view, whichever panel is shown now. */
  showCell(cell: CellRef): void {
    this.layout.show('results');
    this.session.wanted = { ...cell };
  }

  /** Opens a table in the data view. */
  showTable(name: string): void {
    this.places.go('data', name);
  }

  /** Asks about a column or a value of it; what the program has no question for goes into the composer as words. */
  async askAbout(table: string, column: string, value = ''): Promise<void> {
    let question = '';
    try {
      question = await this.data.question(table, column, value);
    } catch {
      // The words do.
    }
    if (question) {
      await this.ask({ question });
      return;
    }
    this.places.go('workspace');
    this.draft = { text: value ? `${column} ${value}` : column };
  }
}

export const [useApp, provideApp] = createContext<App>();
