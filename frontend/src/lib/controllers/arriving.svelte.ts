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
  /** Bundles that wait; the first of them is looked at. */
  bundles = $state.raw<(File | Upload)[]>([]);
  private token = '';
  private abort: AbortController | null = null;
  private waiting: (File | Upload)[] = [];

  constructor(
    private readonly api: SessionFilesApi,
    readonly send: Send,
    private readonly open: (sessionId: string) => Promise<void>,
    readonly forget: (token: string) => void,
  ) {}

  /** Looks at files one after the other; bundles of what colleagues taught have a dialog of their own. */
  look(files: (File | Upload)[], bundles: (File | Upload)[] = []): void {
    this.bundles = [...this.bundles, ...bundles];
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
