import type { KnowledgeApi } from '../api/knowledge';
import type { Blast, Description, Proposed, Reach, Reviewed, Verdict } from '../api/types';
import { failures, problemOf, type What } from '../review-failures';
import { findIn, isContradicted, isListed, nextAfter, waits, type Listed } from '../review-queue';
import { comesToHold, doneWords, needsReason } from '../review-words';
import { say, type Key } from '../text';
import type { Problem } from '../turn';

const settle = 150;

/** What would come of a piece of knowledge, as far as it is worked out. */
export interface Ahead {
  id: string;
  now: Blast | null;
  problem: Problem | null;
}

/** A reason that is being written. It is kept as it is when the decision is refused. */
export interface Reasoning {
  verdict: Verdict;
  reason: string;
}

/** Shared knowledge: the queue, what of it is looked at, and what is decided about it. */
export class ReviewController {
  all = $state.raw<Reviewed[]>([]);
  /** How many wait for a decision that this person can give. */
  waiting = $state(0);
  loaded = $state(false);
  /** Why the list could not be read. */
  problem = $state.raw<Problem | null>(null);
  listed = $state<Listed>('waiting');
  search = $state('');
  /** The piece that is looked at; empty: none. */
  chosen = $state('');
  ahead = $state.raw<Ahead | null>(null);
  form = $state.raw<Reasoning | null>(null);
  /** Why a decision was not taken, or a file not written, and of which piece. */
  refused = $state.raw<(Problem & { id: string; what: What }) | null>(null);
  /** A decision is being taken, or a file written: no other one is meanwhile. */
  busy = $state(false);
  /** What was done last, in words, and to which piece. */
  said = $state.raw({ words: '', id: '' });
  /** Something that is to be known is being written down, in the place of the piece that is looked at. */
  writing = $state(false);
  /** What is written of it so far: it is kept while others are looked at. */
  draft: Description | null = null;
  /** What was written last of a piece. */
  written = $state.raw<Proposed | null>(null);

  /** In the order of the queue: what waits first. */
  readonly ordered = $derived([...this.all.filter(waits), ...this.all.filter((one) => !waits(one))]);
  readonly shown = $derived(findIn(this.ordered, this.search).filter((one) => isListed(one, this.listed)));
  /** Whether it is not known yet what would come of the piece that is looked at. */
  readonly blind = $derived(this.ahead?.id !== this.chosen || (!this.ahead.now && !this.ahead.problem));
  readonly item = $derived(this.all.find(({ id }) => id === this.chosen) ?? null);
  readonly counts = $derived({
    waiting: this.all.filter(waits).length,
    against: this.all.filter(isContradicted).length,
    decided: this.all.filter((one) => !waits(one)).length,
    all: this.all.length,
  });

  private loads = 0;
  private abort: AbortController | null = null;
  private stop: () => void = () => undefined;

  constructor(
    private readonly api: KnowledgeApi,
    private readonly later: (work: () => void) => () => void = soon,
  ) {}

  /** Reads the list. Of two at the same time the one that was begun last counts. */
  async load(): Promise<void> {
    const turn = ++this.loads;
    try {
      const { items, waiting } = await this.api.list();
      if (turn !== this.loads) return;
      this.all = items;
      this.waiting = waiting;
      this.problem = null;
    } catch (thrown) {
      if (turn !== this.loads) return;
      this.problem = problemOf(thrown, 'window.review.failed');
    }
    this.loaded = true;
  }

  /** Looks at a piece, and works out what would come of it when it waits. */
  choose(id: string): void {
    this.writing = false;
    if (id === this.chosen) return;
    this.chosen = id;
    this.form = null;
    this.refused = null;
    this.written = null;
    this.forgetAhead();
  }

  /** Looks at the first one, when none that is there is looked at. */
  chooseFirst(): void {
    if (!this.item) this.choose(this.shown[0]?.id ?? '');
  }

