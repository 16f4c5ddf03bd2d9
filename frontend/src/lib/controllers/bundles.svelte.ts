import { asFault, Fault } from '../api/fault';
import type { TaughtApi } from '../api/taught';
import type { Brought, BundleContents, BundlePreview, Exported, Upload } from '../api/types';
import { count, say } from '../text';
import type { Problem } from '../turn';
import type { Send } from './arriving.svelte';

const problemOf = (thrown: unknown): Problem => {
  const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.bundle.failed')));
  return { code, message, hint };
};

/** What the person taught, as a signed bundle for colleagues. */
export class BundlesController {
  holds = $state.raw<BundleContents | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** What was done last, in words. */
  said = $state('');
  /** What came of the bundles of the shared folder; null: nobody looked there. */
  brought = $state.raw<Brought[] | null>(null);
  busy = $state(false);

  constructor(
    private readonly api: () => Promise<TaughtApi>,
    private readonly hand: (file: Exported) => Promise<string>,
  ) {}

  /** Finds out what a bundle would hold. */
  async load(): Promise<void> {
    try {
      this.holds = await (await this.api()).contents();
    } catch (thrown) {
      this.problem = problemOf(thrown);
    }
  }

  /** Writes the bundle and hands it to the person. */
  write = () =>
    this.try(async (api) => {
      const file = await api.write();
      const refused = await this.hand(file);
      if (refused !== '') throw new Fault('unavailable', refused);
      this.said = count('window.bundle.written', file.statements, { name: file.name });
    });

  /** Takes what colleagues put into the shared place, and puts the person's own bundle there. */
  exchange = () =>
    this.try(async (api) => {
      const { brought, wrote, remote } = await api.exchange();
      this.brought = brought;
      this.said =
        brought.length === 0 ? say('window.bundle.exchanged_none') : count('window.bundle.exchanged', brought.length);
      if (wrote && remote) this.said += ` ${say('window.bundle.pushed', { address: remote })}`;
    });

  private async try(work: (api: TaughtApi) => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = this.brought = null;
    this.said = '';
    try {
      await work(await this.api());
      await this.load(); // the first bundle makes the key
      return true;
    } catch (thrown) {
      this.problem = problemOf(thrown);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** Bundles of colleagues: each is looked at, and lands only when a person says so. */
export class BundleArriving {
  name = $state('');
  preview = $state.raw<BundlePreview | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** What came of it; null: it was not taken in. */
  taken = $state.raw<Brought | null>(null);
  busy = $state(false);
  private token = '';
  private abort: AbortController | null = null;

  constructor(
    private readonly api: () => Promise<TaughtApi>,
    private readonly send: Send,
    private readonly forget: (token: string) => void,
  ) {}

  /** Looks at a file. */
  async look(file: File | Upload): Promise<void> {
    this.leave();
    const abort = new AbortController();
    this.abort = abort;
    this.name = file.name;
    try {
      const { token } = file instanceof File ? await this.send(file, abort.signal) : file;
      if (abort.signal.aborted) return this.forget(token);
      this.token = token;
      const preview = await (await this.api()).preview(token);
      if (!abort.signal.aborted) this.preview = preview;
    } catch (thrown) {
      if (!abort.signal.aborted) this.problem = problemOf(thrown);
    }
  }

  /** Takes in what was looked at. */
  async take(): Promise<boolean> {
    if (!this.preview || this.busy || this.taken) return false;
    this.busy = true;
    this.problem = null;
    try {
      this.taken = await (await this.api()).take(this.token);
      this.token = ''; // it is used up
      return true;
    } catch (thrown) {
      this.problem = problemOf(thrown);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Leaves the file where it is. */
  leave(): void {
    this.abort?.abort();
    if (this.token) this.forget(this.token);
    this.token = this.name = '';
    this.preview = this.problem = this.taken = null;
  }
}
