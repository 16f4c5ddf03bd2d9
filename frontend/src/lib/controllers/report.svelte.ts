import type { ExportsApi } from '../api/exports';
import { asFault, Fault } from '../api/fault';
import { longestTitle, type ReportFormat, type ReportPiece, type ReportsApi } from '../api/reports';
import type { Exported } from '../api/types';
import { openToPrint } from '../links';
import { moved, originOf, piecesOf, readDraft, samePiece, type Draft, type Offered, type ReportItem } from '../report';
import { forget, recall, remember, remembered } from '../storage';
import { say } from '../text';
import type { Problem } from '../turn';
import { Undoing, type Deed } from '../undo.svelte';
import { handOver } from './exports.svelte';

/** The session that a report is made of, and what it offers. */
export interface Reported {
  id: string;
  title: string;
  offered: Offered[];
}

/** How a report is given to the person: a file is saved, a page is opened to be printed. Resolves with why not; empty: it was. */
export interface Hands {
  save: (file: Exported, address: string) => Promise<string>;
  print: (address: string) => Promise<string>;
}

const hands: Hands = { save: handOver, print: openToPrint };

/** Pieces that a report holds at most, and drafts that are kept. */
const mostItems = 200;
const mostDrafts = 20;

/** Puts a report together: answers, charts and tables of a session in an order, with headings and words between. The draft stays. */
export class ReportController {
  /** The session that it is made of; null: nobody makes one. */
  session = $state.raw<Reported | null>(null);
  title = $state('');
  items = $state.raw<ReportItem[]>([]);
  frames = $state<'whole' | 'masked'>('whole');
  /** What is being made of it; null: nothing is. */
  making = $state<ReportFormat | 'print' | null>(null);
  done = $state.raw<{ file: Exported; printed: boolean } | null>(null);
  problem = $state.raw<Problem | null>(null);
  readonly full = $derived(this.items.length >= mostItems);
  /** It says something. */
  readonly ready = $derived(piecesOf(this.items).length > 0);
  /** What was taken out, put in or moved, as long as the report is open. */
  readonly undoing = new Undoing();
  private out = $state.raw<Deed | null>(null);
  /** What was taken out, as long as that is the last thing that was done; empty: nothing. */
  readonly takenOut = $derived(this.out !== null && this.undoing.last === this.out ? this.out.what : '');
  private abort: AbortController | null = null;
  private counter = 0;