  /** Goes through what is listed; gives the piece that is looked at then. */
  step(by: 1 | -1): string {
    const at = this.shown.findIndex(({ id }) => id === this.chosen);
    const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), this.shown.length - 1);
    this.choose(this.shown[to]?.id ?? this.chosen);
    return this.chosen;
  }

  /** Works out what would come of the piece that is looked at, `after` a moment in which another may be chosen. */
  lookAhead(after = settle): void {
    this.forgetAhead();
    const id = this.chosen;
    if (!id) return;
    const abort = new AbortController();
    this.abort = abort;
    this.ahead = { id, now: null, problem: null };
    const work = () => void this.workOut(id, abort.signal);
    if (after === 0) work();
    else this.stop = this.later(work);
  }

  /**
   * Takes a decision, which `begun` hears of, or opens the form for its reason. What this person cannot decide is not, and
   * nothing comes to hold before it was shown what would change.
   */
  begin(verdict: Verdict, withReason = needsReason(verdict), begun: (work: Promise<boolean>) => void = () => {}): void {
    if (!this.item?.may.includes(verdict) || this.busy || this.writing) return;
    if (this.blind && comesToHold(verdict)) {
      if (!this.ahead) this.lookAhead(0);
      this.said = { words: say('window.review.ahead_first'), id: this.chosen };
      return;
    }
    if (!withReason) {
      begun(this.decide(verdict));
      return;
    }
    this.refused = null;
    if (this.form?.verdict !== verdict) this.form = { verdict, reason: this.form?.reason ?? '' };
  }

  /** Leaves the form without a decision. */
  cancel(): void {
    this.form = null;
    this.refused = null;
  }

  /** Takes the decision whose reason was written. */
  async send(): Promise<boolean> {
    return this.form ? this.decide(this.form.verdict, this.form.reason.trim()) : false;
  }

  /** Takes a decision about the piece that is looked at; what waited makes room for the next that does. */
  async decide(verdict: Verdict, reason = ''): Promise<boolean> {
    const { item } = this;
    if (!item || this.busy) return false;
    const next = nextAfter(this.listed === 'decided' ? this.ordered : findIn(this.ordered, this.search), item.id);
    const done = await this.try(item.id, 'decision', () => this.api.decide(item.id, verdict, reason));
    if (!done) return false;
    this.form = null;
    this.put(done);
    this.said = { words: say(doneWords[verdict], { term: done.term || done.title }), id: done.id };
    if (waits(item) && !waits(done) && this.chosen === done.id && next) this.choose(next);
    await this.load();
    return true;
  }

  /** Writes something down that is to be known, and looks at it. */
  async write(d: Description): Promise<boolean> {
    if (this.busy) return false;
    const done = await this.try('', 'description', () => this.api.write(d));
    if (!done) return false;
    this.put(done);
    this.choose(done.id);
    this.draft = null;
    this.said = { words: say('window.review.did_write', { title: done.title }), id: done.id };
    await this.load();
    return true;
  }

  /** Says otherwise what the piece that is looked at is called, says and is about. */
  describe(d: Description): Promise<boolean> {
    return this.change('description', (id) => this.api.describe(id, d), 'window.review.did_describe');
  }

  /** Forgets the piece that is looked at, which the person wrote down. */
  async forget(): Promise<boolean> {
    const { item } = this;
    if (!item || this.busy) return false;
    const next = nextAfter(findIn(this.ordered, this.search), item.id);
    const done = await this.try(item.id, 'forgetting', () => this.api.forget(item.id).then(() => true));
    if (!done) return false;
    this.all = this.all.filter(({ id }) => id !== item.id);
    this.said = { words: say('window.review.did_forget', { title: item.title }), id: '' };
    this.choose(next ?? '');
    await this.load();
    return true;
  }

  /** Says whom the piece that is looked at is for. */
  direct(to: Reach): Promise<boolean> {
    return this.change('reach', (id) => this.api.direct(id, to), 'window.review.did_direct');
  }

  /** Has the model that is chosen compare the piece that is looked at with others. */
  judge(): Promise<boolean> {
    return this.change('judgment', (id) => this.api.judge(id), null);
  }

  /** Writes the context file of the piece that is looked at. */
  async propose(direct: boolean): Promise<boolean> {
    const { item } = this;
    if (!item || this.busy) return false;
    const done = await this.try(item.id, 'file', () => this.api.propose(item.id, direct));
    if (!done) return false;
    this.put(done.item);
    if (this.chosen === item.id) this.written = done;
    const key = direct
      ? item.merged
        ? 'window.review.removed_file'
        : 'window.review.wrote_file'
      : 'window.review.wrote_branch';
    this.said = { words: say(key, { file: done.file, branch: done.branch }), id: item.id };
    await this.load();
    return true;
  }

  /** Offers what the person taught to everybody. Throws a Fault. */
  async offer(correctionId: string): Promise<Reviewed> {
    const item = await this.api.offer(correctionId);
    this.put(item);
    await this.load();
    return item;
  }

  /** What is there of something that the person taught. */
  offered(term: string, means: string): Reviewed | null {
    const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
    return this.all.find((one) => same(one.term, term) && same(one.means, means) && one.stands !== 'expired') ?? null;
  }

  private async change(what: What, call: (id: string) => Promise<Reviewed>, words: Key | null): Promise<boolean> {
    const { item } = this;
    if (!item || this.busy) return false;
    const done = await this.try(item.id, what, () => call(item.id));
    if (!done) return false;
    this.put(done);
    if (words) this.said = { words: say(words, { term: done.term || done.title }), id: done.id };
    await this.load();
    return true;
  }

  private put(item: Reviewed): void {
    const there = this.all.some(({ id }) => id === item.id);
    this.all = there ? this.all.map((one) => (one.id === item.id ? item : one)) : [item, ...this.all];
    this.loads++; // a list that was asked for before does not know it
  }

  private async try<Result>(id: string, what: What, call: () => Promise<Result>): Promise<Result | null> {
    this.busy = true;
    this.said = { words: '', id: '' };
    this.refused = null;
    try {
      return await call();
    } catch (thrown) {
      if (this.chosen === id || id === '') this.refused = { ...problemOf(thrown, failures[what]), id, what };
      void this.load(); // it may stand otherwise by now
      return null;
    } finally {
      this.busy = false;
    }
  }

  private forgetAhead(): void {
    this.stop();
    this.abort?.abort();
    this.abort = null;
    this.ahead = null;
  }

  private async workOut(id: string, signal: AbortSignal): Promise<void> {
    try {
      const now = await this.api.blast(id, signal);
      if (!signal.aborted) this.ahead = { id, now, problem: null };
    } catch (thrown) {
      if (!signal.aborted) this.ahead = { id, now: null, problem: problemOf(thrown, 'window.review.not_ahead') };
    }
  }
}

const soon = (work: () => void) => {
  const timer = setTimeout(work, settle);
  return () => clearTimeout(timer);
};
