import type { DataApi } from '../api/data';
import { asFault, Fault } from '../api/fault';
import type { ImportProgress, ReadAs, SourceDetail } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { randomId } from '../random-id';
import type { WorkspaceController } from './workspace.svelte';

/** The sources of the workspace: how their files are now, and what can be done with them. */
export class SourcesController {
  all = $state.raw<SourceDetail[] | null>(null);
  problem = $state<Problem | null>(null);
  /** A source that was removed and can come back. */
  removed = $state<{ id: string; name: string; declared: boolean } | null>(null);
  /** The source that is imported again now, and how far that is. */
  refreshing = $state<{ id: string; progress: ImportProgress | null } | null>(null);
  private readonly data: DataApi;
  private readonly workspace: WorkspaceController;
  private abort: AbortController | null = null;

  constructor(data: DataApi, workspace: WorkspaceController) {
    this.data = data;
    this.workspace = workspace;
  }

  async load(): Promise<void> {
    await this.trying(async () => {
      this.all = await this.data.sources();
    });
  }

  /** The source that a table belongs to. */
  sourceOf(table: string): SourceDetail | null {
    return this.all?.find((source) => source.tables.some((one) => one.name === table)) ?? null;
  }

  async rename(id: string, name: string): Promise<boolean> {
    return this.trying(async () => {
      this.all = await this.data.rename(id, name);
      await this.workspace.load();
    });
  }

  async remove(source: SourceDetail): Promise<boolean> {
    return this.trying(async () => {
      this.workspace.replace(await this.data.remove(source.id));
      this.removed = { id: source.id, name: source.name, declared: source.declared };
      this.all = await this.data.sources();
    });
  }

  /** Brings back what was removed last. */
  async undo(): Promise<boolean> {
    const gone = this.removed;
    if (!gone) return false;
    return this.trying(async () => {
      this.workspace.replace(await this.data.restore(gone.id));
      this.removed = null;
      this.all = await this.data.sources();
    });
  }

  /** Imports the file of a source again; with a token a newer file instead, with a reading another way. */
  async refresh(id: string, how: { token?: string; reading?: ReadAs } = {}): Promise<boolean> {
    if (this.refreshing) return false;
    const now = { id, progress: null as ImportProgress | null };
    this.refreshing = now;
    this.abort = new AbortController();
    const done = await this.trying(async () => {
      const imported = await this.data.refresh(
        id,
        { request_id: randomId(), ...how },
        (progress) => (this.refreshing = { id, progress }),
        this.abort!.signal,
      );
      this.workspace.replace(imported.workspace);
      this.all = await this.data.sources();
    });
    this.refreshing = null;
    this.abort = null;
    return done;
  }

  /** Stops what is imported again; the source stays as it was. */
  cancel(): void {
    this.abort?.abort();
  }

  private async trying(work: () => Promise<void>): Promise<boolean> {
    this.problem = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      const fault = asFault(thrown, new Fault('internal', say('window.error.data')));
      this.problem =
        fault.code === 'canceled'
          ? { code: 'canceled', message: say('window.data.refresh_canceled'), hint: '' }
          : { code: fault.code, message: fault.message, hint: fault.hint };
      return false;
    }
  }
}
