import type { Backend } from '../api/backend';
import { asFault, Fault } from '../api/fault';
import type { QueryCheck, QueryLanguage, WrittenQuery } from '../api/types';
import type { Offer } from '../editor/editor';
import { filled, parametersOf, type Parameter } from '../parameters';
import { recall, remember } from '../storage';
import { say } from '../text';
import type { Problem } from '../turn';
import { AcceptanceController } from './acceptance.svelte';
import { RunController } from './run.svelte';
import { SessionController } from './session.svelte';

const storedUnder = 'query.tabs';
const mostTabs = 20;
// A check follows the last key after this long.
const settle = 180;

interface StoredTab {
  language: QueryLanguage;
  text: string;
  session: string | null;
  values: Record<string, Parameter>;
}

/** One query that is being written, with what was said of it and the session that its runs belong to. */
export class QueryTab {
  readonly key: string;
  language = $state<QueryLanguage>('frame_ql');
  text = $state('');
  check = $state.raw<QueryCheck | null>(null);
  /** The text that was checked. */
  checked = '';
  /** Values of the parameters of a statement, by name. */
  values = $state<Record<string, Parameter>>({});
  readonly parameters = $derived(this.language === 'sql' ? parametersOf(this.text) : []);
  readonly filled = $derived(
    this.language === 'sql' ? filled(this.text, this.values) : { sql: this.text, missing: [] },
  );
  readonly session: SessionController;
  readonly run: RunController;
  readonly acceptance: AcceptanceController;
  /** The session that it had before the page was loaded again; its results are fetched when the tab is looked at. */
  stored: string | null = null;

  constructor(backend: Backend, key: string) {
    this.key = key;
    this.session = new SessionController(backend);
    this.run = new RunController(backend, this.session);
    this.acceptance = new AcceptanceController(backend, this.run);
  }

  /** The first words of the query. */
  get title(): string {
    const words = this.text
      .replace(/--[^\n]*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return words === '' ? say('window.query.untitled') : words.slice(0, 32);
  }
}

/** The query page: its tabs, what is checked while a person writes, and what they ran before. */
export class QueryController {
  tabs = $state.raw<QueryTab[]>([]);
  current = $state.raw<QueryTab>() as QueryTab;
  history = $state.raw<WrittenQuery[]>([]);
  historyOpen = $state(false);
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
    for (const tab of readTabs()) this.make(tab);
    if (this.tabs.length === 0) this.make({ language: 'frame_ql', text: '', session: null, values: {} });
    this.current = this.tabs[0] as QueryTab;
  }

  /** Opens a tab, or the empty one that is there, and brings it into view. */
  open(language: QueryLanguage, text = ''): void {
    const empty = this.tabs.find((tab) => tab.text.trim() === '' && tab.session.turns.length === 0);
    const tab = empty ?? this.make({ language, text, session: null, values: {} });
    tab.language = language;
    tab.text = text;
    this.choose(tab);
    this.keep();
  }

  choose(tab: QueryTab): void {
    this.current = tab;
    void this.restore(tab);
    this.look(0);
  }

  close(tab: QueryTab): void {
    tab.run.cancel();
    const at = this.tabs.indexOf(tab);
    this.tabs = this.tabs.filter((known) => known !== tab);
    if (this.tabs.length === 0) this.make({ language: tab.language, text: '', session: null, values: {} });
    if (this.current === tab) this.choose(this.tabs[Math.min(at, this.tabs.length - 1)] as QueryTab);
    this.keep();
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
    const asked = tab.language === 'sql' ? { sql } : { frame_ql: piece };
    await tab.run.ask(explain ? { ...asked, explain } : asked);
    void tab.acceptance.look(tab.session.turns);
    this.keep();
  }

  /** Ways to go on at a place of the text; null when there are none to be had. */
  async offers(text: string, at: number): Promise<{ from: number; candidates: Offer[] } | null> {
    try {
      return await this.backend.query.complete(this.current.language, text, at, new AbortController().signal);
    } catch {
      return null; // a person goes on writing without
    }
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
    this.keep();
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

  private make(from: StoredTab): QueryTab {
    const tab = new QueryTab(this.backend, `tab-${++this.counter}`);
    tab.language = from.language;
    tab.text = from.text;
    tab.values = from.values;
    tab.stored = from.session;
    this.tabs = [...this.tabs, tab];
    return tab;
  }

  private keep(): void {
    const all: StoredTab[] = this.tabs.slice(-mostTabs).map((tab) => ({
      language: tab.language,
      text: tab.text,
      session: tab.session.id ?? tab.stored,
      values: $state.snapshot(tab.values),
    }));
    remember(storedUnder, JSON.stringify(all));
  }
}

function readTabs(): StoredTab[] {
  try {
    const all: unknown = JSON.parse(recall(storedUnder) ?? '[]');
    if (!Array.isArray(all)) return [];
    return all.flatMap((one: Partial<StoredTab> | null) =>
      one && typeof one.text === 'string'
        ? {
            language: one.language === 'sql' ? 'sql' : 'frame_ql',
            text: one.text,
            session: typeof one.session === 'string' ? one.session : null,
            values: one.values ?? {},
          }
        : [],
    );
  } catch {
    return [];
  }
}

function soon(work: () => void, after: number): () => void {
  const timer = setTimeout(work, after);
  return () => clearTimeout(timer);
}

/** Canonical text with each clause on a line of its own, as people read it. */
export function clauses(canonical: string): string {
  let depth = 0;
  let quote = '';
  let out = '';
  for (let at = 0; at < canonical.length; at++) {
    const sign = canonical.charAt(at);
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === ' ' && depth === 0) {
      const opens = /^ (AT|FROM|WHERE|DURING|COMPARE TO|HAVING|TOP|FILL|TOTALS|ORDER BY|LIMIT|OPTIONS)(?= |$)/.exec(
        canonical.slice(at),
      );
      // DURING FROM ... is one clause, IN TOP a condition.
      if (opens && !/(DURING|TO|IN|BETWEEN)$/.test(out)) {
        out += '\n';
        continue;
      }
    }
    out += sign;
  }
  return out;
}
