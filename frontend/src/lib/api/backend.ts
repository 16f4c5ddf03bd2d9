import type { ExportsApi } from './exports';
import type { FeedbackApi } from './feedback';
import type { SettingsApi } from './settings';
import type { ResultsApi } from './results';
import type { ReadingApi } from './reading';
import type { KnowledgeApi } from './knowledge';
import type { MemoryApi } from './memory';
import type { MindsApi } from './minds';
import type { ModelApi } from './model';
import type { PageApi } from './page';
import type { QueryApi } from './query';
import type { SavedApi } from './saved';
import type { BranchesApi } from './branches';
import type { ReplayApi } from './replay';
import type { ReportsApi } from './reports';
import type { SessionFilesApi } from './session-files';
import type { SessionLifeApi } from './session-life';
import type { SharesApi } from './shares';
import type { TaughtApi } from './taught';
import type { ChartsApi } from './charts';
import type { DataApi } from './data';
import type {
  Answer,
  Completion,
  Imported,
  ImportProgress,
  InboxNotice,
  ReadAs,
  RunEvent,
  SentTexts,
  SessionDocument,
  SessionHead,
  Standing,
  Upload,
  Workspace,
} from './types';

/** A question, or a query to run as it stands. The page makes the request id, so that it can cancel at any time. */
export interface AskRequest {
  request_id: string;
  session_id?: string;
  question?: string;
  /** Beside a question: that only says it in words. */
  frame_ql?: string;
  /** The request of the session that this one is another version of. */
  instead_of?: string;
  /** The answer, in whatever session, whose query this one was made from by hand. */
  edited_from?: string;
  criticality?: 'low' | 'high';
  asking?: 'first' | 'never';
  /** A SELECT instead of a question. */
  sql?: string;
  /** Say how it would be computed, and run nothing. */
  explain?: boolean;
  /** Who thinks; absent: as the settings say. */
  mind?: string;
}

/** What a person says about a request that waits. */
export type Word = 'accepted' | 'rejected' | 'declined';

/** What was done with a result, which accepts it from level 4 on. */
export type Use = 'copy' | 'export' | 'pin';

/** What can be changed of a session: what is pinned is not archived, and the other way round. */
export type SessionChange = { title: string } | { pinned: boolean } | { archived: boolean };

/** Files to import; `readings` says by token how one is read that is not read as recognised. */
export interface ImportRequest {
  tokens: string[];
  request_id: string;
  readings?: Record<string, ReadAs>;
}

/** Everything that the page asks of the program behind it. The window and the browser share the one over HTTP. */
export interface Backend {
  /** Has `lost` called whenever the program cannot be reached. */
  watch(lost: () => void): void;
  readonly settings: SettingsApi;
  readonly exports: ExportsApi;
  readonly feedback: FeedbackApi;
  readonly results: ResultsApi;
  readonly query: QueryApi;
  readonly saved: SavedApi;
  readonly page: PageApi;
  readonly charts: ChartsApi;
  readonly branches: BranchesApi;
  readonly replay: ReplayApi;
  readonly sessionFiles: SessionFilesApi;
  readonly sessionLife: SessionLifeApi;
  readonly shares: SharesApi;
  readonly reports: ReportsApi;
  readonly data: DataApi;
  readonly model: ModelApi;
  readonly memory: MemoryApi;
  readonly knowledge: KnowledgeApi;
  /** What few look at comes with its own code. */
  taught(): Promise<TaughtApi>;
  readonly minds: MindsApi;
  readonly reading: ReadingApi;
  workspace(): Promise<Workspace>;
  /** Resolves with the answer; `onEvent` hears of every step before. Rejects with a Fault. */
  ask(request: AskRequest, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer>;
  cancel(requestId: string): Promise<void>;
  /** How a request stands now. */
  standing(requestId: string): Promise<Standing>;
  /** What was sent to models elsewhere for a request, word for word. */
  sentTexts(requestId: string): Promise<SentTexts>;
  /** Says a word about a request that waits, or, with a use, that its result was used. Resolves with how it stands then. */
  say(requestId: string, on: Word, how?: Use): Promise<Standing>;
  /** Runs what waits for a word, as the next turn of its session. Rejects with a Fault, `conflict` when it waits no more. */
  confirm(requestId: string, runId: string, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer>;
  /** Keeps an accepted answer as an example of a right one. */
  keep(requestId: string): Promise<void>;
  /** What the person is told, the newest first. */
  inbox(): Promise<InboxNotice[]>;
  readNotice(id: number): Promise<void>;
  /** Ways to go on with a question that is being written, the likeliest first. */
  complete(question: string, signal: AbortSignal): Promise<Completion[]>;
  sessions(): Promise<SessionHead[]>;
  session(id: string): Promise<SessionDocument>;
  /** Gives a session another title, puts it before the others, or out of sight. */
  changeSession(id: string, change: SessionChange): Promise<void>;
  /** Deletes a session; it can be brought back. */
  removeSession(id: string): Promise<void>;
  restoreSession(id: string): Promise<void>;
  upload(file: File, onBytes: (done: number, total: number) => void, signal: AbortSignal): Promise<Upload>;
  importFiles(
    request: ImportRequest,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported>;
  /** Gives the id by which the shell opens an address, once. Rejects for one that is not opened. */
  link(url: string): Promise<string>;
}
