import { asFault, Fault } from '../api/fault';
import type { SessionFilesApi } from '../api/session-files';
import type { SessionPreview, Upload } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';

/** Sends the bytes of a file to the program. */
export type Send = (file: File, signal: AbortSignal) => Promise<Upload>;

/** Session files that came from elsewhere: each is looked at, and lands only when a person says so. */
export class ArrivingController {
  /** The name of the file that is looked at; empty: none is. */
  name = $state('');
  preview = $state.raw<SessionPreview | null>(null);
  problem = $state.raw<Problem | null>(null);
  taking = $state(false);
  private token = '';
  private abort: AbortController | null = null;
  private waiting: (File | Upload)[] = [];

  constructor(
    private readonly api: SessionFilesApi,
    private readonly send: Send,
    private readonly open: (sessionId: string) => Promise<void>,
    private readonly forget: (token: string) => void,
  ) {}

  /** Looks at files one after the other. */
  look(files: (File | Upload)[]): void {
    const idle = this.name === '';
    this.waiting.push(...files);
    if (idle) void this.next();
  }

  private async next(): Promise<void> {
    const file = this.waiting.shift();
    this.name = file?.name ?? '';
    this.preview = this.problem = null;
    this.token = '';
    if (!file) return;
    const abort = new AbortController();
    this.abort = abort;
    try {
      const { token } = file instanceof File ? await this.send(file, abort.signal) : file;
      if (this.abort !== abort) return this.forget(token);
      this.token = token;
      const preview = await this.api.preview(token);
      if (this.abort === abort) this.preview = preview;
    } catch (thrown) {
      if (this.abort === abort) this.fail(thrown);
    }
  }

  /** Takes in what was looked at, and shows it. */
  async take(): Promise<void> {
    if (!this.preview || this.taking) return;
    this.taking = true;
    this.problem = null;
    try {
      const { session_id } = await this.api.take(this.token);
      this.token = ''; // it is used up
      this.close();
      await this.open(session_id);
    } catch (thrown) {
      this.fail(thrown);
    } finally {
      this.taking = false;
    }
  }

  /** Leaves a file where it is, and goes on to the next one. */
  close(): void {
    this.abort?.abort();
    this.abort = null;
    if (this.token) this.forget(this.token);
    void this.next();
  }

  private fail(thrown: unknown): void {
    const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.arriving.failed')));
    this.problem = { code, message, hint };
  }
}

const looked = 64 << 10;
const bare = /^\s*\{[^{}[\]]*"format"\s*:\s*"assay-session"/;

/**
 * Says whether a file is a session: by its name, or by what is in it, whatever it is called. It reads the end of a zip, where its names stand, or the beginning of a
 * text; whether it can be opened is for the program to say.
 */
export async function isSessionFile(file: File): Promise<boolean> {
  if (/\.assay$/i.test(file.name)) return true;
  try {
    const head = await textOf(file.slice(0, looked));
    if (!head.startsWith('PK\u0003\u0004')) return bare.test(head.replace(/^\u00ef\u00bb\u00bf/, ''));
    const names = await textOf(file.slice(Math.max(0, file.size - looked)));
    return ['manifest.json', 'session.json'].every((name) => names.includes(name));
  } catch {
    return false; // it cannot be read, which the import will say
  }
}

const textOf = (part: Blob) =>
  new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error ?? new Error('unreadable'));
    reader.readAsText(part, 'latin1'); // bytes as they stand
  });
