import { createContext } from 'svelte';

/** The words that are searched for among the settings. */
export class SettingsSearch {
  text = $state('');
  readonly words = $derived(this.text.toLowerCase().split(/\s+/).filter(Boolean));
  readonly on = $derived(this.words.length > 0);

  /** Says whether all words stand in some texts together. */
  finds(...texts: (string | undefined)[]): boolean {
    const all = texts.join(' ').toLowerCase();
    return this.words.every((word) => all.includes(word));
  }

  /** A text in pieces; those that are searched for are marked. */
  pieces(text: string): { text: string; marked: boolean }[] {
    const words = this.words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (words.length === 0) return [{ text, marked: false }];
    return text
      .split(new RegExp(`(${words.join('|')})`, 'i'))
      .map((piece, i) => ({ text: piece, marked: i % 2 === 1 }))
      .filter((piece) => piece.text !== '');
  }
}

export const [useSearch, provideSearch] = createContext<SettingsSearch>();

/** Says whether a section is shown whole, because its title has the words. */
export const [useWhole, provideWhole] = createContext<() => boolean>();
