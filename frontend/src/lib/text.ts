// Every sentence of the page comes from the catalogue that the Go side keeps (backend/text/<language>.json); the
// build leaves in the part that the page says. A second language is a second file; the language is that of <html lang>.
import english from '../../../backend/text/en.json';
import { personLocale } from './locale';

export type Key = keyof typeof english;

const catalogues = import.meta.glob<Record<string, string>>('../../../backend/text/*.json', {
  eager: true,
  import: 'default',
});

const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en';
const spoken: Record<string, string> = {
  ...english,
  ...catalogues[`../../../backend/text/${language}.json`],
};

/** Takes the texts of a part of the page along, which come with it. */
export function learn(part: Record<string, Record<string, string>>): void {
  Object.assign(spoken, part['../../../backend/text/en.json'], part[`../../../backend/text/${language}.json`]);
}

/** Gives the text of a key with its {placeholders} filled. */
export function say(key: Key, values: Record<string, string | number> = {}): string {
  const text = spoken[key] ?? `[${key}]`;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Gives the form of a key that fits a number. The text holds "one|other"; {n} is the number as a person reads it. */
export function count(key: Key, n: number, values: Record<string, string | number> = {}): string {
  const forms = say(key).split('|');
  const one = new Intl.PluralRules(language).select(n) === 'one';
  const form = (one ? forms[0] : (forms[1] ?? forms[0])) ?? '';
  const all: Record<string, string | number> = { n: new Intl.NumberFormat(personLocale()).format(n), ...values };
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(all[name] ?? whole));
}
