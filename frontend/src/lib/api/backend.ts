import type {
  Answer,
  Completion,
  Imported,
  ImportProgress,
  RunEvent,
  SessionDocument,
  SessionHead,
  Upload,
  Workspace,
} from './types';

/** A question, or a query to run as it stands. The page makes the request id, so that it can cancel at any time. */
export interface AskRequest {
  request_id: string;
  session_id?: string;
  question?: string;
  frame_ql?: string;
}

/** Everything that the page asks of the program behind it. The window and the browser share the one over HTTP. */
export interface Backend {
  workspace(): Promise<Workspace>;
  /** Resolves with the answer; `onEvent` hears of every step before. Rejects with a Fault. */
  ask(request: AskRequest, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<Answer>;
  cancel(requestId: string): Promise<void>;
  /** Ways to go on with a question that is being written, the likeliest first. */
  complete(question: string, signal: AbortSignal): Promise<Completion[]>;
  sessions(): Promise<SessionHead[]>;
  session(id: string): Promise<SessionDocument>;
  renameSession(id: string, title: string): Promise<void>;
  removeSession(id: string): Promise<void>;
  upload(file: File, onBytes: (done: number, total: number) => void, signal: AbortSignal): Promise<Upload>;
  importFiles(
    request: { tokens: string[]; request_id: string },
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<Imported>;
  /** Gives the id by which the shell opens an address, once. Rejects for one that is not opened. */
  link(url: string): Promise<string>;
}

/** What the program could not do: a sentence for a person, the next step, and a code to branch on. */
export class Fault extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint = '') {
    super(message);
    this.name = 'Fault';
    this.code = code;
    this.hint = hint;
  }
}

/** Makes a Fault of whatever was thrown. */
export function asFault(thrown: unknown, fallback: Fault): Fault {
  if (thrown instanceof Fault) return thrown;
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return new Fault('canceled', fallback.message);
  return fallback;
}
