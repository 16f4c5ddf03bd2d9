import { createContext } from 'svelte';
import { asFault, Fault, type Backend } from './api/backend';
import type { Upload } from './api/types';
import type { Complete } from './controllers/completion.svelte';
import { ImportController } from './controllers/imports.svelte';
import { Layout } from './controllers/layout.svelte';
import { RunController } from './controllers/run.svelte';
import { SessionController } from './controllers/session.svelte';
import { SessionsController } from './controllers/sessions.svelte';
import { Theme } from './controllers/theme.svelte';
import { WorkspaceController } from './controllers/workspace.svelte';
import type { CellRef } from './citations';
import { say } from './text';
import { personLocale } from './locale';
import type { Asked, Problem } from './turn';

/** The page's controllers, built once over one backend, and the few actions that concern several of them. */
export class App {
  readonly locale = personLocale();
  readonly theme = new Theme();
  readonly layout = new Layout();
  readonly workspace: WorkspaceController;
  readonly session: SessionController;
  readonly sessions: SessionsController;
  readonly run: RunController;
  readonly imports: ImportController;
  /** Why a session could not be opened. */
  problem = $state<Problem | null>(null);

  /** Ways to go on with a question that is being written. */
  readonly complete: Complete;

  constructor(backend: Backend) {
    this.complete = (question, signal) => backend.complete(question, signal);
    this.workspace = new WorkspaceController(backend);
    this.session = new SessionController(backend);
    this.sessions = new SessionsController(backend);
    this.run = new RunController(backend, this.session);
    this.imports = new ImportController(backend, this.workspace);
  }

  /** Loads the workspace, and the session that the address names: a reload loses nothing. */
  async start(): Promise<void> {
    const loading = this.workspace.load();
    const id = sessionInAddress();
    if (id) await this.openSession(id);
    await loading;
  }

  /** Asks, and brings the result into view. */
  async ask(asked: Asked): Promise<void> {
    this.problem = null;
    await this.run.ask(asked);
    nameInAddress(this.session.id);
    if (this.session.turns.at(-1)?.answer?.frame) this.layout.panel = 'results';
  }

  newSession(): void {
    this.run.cancel();
    this.session.begin();
    nameInAddress(null);
    this.problem = null;
    this.layout.panel = 'sources';
    this.layout.dialogueInView = true;
  }

  async openSession(id: string): Promise<void> {
    this.run.cancel();
    try {
      await this.session.open(id);
      nameInAddress(id);
      this.problem = null;
      this.layout.panel = this.session.cards.length > 0 ? 'results' : 'sources';
      this.layout.dialogueInView = true;
    } catch (thrown) {
      this.problem = asFault(thrown, new Fault('internal', say('window.error.session')));
    }
  }

  /** Brings a cell into view, whichever panel is shown now. */
  showCell(cell: CellRef): void {
    this.layout.show('results');
    this.session.wanted = { ...cell };
  }

  /** Imports files and shows how far it is. */
  takeFiles(files: File[]): void {
    this.layout.show('sources');
    void this.imports.take(files);
  }

  /** Imports files that the desktop shell took in. */
  takeOffered(files: Upload[]): void {
    this.layout.show('sources');
    void this.imports.takeOffered(files);
  }
}

const addressPattern = /^#session\/([\w-]+)$/;

const sessionInAddress = (): string | null => addressPattern.exec(location.hash)?.[1] ?? null;

function nameInAddress(id: string | null): void {
  history.replaceState(null, '', id ? `#session/${id}` : location.pathname + location.search);
}

export const [useApp, provideApp] = createContext<App>();
