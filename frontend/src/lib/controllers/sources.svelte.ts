import type { DataApi } from '../api/data';
import { asFault, Fault } from '../api/fault';
import type { ImportProgress, ReadAs, SourceDetail, Workspace } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { randomId } from '../random-id';
import { undoing, type Deed, type Undoing } from '../undo.svelte';
import type { WorkspaceController } from './workspace.svelte';

/** The sources of the workspace: how their files are now, and what can be done with them. */
export class SourcesController {
  all = $state.raw<SourceDetail[] | null>(null);
  problem = $state<Problem | null>(null);
  private gone = $state.raw<{ name: string; declared: boolean; deed: Deed } | null>(null);
  /** The source that is imported again now, and how far that is. */
  refreshing = $state<{ id: string; progress: ImportProgress | null } | null>(null);
  private readonly data: DataApi;
  private readonly workspace: WorkspaceController;
  private readonly undoing: Undoing;
  private abort: AbortController | null = null;
  /** A source that was removed and can come back, as long as nothing else was done. */
  readonly removed = $derived.by(() => (this.gone?.deed === this.undoing.last ? this.gone : null));

  constructor(data: DataApi, workspace: WorkspaceController, undone = undoing) {
    this.data = data;
    this.workspace = workspace;
    this.undoing = undone;
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
    const before = this.all?.find((source) => source.id === id)?.name;
    const call = (as: string) =>
      this.trying(async () => {
        this.all = await this.data.rename(id, as);
        await this.workspace.load();
      });
    const done = await call(name);
    if (done && before !== undefined && before !== name)
      this.undoing.did({
        what: say('window.undoing.source_renamed', { name }),
        undo: () => call(before),
        redo: () => call(name),
      });
    return done;
  }

  async remove(source: SourceDetail): Promise<boolean> {
    const take = () => this.put(this.data.remove(source.id));
    if (!(await take())) return false;
    const deed = {
      what: say('window.undoing.source_removed', { name: source.name }),
      undo: () => this.put(this.data.restore(source.id)),
      redo: take,
    };
    this.undoing.did(deed);
    this.gone = { name: source.name, declared: source.declared, deed };
    return true;
  }

  /** Brings back what was removed last. */
  async undo(): Promise<boolean> {
    return this.removed !== null && (await this.undoing.undo());
  }

  private put(changing: Promise<Workspace>): Promise<boolean> {
    return this.trying(async () => {
      this.workspace.replace(await changing);
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
