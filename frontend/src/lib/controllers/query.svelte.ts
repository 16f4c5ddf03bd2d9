import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { QueryLanguage, SavedQuery, WrittenQuery } from '../api/types';
import type { Offer } from '../editor/editor';
import { filled, type Parameter } from '../parameters';
import {
  chooseTab,
  chosenTab,
  emptyTab,
  forgetTab,
  keepTab,
  storedTab,
  storedTabs,
  tabsAmong,
  type StoredTab,
} from '../query-tabs';
import { clauses } from '../frameql-lines';
import { randomId } from '../random-id';
import { hear, type Writer } from '../storage';
import { say } from '../text';
import type { Problem } from '../turn';
import { isEmpty, put, QueryTab } from './query-tab.svelte';

// A check follows the last key after this long.
const settle = 180;

/** The query page: its tabs, what is checked while a person writes, and what they ran before. */
export class QueryController {
  tabs = $state.raw<QueryTab[]>([]);
  current = $state.raw<QueryTab>() as QueryTab;
  history = $state.raw<WrittenQuery[]>([]);
  /** Which list of queries is open beside the editor; null: none. */
  drawer = $state<'history' | 'saved' | null>(null);
  historyProblem = $state<Problem | null>(null);
  private readonly backend: Backend;
  private readonly later: (work: () => void, after: number) => () => void;
  private counter = 0;
  private abort: AbortController | null = null;
  private examined: { tab: QueryTab; written: string; done: Promise<void> } | null = null;
  private stopWaiting: () => void = () => undefined;

  constructor(backend: Backend, later = soon) {
    this.backend = backend;
    this.later = later;
    this.take();
    hear((names, by) => this.heard(names, by));
  }

  /** Opens a tab, or the empty one that is there, and brings it into view. */
  open(language: QueryLanguage, text = '', saved: SavedQuery | null = null, editedFrom: string | null = null): void {
    const tab = this.tabs.find(isEmpty) ?? this.make(emptyTab(language, this.end()));
    tab.language = language;
    tab.text = text;
    tab.saved = saved?.id ?? null;
    tab.editedFrom = editedFrom;
    this.keep(tab);
    this.choose(tab);
  }

  /** Brings the tab of a saved query into view, or opens one with its text. Nothing runs. */
  openSaved(query: SavedQuery): void {
    const there = this.tabs.find((tab) => tab.saved === query.id && tab.text === query.text);
    if (there) this.choose(there);
    else this.open(query.language, query.text, query);
  }

  /** The current query is kept as this one from now on. */
  savedAs(tab: QueryTab, query: SavedQuery): void {
    tab.saved = query.id;
    this.keep(tab);
  }

  choose(tab: QueryTab): void {
    this.current = tab;
    chooseTab(tab.id);
    void this.restore(tab);
    this.look(0);
  }

  close(tab: QueryTab): void {
    tab.run.cancel();
    const at = this.tabs.indexOf(tab);
    this.tabs = this.tabs.filter((known) => known !== tab);
    forgetTab(tab.id);
    if (this.tabs.length === 0) this.make(emptyTab(tab.language, this.end()));
    if (this.current === tab) this.choose(this.tabs[Math.min(at, this.tabs.length - 1)] as QueryTab);
  }

  /** The text was changed by a person, or by one of the actions here. */
  write(text: string): void {
    if (text === this.current.text) return;
    this.current.text = text;
    this.changed();
  }

  speak(language: QueryLanguage): void {
    this.current.language = language;
    this.current.check = null;
    this.changed();
  }

  give(name: string, parameter: Parameter): void {
    this.current.values = { ...this.current.values, [name]: parameter };
    this.changed();
  }

  /** Puts the text into its one form. Only Frame-QL that can be read has one. */
  async format(): Promise<void> {
    const tab = this.current;
    if (tab.language !== 'frame_ql') return;
    if (tab.checked !== tab.text) await this.examine(tab);
    if (tab.checked === tab.text && tab.check?.canonical && this.current === tab)
      this.write(clauses(tab.check.canonical));
  }

  /** Runs all of the query, or the part that is selected, as the next turn of the tab's session. */
  async execute(selected = '', explain = false): Promise<void> {
    const tab = this.current;
    if (tab.run.running) return;
    const piece = selected === '' ? tab.text : selected;
    const { sql, missing } = tab.language === 'sql' ? filled(piece, tab.values) : { sql: piece, missing: [] };
    if (missing.length > 0 || sql.trim() === '') return;
    const edited = tab.editedFrom ? { edited_from: tab.editedFrom } : {};
    const asked = tab.language === 'sql' ? { sql } : { frame_ql: piece, ...edited };
    await tab.run.ask(explain ? { ...asked, explain } : asked);
    void tab.acceptance.look(tab.session.turns);
    this.keep(tab);
  }

