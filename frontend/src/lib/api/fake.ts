import { FakeResults } from './fake-results';
import type { BranchesApi, BranchPoint } from './branches';
import type { ChartsApi } from './charts';
import type { AskRequest, Backend, ImportRequest, SessionChange, Use, Word } from './backend';
import { FakeData } from './data-fake';
import { Fault } from './fault';
import type { ExportFormat, ExportsApi } from './exports';
import { FakeKnowledge } from './fake-knowledge';
import { FakeMemory } from './fake-memory';
import type { FeedbackApi, Opinion } from './feedback';
import type { SettingsApi } from './settings';
import { FakeReading } from './fake-reading';
import { FakeMinds } from './fake-minds';
import { FakeModelApi } from './fake-model';
import { FakePage, FakeSaved } from './fake-keeping';
import { FakeQueryApi } from './fake-query';
import { FakeReplay } from './fake-replay';
import { FakeReports, FakeSessionFiles, FakeShares } from './fake-session-files';
import { FakeSessionLife } from './fake-session-life';
import { FakeTaught } from './fake-taught';
import type {
  Answer,
  BranchHead,
  Completion,
  Exported,
  Imported,
  ImportProgress,
  InboxNotice,
  Marked,
  NextQuestion,
  RunEvent,
  SentTexts,
  SessionDocument,
  SessionHead,
  Settings,
  SettingsView,
  Standing,
  Upload,
  View,
  Workspace,
} from './types';

/** A backend for tests: it answers from values that the test puts in, and writes down what it was asked. */
export class FakeBackend implements Backend {
  readonly settings = new FakeSettings();
  readonly exports = new FakeExports();
  readonly results = new FakeResults();
  readonly replay = new FakeReplay();
  readonly sessionFiles = new FakeSessionFiles();
  readonly sessionLife = new FakeSessionLife();
  readonly shares = new FakeShares();
  readonly reports = new FakeReports();
  readonly query = new FakeQueryApi();
  readonly saved = new FakeSaved();
  readonly memory = new FakeMemory();
  readonly knowledge = new FakeKnowledge();
  readonly known = new FakeTaught();
  taught = async () => this.known;
  readonly page = new FakePage();
  readonly data = new FakeData();
  imports: ImportRequest[] = [];
  readonly model = new FakeModelApi();
  readonly minds = new FakeMinds();
  readonly reading = new FakeReading();
  asked: AskRequest[] = [];
  completions: Completion[] = [];
  completed: string[] = [];
  canceled: string[] = [];
  removed: string[] = [];
  changed: [string, SessionChange][] = [];
  restored: string[] = [];
  /** Tells the page that the program cannot be reached. */
  lose: () => void = () => undefined;
  opinions: [string, Opinion | null][] = [];
  documents = new Map<string, SessionDocument>();
  entries: SessionHead[] = [];
  standings = new Map<string, Standing>();
  said: [string, Word, Use | undefined][] = [];
  confirmed: string[] = [];
  kept: string[] = [];
  notices: InboxNotice[] = [];
  readIds: number[] = [];
  failures: Record<string, Fault> = {};
  imported: Imported | null = null;
  progress: ImportProgress[] = [];
  uploaded: string[] = [];
  workspaces: Workspace[] = [];

  branched: [string, BranchPoint][] = [];
  trees = new Map<string, BranchHead[]>();
  readonly branches: BranchesApi = {
    begin: async (sessionId, from) => {
      this.fail('branch');
      this.branched.push([sessionId, from]);
      return `${sessionId}-branch`;
    },
    tree: async (sessionId) => {
      this.fail('tree');
      return this.trees.get(sessionId) ?? [];
    },
  };

  readonly feedback: FeedbackApi = {
    give: async (requestId, opinion) => {
      this.fail('feedback');
      this.opinions.push([requestId, opinion]);
      return { ...opinion, at: '2026-01-15T09:00:00Z', learned: null };
    },
    takeBack: async (requestId) => {
      this.fail('feedback');
      this.opinions.push([requestId, null]);
    },
  };

  views: [string, View][] = [];
  marked: [string, Marked][] = [];
  next: NextQuestion[] = [];
  readonly charts: ChartsApi = {
    narrow: async (requestId, marked) => {
      this.fail('narrow');
      this.marked.push([requestId, marked]);
      return this.next;
    },
    saveView: async (requestId, view) => {
      this.fail('saveView');
      this.views.push([requestId, view]);
    },
  };

  /** Answers one question. A test may wait inside, send steps, or throw. */
  answer: (request: AskRequest, onEvent: (event: RunEvent) => void, signal: AbortSignal) => Promise<Answer> = () =>
    Promise.reject(new Fault('internal', 'no answer was prepared'));

  /** What a confirmed request gives. */
  confirmation: (requestId: string, onEvent: (event: RunEvent) => void, signal: AbortSignal) => Promise<Answer> = () =>
    Promise.reject(new Fault('internal', 'no confirmation was prepared'));

  watch(lost: () => void): void {
    this.lose = lost;
  }

  async workspace(): Promise<Workspace> {
    this.fail('workspace');
    const next = this.workspaces.length > 1 ? this.workspaces.shift() : this.workspaces[0];
    if (!next) throw new Fault('not_found', 'no workspace was prepared');
    return next;
  }

