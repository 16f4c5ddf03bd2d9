import type { ExportsApi } from '../api/exports';
import { asFault, Fault } from '../api/fault';
import type { FileChoice, SessionFilesApi } from '../api/session-files';
import type { Exported, SessionContents } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { handOver } from './exports.svelte';

const usual: FileChoice = { frames: 'whole', model: false, sign: false, signer: '' };

/** Writes a session into a file that is handed over, after it was said what the file would hold. */
export class HandingController {
  /** The session that is handed over; null: none is. */
  session = $state.raw<{ id: string; title: string } | null>(null);
  choice = $state.raw<FileChoice>(usual);
  /** What the file would hold; null: it is being found out. */
  contents = $state.raw<SessionContents | null>(null);
  problem = $state.raw<Problem | null>(null);
  writing = $state(false);
  /** The file that the person has. */
  done = $state.raw<Exported | null>(null);
  private looking: AbortController | null = null;
  private abort: AbortController | null = null;

  constructor(
    private readonly api: SessionFilesApi,
    private readonly exports: ExportsApi,
    private readonly hand: (file: Exported, address: string) => Promise<string> = handOver,
  ) {}

  open(id: string, title: string): void {
    this.session = { id, title };
    this.choose(usual);
  }

  /** Chooses what goes into the file, and finds out what that is. */
  choose(change: Partial<FileChoice>): void {
    this.choice = { ...this.choice, ...change };
    this.done = this.problem = null;
    if (Object.keys(change).some((part) => part !== 'signer')) void this.look();
  }

  private async look(): Promise<void> {
    if (!this.session) return;
    this.looking?.abort();
    const looking = new AbortController();
    this.looking = looking;
    this.contents = null;
    try {
      const contents = await this.api.contents(this.session.id, this.choice, looking.signal);
      if (this.looking === looking) this.contents = contents;
    } catch (thrown) {
      if (this.looking === looking) this.fail(thrown);
    }
  }

  /** Writes the file and hands it to the person. */
  async write(): Promise<void> {
    if (!this.session || this.writing) return;
    const abort = new AbortController();
    this.abort = abort;
    this.writing = true;
    this.done = this.problem = null;
    try {
      const file = await this.api.write(this.session.id, this.choice, abort.signal);
      const refused = await this.hand(file, this.exports.address(file));
      if (refused !== '') throw new Fault('unavailable', refused);
      this.done = file;
    } catch (thrown) {
      if (!abort.signal.aborted) this.fail(thrown);
    } finally {
      this.writing = false;
    }
  }

  close(): void {
    this.looking?.abort();
    this.abort?.abort();
    this.session = this.contents = this.done = this.problem = null;
  }

  private fail(thrown: unknown): void {
    const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.handing.failed')));
    this.problem = { code, message, hint };
  }
}
