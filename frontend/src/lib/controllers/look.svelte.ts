import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { Preview, ReadAs, Upload } from '../api/types';
import { asRecognised } from '../readas';
import { say } from '../text';
import type { Problem } from '../turn';

/** One file that is looked at before it is imported, or the file of a source. */
export interface Looked {
  key: string;
  name: string;
  token?: string;
  source?: string;
  reading: ReadAs;
  preview: Preview | null;
  problem: Problem | null;
}

/** Files that a person looks at before they are imported: what was recognised, and what is to be read another way. */
export class LookController {
  files = $state<Looked[]>([]);
  at = $state(0);
  /** What is under way: bytes are sent, or a file is read. */
  busy = $state<'upload' | 'look' | null>(null);
  problem = $state<Problem | null>(null);
  readonly now = $derived<Looked | null>(this.files[this.at] ?? null);
  readonly open = $derived(this.files.length > 0 || this.busy === 'upload' || this.problem !== null);
  private readonly backend: Backend;
  private abort: AbortController | null = null;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  /** Looks at files that the page holds. */
  async take(files: File[]): Promise<void> {
    this.close();
    this.busy = 'upload';
    const abort = (this.abort = new AbortController());
    const uploads: Upload[] = [];
    try {
      for (const file of files) uploads.push(await this.backend.upload(file, () => undefined, abort.signal));
    } catch (thrown) {
      this.forget(uploads.map(({ token }) => token));
      if (this.abort !== abort) return;
      this.busy = null;
      const fault = asFault(thrown, new Fault('internal', say('window.error.import')));
      if (fault.code !== 'canceled') this.problem = fault;
      return;
    }
    if (this.abort === abort) await this.takeOffered(uploads);
    else this.forget(uploads.map(({ token }) => token));
  }

  /** Looks at files that the program knows by token. */
  async takeOffered(uploads: Upload[]): Promise<void> {
    this.close();
    this.files = uploads.map(({ token, name }) => ({
      key: token,
      name,
      token,
      reading: {},
      preview: null,
      problem: null,
    }));
    await this.look();
  }

  /** Looks at the file of a source again. */
  async takeSource(id: string, name: string, reading: ReadAs): Promise<void> {
    this.close();
    this.files = [{ key: id, name, source: id, reading, preview: null, problem: null }];
    await this.look();
  }

  /** Shows another one of the files. */
  async choose(index: number): Promise<void> {
    this.at = index;
    if (!this.now?.preview) await this.look();
  }

  /** Reads the file that is shown another way. */
  async change(reading: ReadAs): Promise<void> {
    if (!this.now) return;
    this.now.reading = reading;
    await this.look();
  }

  /** The files as they are to be imported; those are no longer this controller's. */
  settle(): { tokens: string[]; readings: Record<string, ReadAs>; names: string[] } {
    const tokens: string[] = [];
    const readings: Record<string, ReadAs> = {};
    for (const { token, reading } of this.files) {
      if (!token) continue;
      tokens.push(token);
      if (!asRecognised(reading)) readings[token] = $state.snapshot(reading);
    }
    const names = this.files.map(({ name }) => name);
    this.files = [];
    this.close();
    return { tokens, readings, names };
  }

  /** Looks no longer; files that were handed over for it are forgotten. */
  close(): void {
    this.abort?.abort();
    this.abort = null;
    this.forget(this.files.flatMap(({ token }) => token ?? []));
    this.files = [];
    this.at = 0;
    this.busy = null;
    this.problem = null;
  }

  private async look(): Promise<void> {
    const file = this.now;
    if (!file) return;
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    this.busy = 'look';
    try {
      const { token, source } = file;
      const reading = $state.snapshot(file.reading);
      const preview = await this.backend.data.preview(token ? { token, reading } : { source, reading }, abort.signal);
      if (this.abort !== abort) return;
      file.preview = preview;
      file.problem = null;
    } catch (thrown) {
      if (this.abort !== abort) return;
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.error.import')));
      file.problem = { code, message, hint };
    } finally {
      if (this.abort === abort) this.busy = null;
    }
  }

  private forget(tokens: string[]): void {
    for (const token of tokens) this.backend.data.forget(token).catch(() => undefined);
  }
}