  async ask(request: AskRequest, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer> {
    this.asked.push(request);
    return this.answer(request, onEvent, signal);
  }

  async cancel(requestId: string): Promise<void> {
    this.canceled.push(requestId);
  }

  sent = new Map<string, SentTexts>();

  async sentTexts(requestId: string): Promise<SentTexts> {
    this.fail('sent');
    return this.sent.get(requestId) ?? { requests: [], texts: {} };
  }

  async standing(requestId: string): Promise<Standing> {
    this.fail('standing');
    const found = this.standings.get(requestId);
    if (!found) throw new Fault('not_found', `no request ${requestId}`);
    return found;
  }

  async say(requestId: string, on: Word, how?: Use): Promise<Standing> {
    this.said.push([requestId, on, how]);
    this.fail('say');
    const found = await this.standing(requestId);
    const settled = { ...found, settled: on, how: how ?? 'explicit', may_be_golden: on === 'accepted' && !how };
    this.standings.set(requestId, settled);
    return settled;
  }

  async confirm(
    requestId: string,
    _runId: string,
    onEvent: (event: RunEvent) => void,
    signal: AbortSignal,
  ): Promise<Answer> {
    this.confirmed.push(requestId);
    this.fail('confirm');
    return this.confirmation(requestId, onEvent, signal);
  }

  async keep(requestId: string): Promise<void> {
    this.fail('keep');
    this.kept.push(requestId);
    const found = this.standings.get(requestId);
    if (found) this.standings.set(requestId, { ...found, kept: true });
  }

  async inbox(): Promise<InboxNotice[]> {
    this.fail('inbox');
    return this.notices;
  }

  async readNotice(id: number): Promise<void> {
    this.fail('readNotice');
    this.readIds.push(id);
  }

  async complete(question: string): Promise<Completion[]> {
    this.fail('complete');
    this.completed.push(question);
    return this.completions;
  }

  async sessions(): Promise<SessionHead[]> {
    this.fail('sessions');
    return this.entries;
  }

  async session(id: string): Promise<SessionDocument> {
    const found = this.documents.get(id);
    if (!found) throw new Fault('not_found', `no session ${id}`);
    return found;
  }

  async changeSession(id: string, change: SessionChange): Promise<void> {
    this.fail('changeSession');
    this.changed.push([id, change]);
  }

  async removeSession(id: string): Promise<void> {
    this.fail('removeSession');
    this.removed.push(id);
  }

  async restoreSession(id: string): Promise<void> {
    this.fail('restoreSession');
    this.restored.push(id);
  }

  async upload(file: File, onBytes: (done: number, total: number) => void, signal: AbortSignal): Promise<Upload> {
    this.fail('upload');
    if (signal.aborted) throw new Fault('canceled', 'stopped');
    onBytes(file.size, file.size);
    this.uploaded.push(file.name);
    return { token: `token-${file.name}`, name: file.name, bytes: file.size };
  }

  async importFiles(
    request: ImportRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported> {
    this.imports.push(request);
    this.fail('importFiles');
    for (const step of this.progress) {
      if (signal.aborted) throw new Fault('canceled', 'stopped');
      onProgress(step);
    }
    if (!this.imported) throw new Fault('internal', 'no import was prepared');
    return this.imported;
  }

  async link(url: string): Promise<string> {
    this.fail('link');
    return `id of ${url}`;
  }

  private fail(method: string): void {
    const fault = this.failures[method];
    if (fault) throw fault;
  }
}

const defaults: Settings = {
  name: '',
  theme: 'system',
  density: 'comfortable',
  zoom: 100,
  locale: '',
  suggestions: true,
  followups: true,
  narration: true,
  notify: true,
  local_only: true,
  wishes: { review_all: false, trust_routine: false, always_confirm: [] },
  limits: { seconds: 60, rows: 10_000 },
  keep: { history_days: 90, context_days: 7 },
  minds: {
    mind: 'embedded',
    planning: '',
    narration: '',
    followups: '',
    ollama: 'http://127.0.0.1:11434',
    anthropic: '',
    openai: '',
    rows: 'masked',
    question: { calls: 24, tokens: 200_000, seconds: 120, usd: 0.5 },
    day: { calls: 1000, tokens: 5_000_000, seconds: 7200, usd: 10 },
  },
};

/** Settings for tests: they are kept as they come, unless a failure is put in. */
export class FakeSettings implements SettingsApi {
  chosen: Settings[] = [];
  failure: Fault | null = null;
  view: SettingsView = {
    settings: defaults,
    defaults,
    person: {
      id: 'user:test',
      role: 'analyst',
      steward: false,
      at_most: 5,
      declared: false,
      review: false,
      trust: false,
    },
    folder: '',
    domains: [],
    rules: [],
    files: [],
  };

  load = async () => this.view;

  async choose(settings: Settings): Promise<SettingsView> {
    if (this.failure) throw this.failure;
    this.chosen.push(settings);
    this.view = { ...this.view, settings };
    return this.view;
  }

  diagnostics = async () => ({
    version: 'test',
    go: '',
    system: '',
    cpus: 1,
    libraries: {},
    sources: 0,
    tables: 0,
    rows: 0,
    model: { version: '', inferred: false, stale: false, problem: '' },
  });
}

/** Exports for tests: each makes a file of twelve bytes, unless a failure is put in or the test lets it wait. */
export class FakeExports implements ExportsApi {
  written: [string, ExportFormat][] = [];
  failure: Fault | null = null;
  wait: Promise<void> = Promise.resolve();

  async write(answerTo: string, format: ExportFormat, signal: AbortSignal): Promise<Exported> {
    await this.wait;
    if (signal.aborted) throw new Fault('canceled', 'stopped');
    if (this.failure) throw this.failure;
    this.written.push([answerTo, format]);
    return { id: `export-${this.written.length}`, name: `Revenue.${format}`, bytes: 12 };
  }

  address = (file: Exported) => `api/exports/${file.id}`;
}
