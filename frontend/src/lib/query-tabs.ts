// The tabs of the query page as they are remembered: each under a name of its own, so that two windows keep theirs beside each other.
import type { QueryLanguage } from './api/types';
import type { Parameter } from './parameters';
import { forget, recall, remember, remembered } from './storage';

/** A tab as it is remembered. */
export interface StoredTab {
  language: QueryLanguage;
  text: string;
  session: string | null;
  values: Record<string, Parameter>;
  /** The id of the saved query that it was opened from, or saved as; null: none. */
  saved: string | null;
  /** The answer whose query it was opened with; null: none. */
  editedFrom: string | null;
  /** Where it stands among the others. */
  at: number;
}

const under = (id: string) => `query.tab.${id}`;

export const emptyTab = (language: QueryLanguage, at: number): StoredTab => ({
  language,
  text: '',
  session: null,
  values: {},
  saved: null,
  editedFrom: null,
  at,
});

/** The tabs that are remembered, by their ids, in their order. */
export function storedTabs(): [id: string, tab: StoredTab][] {
  return remembered('query.tab.')
    .map((name) => name.slice('query.tab.'.length))
    .flatMap((id): [string, StoredTab][] => {
      const tab = storedTab(id);
      return tab ? [[id, tab]] : [];
    })
    .sort(([a, one], [b, other]) => one.at - other.at || a.localeCompare(b));
}

/** The tab of an id; null: it is not remembered, or cannot be read. */
export function storedTab(id: string): StoredTab | null {
  try {
    const one = JSON.parse(recall(under(id)) ?? 'null') as Partial<StoredTab> | null;
    if (!one || typeof one.text !== 'string') return null;
    return {
      language: one.language === 'sql' ? 'sql' : 'frame_ql',
      text: one.text,
      session: typeof one.session === 'string' ? one.session : null,
      values: one.values && typeof one.values === 'object' ? one.values : {},
      saved: typeof one.saved === 'string' ? one.saved : null,
      editedFrom: typeof one.editedFrom === 'string' ? one.editedFrom : null,
      at: typeof one.at === 'number' ? one.at : 0,
    };
  } catch {
    return null;
  }
}

/** Remembers a tab. One that holds nothing is not remembered. */
export function keepTab(id: string, tab: StoredTab): void {
  if (tab.text.trim() === '' && tab.session === null) forget(under(id));
  else remember(under(id), JSON.stringify(tab));
}

export const forgetTab = (id: string): void => forget(under(id));

/** The ids of the tabs among some names. */
export const tabsAmong = (names: ReadonlySet<string>): string[] =>
  [...names].filter((name) => name.startsWith('query.tab.')).map((name) => name.slice('query.tab.'.length));

export const chosenTab = (): string => recall('query.current') ?? '';
export const chooseTab = (id: string): void => remember('query.current', id);