  constructor(
    private readonly api: ReportsApi,
    private readonly exports: ExportsApi,
    private readonly given: Hands = hands,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** Goes on with the draft of a session, or begins one with what is pinned there. */
  open(session: Reported): void {
    this.session = session;
    this.done = this.problem = null;
    this.undoing.clear();
    const draft = readDraft(recall(nameOf(session.id)));
    this.title = draft?.title || session.title;
    const kept = draft?.items.filter((item) => !isOfSession(item) || originOf(item, session.offered));
    const pinned = session.offered.flatMap(({ pinned, offers: [whole] }) => (pinned && whole ? [whole.piece] : []));
    this.counter = 0;
    this.items = (kept ?? pinned).map((piece) => this.item(piece));
  }

  /** Where a piece stands in the report; null: nowhere. */
  has(piece: ReportPiece): ReportItem | null {
    return this.items.find((item) => samePiece(item, piece)) ?? null;
  }

  /** Puts a piece in before a place; absent: at the end. Gives its key; null: the report is full. */
  add(piece: ReportPiece, at = this.items.length): string | null {
    if (this.full) return null;
    const item = this.item(piece);
    this.change(this.items.toSpliced(at, 0, item));
    this.undoing.did({
      what: '',
      undo: () => this.change(this.items.filter(({ key }) => key !== item.key)),
      redo: () => this.change(this.items.toSpliced(at, 0, item)),
    });
    return item.key;
  }

  /** Puts in every whole answer that is not there yet. */
  addAll(): void {
    const before = this.items;
    const missing = (this.session?.offered ?? []).flatMap(({ aside, offers: [whole] }) =>
      !aside && whole && !this.has(whole.piece) ? [whole.piece] : [],
    );
    const added = missing.slice(0, mostItems - before.length).map((piece) => this.item(piece));
    if (added.length === 0) return;
    const keys = new Set(added.map(({ key }) => key));
    this.change([...before, ...added]);
    this.undoing.did({
      what: '',
      undo: () => this.change(this.items.filter(({ key }) => !keys.has(key))),
      redo: () => this.change([...this.items, ...added]),
    });
  }

  /** Takes a piece out; `name` is what the person knows it by. */
  remove(key: string, name = ''): void {
    const at = this.items.findIndex((item) => item.key === key);
    const item = this.items[at];
    if (!item) return;
    const without = () => this.change(this.items.filter((one) => one.key !== key));
    without();
    const deed: Deed = {
      what: say('window.report.taken_out', { name }),
      undo: () => this.change(this.items.toSpliced(at, 0, item)),
      redo: without,
    };
    this.undoing.did(deed);
    this.out = deed;
  }

  /** Moves a piece to a place. False: it stands there, or there is no such place. */
  move(key: string, to: number): boolean {
    const from = this.items.findIndex((item) => item.key === key);
    if (from < 0 || to === from || to < 0 || to >= this.items.length) return false;
    const put = (place: number) => {
      const at = this.items.findIndex((item) => item.key === key);
      if (at >= 0) this.change(moved(this.items, at, place));
    };
    put(to);
    this.undoing.did({ what: '', undo: () => put(from), redo: () => put(to) });
    return true;
  }

  /** Writes the words of a heading or a text. */
  write(key: string, text: string): void {
    this.change(
      this.items.map((item) =>
        item.key === key && (item.kind === 'heading' || item.kind === 'text') ? { ...item, text } : item,
      ),
    );
  }

  name(title: string): void {
    this.title = title;
    this.change(this.items);
  }

  /** Makes a file of it, or a page that is printed. */
  async make(as: ReportFormat | 'print'): Promise<void> {
    if (this.making || !this.session) return;
    const abort = new AbortController();
    this.abort = abort;
    this.making = as;
    this.done = this.problem = null;
    const printed = as === 'print';
    const title = (this.title.trim() || this.session.title || say('window.session.untitled')).slice(0, longestTitle);
    try {
      const file = await this.api.write(
        { format: printed ? 'html' : as, title, frames: this.frames, items: piecesOf(this.items) },
        abort.signal,
      );
      const address = this.exports.address(file);
      const refused = await (printed ? this.given.print(address) : this.given.save(file, address));
      if (refused !== '') throw new Fault('unavailable', refused);
      if (this.abort === abort) this.done = { file, printed };
    } catch (thrown) {
      if (abort.signal.aborted) return;
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.handing.failed')));
      this.problem = { code, message, hint };
    } finally {
      if (this.abort === abort) this.making = null;
    }
  }

  /** Stops what is being made. */
  stop(): void {
    this.abort?.abort();
    this.abort = null;
    this.making = null;
  }

  close(): void {
    this.stop();
    this.session = null;
  }

  private item(piece: ReportPiece): ReportItem {
    return { ...piece, key: String(++this.counter) };
  }

  private change(items: ReportItem[]): void {
    this.items = items;
    this.done = null;
    if (!this.session) return;
    // The title of the session is its own: the draft holds nothing that was asked or answered in it.
    const title = this.title === this.session.title ? '' : this.title;
    const draft: Draft = { title, items, at: this.now() };
    remember(nameOf(this.session.id), JSON.stringify(draft));
    const others = remembered(under).map((name) => ({ name, at: readDraft(recall(name))?.at ?? 0 }));
    for (const { name } of others.sort((a, b) => b.at - a.at).slice(mostDrafts)) forget(name);
  }
}

const under = 'report.';
const nameOf = (sessionId: string): string => under + sessionId;

/** A session is no more: nothing of a report that was made of it stays. */
export const forgetDraft = (sessionId: string): void => forget(nameOf(sessionId));

const isOfSession = (piece: ReportPiece): boolean => 'id' in piece;
