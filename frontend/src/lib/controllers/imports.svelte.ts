import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { Imported, ImportFailed, ImportProgress, ReadAs, Source, Upload } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { randomId } from '../random-id';
import type { WorkspaceController } from './workspace.svelte';

/** How far an import has come. */
export interface ImportState {
  names: string[];
  stage: string;
  file: string;
  done: number;
  total: number;
  rows: number;
}

/** Takes files in: sends their bytes where needed, imports them, shows how far it is, and stops when asked to. */
export class ImportController {
  current = $state<ImportState | null>(null);
  result = $state<Source[] | null>(null);
  /** Files of several that could not be imported. */
  failed = $state<ImportFailed[]>([]);
  /** Questions to start with that were not there before. */
  questions = $state<string[]>([]);
  problem = $state<Problem | null>(null);
  private readonly backend: Backend;
  private readonly workspace: WorkspaceController;
  private abort: AbortController | null = null;
  private requestId = '';

  constructor(backend: Backend, workspace: WorkspaceController) {
    this.backend = backend;
    this.workspace = workspace;
  }

  /** Imports files that the page holds: from a drop or from its file dialog. */
  async take(files: File[]): Promise<void> {
    if (files.length === 0) return;
    await this.run(
      files.map((file) => file.name),
      async (state, signal) => {
        const tokens: string[] = [];
        for (const file of files) {
          Object.assign(state, { stage: 'upload', file: file.name, done: 0, total: file.size, rows: 0 });
          const upload = await this.backend.upload(file, (done) => (state.done = done), signal);
          tokens.push(upload.token);
        }
        return this.import(tokens, state, signal);
      },
    );
  }

  /** Imports files that the desktop shell already knows. */
  async takeOffered(offered: Upload[]): Promise<void> {
    if (offered.length === 0) return;
    await this.run(
      offered.map((file) => file.name),
      (state, signal) => this.import(offered.map((file) => file.token), state, signal), // prettier-ignore
    );
  }

  /** Imports files that were looked at, each the way that the person wants. */
  async takeLooked(names: string[], tokens: string[], readings: Record<string, ReadAs>): Promise<void> {
    if (tokens.length === 0) return;
    await this.run(names, (state, signal) => this.import(tokens, state, signal, readings));
  }

  /** Takes the sample that ships into a workspace. */
  async takeSample(): Promise<void> {
    await this.run([say('window.welcome.sample')], (state, signal) => {
      state.stage = 'load';
      return this.backend.data.sample(signal);
    });
  }

  /** Stops the import; nothing of it stays. */
  cancel(): void {
    if (this.requestId !== '') this.backend.cancel(this.requestId).catch(() => undefined);
    this.abort?.abort();
  }

  dismiss(): void {
    this.result = null;
    this.failed = [];
    this.problem = null;
  }

  private async run(
    names: string[],
    work: (state: ImportState, signal: AbortSignal) => Promise<Imported>,
  ): Promise<void> {
    if (this.current) return;
    this.dismiss();
    this.current = { names, stage: 'upload', file: names[0] ?? '', done: 0, total: 0, rows: 0 };
    this.abort = new AbortController();
    try {
      const imported = await work(this.current, this.abort.signal);
      const before = this.workspace.now?.questions ?? [];
      this.questions = imported.workspace.questions.filter((question) => !before.includes(question)).slice(0, 3);
      this.failed = imported.failed;
      this.result = imported.sources;
      this.workspace.replace(imported.workspace);
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.error.import')));
      this.problem =
        fault.code === 'canceled'
          ? { code: 'canceled', message: say('window.import.canceled'), hint: '' }
          : { code: fault.code, message: fault.message, hint: fault.hint };
    } finally {
      this.current = null;
      this.abort = null;
      this.requestId = '';
    }
  }

  private import(
    tokens: string[],
    state: ImportState,
    signal: AbortSignal,
    readings: Record<string, ReadAs> = {},
  ): Promise<Imported> {
    this.requestId = randomId();
    return this.backend.importFiles(
      { tokens, request_id: this.requestId, readings },
      (progress: ImportProgress) => {
        Object.assign(state, {
          stage: progress.stage,
          file: progress.file,
          done: progress.bytes_done,
          total: progress.bytes_total,
          rows: progress.rows,
        });
      },
      signal,
    );
  }
}
