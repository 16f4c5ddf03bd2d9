import type { ExportsApi } from '../api/exports';
import { asFault, Fault } from '../api/fault';
import { longestTitle, type ReportsApi } from '../api/reports';
import type { FileChoice, SessionFilesApi } from '../api/session-files';
import type { Exported, SessionContents } from '../api/types';
import { endsEarlier, rowsOf, shownTurns, workbookPieces, type HandedSession, type HandingForm } from '../handing';
import { say } from '../text';
import type { Problem } from '../turn';
import { handOver } from './exports.svelte';

const usual: FileChoice = { frames: 'whole', model: false, sign: false, signer: '' };

/** Hands a session over: as a file, a page or a workbook it writes it, after it was said what that would hold. */
export class HandingController {
  /** The session that is handed over; null: none is. */
  session = $state.raw<HandedSession | null>(null);
  form = $state<HandingForm>('file');
  choice = $state.raw<FileChoice>(usual);
  /** The last question that is shown; 0: all of them. */
  last = $state(0);
  /** The questions that are handed over. */
  readonly turns = $derived(shownTurns(this.session?.turns ?? [], endsEarlier(this.form) ? this.last : 0));
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
    private readonly reports: ReportsApi,
    private readonly exports: ExportsApi,
    private readonly hand: (file: Exported, address: string) => Promise<string> = handOver,
  ) {}

  open(session: HandedSession, form: HandingForm = 'file'): void {
    this.session = session;
    this.form = form;
    this.last = 0;
    this.choose(usual);
  }

  /** Hands over as something else. What was chosen of the rows stays where that can hold them so. */
  as(form: HandingForm): void {
    this.form = form;
    this.done = this.problem = null;
    const rows = rowsOf(form);
    if (!rows.includes(this.choice.frames)) this.choose({ frames: 'masked' });
  }

  /** Ends with a question; 0: with the last. */
  endWith(turn: number): void {
    this.last = turn;
    this.done = this.problem = null;
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
      const file = await this.written(this.session, abort.signal);
      const refused = await this.hand(file, this.exports.address(file));
      if (refused !== '') throw new Fault('unavailable', refused);
      if (this.abort === abort) this.done = file;
    } catch (thrown) {
      if (!abort.signal.aborted) this.fail(thrown);
    } finally {
      if (this.abort === abort) this.writing = false;
    }
  }

  private written({ id, title }: HandedSession, signal: AbortSignal): Promise<Exported> {
    const { frames } = this.choice;
    if (this.form === 'file') return this.api.write(id, this.choice, signal);
    if (this.form === 'page') return this.reports.page(id, { frames, turn: this.last || undefined }, signal);
    return this.reports.write(
      {
        format: 'xlsx',
        title: (title || say('window.session.untitled')).slice(0, longestTitle),
        frames: frames === 'none' ? 'masked' : frames,
        items: workbookPieces(id, this.turns, this.last),
      },
      signal,
    );
  }

  close(): void {
    this.looking?.abort();
    this.abort?.abort();
    this.abort = null;
    this.writing = false;
    this.session = this.contents = this.done = this.problem = null;
  }

  private fail(thrown: unknown): void {
    const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.handing.failed')));
    this.problem = { code, message, hint };
  }
}
