import { asFault, Fault } from '../api/fault';
import type { ReadingAsked, ReadingChange, ReadingMenu, ReadingOption } from '../api/types';
import { say } from '../text';
import type { Problem } from '../turn';
import { ConditionController } from './condition.svelte';

export type Alternatives = (asked: ReadingAsked, signal: AbortSignal) => Promise<ReadingMenu>;

/** Takes a change; gives why it cannot be, or null once it is being asked. */
export type Chosen = (change: ReadingChange) => Promise<Problem | null>;

/** How many characters are looked for at most. */
const longestFind = 200;

/** How long typing must rest before is looked for what was typed, in milliseconds. */
const rest = 80;

/** The menu of one part of a reading: what it may become, what is looked for among that, and which one is pointed at. */
export class PartController {
  open = $state(false);
  find = $state('');
  menu = $state.raw<ReadingMenu | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** The option that is pointed at; -1: none. */
  at = $state(-1);
  readonly listed = $derived((this.menu?.groups ?? []).flatMap((group) => group.options));
  /** Several can be chosen together. */
  readonly several = $derived(this.listed.some((option) => option.also));
  /** The condition that is written, where the menu is a form. */
  readonly condition = new ConditionController();
  private path = $state.raw<ReadingAsked[]>([]);
  /** It was opened by an option of another one. */
  readonly deep = $derived(this.path.length > 1);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;
  private choosing = false;
  /** What is listed is not what was looked for last. */
  private stale = false;
  /** Enter came before the list did: the first of it is taken, beside what is chosen or alone. */
  private waiting: { also: boolean } | null = null;

  constructor(
    private readonly alternatives: Alternatives,
    private readonly chosen: Chosen,
  ) {}

  show(asked: ReadingAsked): void {
    this.open = true;
    this.enter([asked]);
  }

  close(): void {
    this.open = false;
    clearTimeout(this.timer);
    this.running?.abort();
    this.menu = null;
    this.waiting = null;
  }

  /** Goes back to the menu that opened this one. */
  back(): void {
    if (this.deep) this.enter(this.path.slice(0, -1));
  }

  look(find: string): void {
    this.find = find;
    this.stale = true;
    this.waiting = null;
    this.problem = null;
    this.at = -1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.fetch(), rest);
  }

  move(by: 1 | -1): void {
    const many = this.listed.length;
    if (many > 0) this.at = this.at < 0 ? (by > 0 ? 0 : many - 1) : (this.at + by + many) % many;
  }

  /** Takes the option that is pointed at; while the list is on its way, the first of what was looked for. */
  async accept(also: boolean): Promise<void> {
    if (this.stale) {
      this.waiting = { also };
      return;
    }
    const option = this.listed[this.at];
    if (option) await this.pick(option, also);
  }

  /** Takes an option, or, with `also`, puts it beside what is chosen. */
  async pick(option: ReadingOption, also: boolean): Promise<void> {
    if (option.opens) return this.enter([...this.path, option.opens]);
    if (option.value && this.menu?.form) return this.fill(option.value);
    const change = (also ? option.also : undefined) ?? option.change ?? option.also;
    if (!change) return;
    if (option.chosen && !also && change === option.change && this.only(option)) return this.close();
    await this.take(change);
  }

  async remove(): Promise<void> {
    if (this.menu?.remove) await this.take(this.menu.remove);
  }

  /** Asks with the condition that is written. */
  async apply(): Promise<void> {
    if (this.condition.check()) await this.take(this.condition.change());
  }

  // A suggestion stands in the field now; what is looked for is what is written next.
  private fill(value: string): void {
    this.condition.write(this.condition.field, value);
    this.at = -1;
  }

  // Of several members that are chosen one may become the only one; what stands alone stays as it is. Leaving a column out is a change of its own.
  private only(option: ReadingOption): boolean {
    const group = this.menu?.groups.find(({ options }) => options.includes(option));
    return !option.change?.remove && group?.options.filter((other) => other.chosen).length === 1;
  }

  private async take(change: ReadingChange): Promise<void> {
    if (this.choosing) return;
    this.choosing = true;
    try {
      this.problem = await this.chosen(change);
      this.condition.problem = this.problem;
      if (!this.problem) this.close();
    } finally {
      this.choosing = false;
    }
  }

  private enter(path: ReadingAsked[]): void {
    clearTimeout(this.timer);
    this.path = path;
    this.condition.forget();
    this.stale = true;
    this.waiting = null;
    this.find = '';
    this.menu = null;
    this.problem = null;
    void this.fetch();
  }

  private async fetch(): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const asked = this.path.at(-1);
    const { find } = this;
    try {
      const menu = await this.alternatives(
        { ...asked, ...(find.trim() ? { find: find.slice(0, longestFind) } : {}) },
        running.signal,
      );
      if (running.signal.aborted) return;
      this.menu = menu; // why a change was refused meanwhile stays said
      if (menu.form) this.condition.take(menu.form);
      this.at = menu.form ? -1 : Math.min(0, this.listed.length - 1);
      this.stale = this.find !== find;
      if (this.stale) return; // more was written meanwhile: its list is on its way
      const { waiting } = this;
      this.waiting = null;
      if (waiting) await this.accept(waiting.also);
    } catch (thrown) {
      if (running.signal.aborted) return;
      const { title = '', form } = this.menu ?? {}; // a condition that is being written stays
      this.menu = { title, groups: [], ...(form ? { form } : {}) };
      this.problem = asFault(thrown, new Fault('internal', say('window.reading.not_listed')));
    }
  }
}
