import type { Backend } from '../api/backend';
import type { QueryCheck, QueryLanguage } from '../api/types';
import { filled, parametersOf, type Parameter } from '../parameters';
import type { StoredTab } from '../query-tabs';
import { say } from '../text';
import { AcceptanceController } from './acceptance.svelte';
import { RunController } from './run.svelte';
import { SessionController } from './session.svelte';

/** One query that is being written, with what was said of it and the session that its runs belong to. */
export class QueryTab {
  readonly key: string;
  /** Under which it is remembered. */
  id: string;
  /** Where it stands among the others. */
  at = 0;
  /** The saved query that it was opened from, or saved as; null: none. */
  saved = $state<string | null>(null);
  /** The answer whose query it was opened with; null: none. */
  editedFrom: string | null = null;
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

  constructor(backend: Backend, key: string, id: string) {
    this.key = key;
    this.id = id;
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

/** Says whether nothing would be lost with a tab. */
export const isEmpty = (tab: QueryTab): boolean =>
  tab.text.trim() === '' && tab.session.turns.length === 0 && tab.stored === null;

/** Lets a tab stand as it is remembered. */
export function put(tab: QueryTab, from: StoredTab): void {
  tab.language = from.language;
  tab.text = from.text;
  tab.values = from.values;
  tab.saved = from.saved;
  tab.editedFrom = from.editedFrom;
}