  /** Ways to go on at a place of the text; null when there are none to be had. */
  async offers(text: string, at: number): Promise<{ from: number; candidates: Offer[] } | null> {
    try {
      return await this.backend.query.complete(this.current.language, text, at, new AbortController().signal);
    } catch {
      return null; // a person goes on writing without
    }
  }

  show(drawer: 'history' | 'saved' | null): void {
    this.drawer = drawer;
  }

  async loadHistory(words: string): Promise<void> {
    try {
      this.history = await this.backend.query.history(words);
      this.historyProblem = null;
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown, new Fault('internal', say('window.query.no_history')));
      this.historyProblem = { code, message, hint };
    }
  }

  /** Looks at the current query as it stands, when nothing was written for a while. */
  look(after = settle): void {
    this.stopWaiting();
    this.stopWaiting = this.later(() => void this.examine(this.current), after);
  }

  private changed(): void {
    this.keep(this.current);
    this.look();
  }

  // What is being looked at is not looked at twice: who asks again waits for the same.
  private examine(tab: QueryTab): Promise<void> {
    const written = JSON.stringify([tab.language, tab.filled]);
    if (this.examined?.tab === tab && this.examined.written === written) return this.examined.done;
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const examined = { tab, written, done: this.judge(tab, abort) };
    this.examined = examined;
    return examined.done.finally(() => {
      if (this.examined === examined) this.examined = null;
    });
  }

  private async judge(tab: QueryTab, abort: AbortController): Promise<void> {
    const { text, language } = tab;
    const source = tab.filled;
    if (text.trim() === '' || source.missing.length > 0) {
      tab.check = null;
      return;
    }
    const check = await this.backend.query.check(language, source.sql, abort.signal).catch(() => null);
    if (!abort.signal.aborted && tab.text === text && tab.language === language) {
      tab.check = check;
      tab.checked = text;
    }
  }

  // After the page was loaded again a tab shows what it last had.
  private async restore(tab: QueryTab): Promise<void> {
    const id = tab.stored;
    tab.stored = null;
    if (!id || tab.session.turns.length > 0) return;
    await tab.session.open(id, (turns) => tab.acceptance.look(turns)).catch(() => undefined);
  }

  private make(from: StoredTab, id = randomId()): QueryTab {
    const tab = new QueryTab(this.backend, `tab-${++this.counter}`, id);
    put(tab, from);
    tab.at = from.at;
    tab.stored = from.session;
    this.tabs = [...this.tabs, tab].sort((a, b) => a.at - b.at);
    return tab;
  }

  // The tabs that are remembered and not there; an empty one makes room for them.
  private take(): void {
    const known = new Set(this.tabs.map((tab) => tab.id));
    const empty = this.tabs.filter(isEmpty);
    for (const [id, tab] of storedTabs()) if (!known.has(id)) this.make(tab, id);
    if (this.tabs.length > empty.length) this.tabs = this.tabs.filter((tab) => !empty.includes(tab));
    if (this.tabs.length === 0) this.make(emptyTab('frame_ql', this.end()));
    if (!this.current || !this.tabs.includes(this.current))
      this.current = this.tabs.find((tab) => tab.id === chosenTab()) ?? (this.tabs[0] as QueryTab);
  }

  // The program says how the tabs stood, or another window has changed one. What is on screen here stays: where another window wrote
  // something else, this one's text goes on under a name of its own.
  private heard(names: ReadonlySet<string>, by: Writer): void {
    const changed = tabsAmong(names);
    if (changed.length === 0 || by === 'here') return;
    const before = this.current;
    for (const tab of this.tabs.filter(({ id }) => changed.includes(id))) {
      const stored = storedTab(tab.id);
      if (stored && stored.text === tab.text && stored.language === tab.language) continue;
      if ((by === 'page' && !document.hidden) || tab.run.running) {
        tab.id = randomId();
        this.keep(tab);
      } else if (stored) put(tab, stored);
      else this.tabs = this.tabs.filter((known) => known !== tab);
    }
    // The tabs that another window has opened stay its own as long as both are there.
    if (by === 'program' || this.tabs.length === 0) this.take();
    if (this.current !== before) this.choose(this.current);
  }

  private end = (): number => Math.max(0, ...this.tabs.map((tab) => tab.at)) + 1;

  private keep(tab: QueryTab): void {
    keepTab(tab.id, {
      language: tab.language,
      text: tab.text,
      session: tab.session.id ?? tab.stored,
      values: $state.snapshot(tab.values),
      saved: tab.saved,
      editedFrom: tab.editedFrom,
      at: tab.at,
    });
  }
}

function soon(work: () => void, after: number): () => void {
  const timer = setTimeout(work, after);
  return () => clearTimeout(timer);
}
