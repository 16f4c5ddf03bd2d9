import { Fault } from './fault';
import type { Lesson, MemoryApi } from './memory';
import type { Correction, Preference, PreferenceKind, PreferenceList, Taught, Work } from './types';

/** The memory for tests: it reads "X means Y" and "KIND: VALUE", and refuses anything else. */
export class FakeMemory implements MemoryApi {
  corrections: Correction[] = [];
  private counter = 0;
  private readonly replaced = new Map<string, Correction>();

  /** What it asks to have remembered. */
  noted: Correction[] = [];

  list = async () => ({ corrections: [...this.corrections], noted: [...this.noted] });

  work = async (): Promise<Work> => ({
    since: '2025-10-17T00:00:00Z',
    answers: 2,
    entities: {},
    metrics: { revenue: 2 },
    interests: [{ kind: 'metric', name: 'revenue', times: 2, last: '2026-01-14T09:00:00Z', weight: 1 }],
    together: [
      { kind: 'metric_dimension', one: 'revenue', other: 'customers.country', times: 1, last: '2026-01-14T09:00:00Z' },
    ],
  });

  async settle(id: string, remember: boolean): Promise<Taught | null> {
    const noted = this.noted.find((one) => one.id === id);
    if (!noted) throw new Fault('not_found', 'Nothing that was noted for you is called so.');
    const taught = remember ? await this.teach({ term: noted.term, means: noted.means }) : null;
    this.noted = this.noted.filter((one) => one !== noted);
    return taught;
  }

  async teach(lesson: Lesson): Promise<Taught> {
    const words = 'words' in lesson ? lesson.words : `${lesson.term} means ${lesson.means}`;
    const [kind, value] = words.split(': ');
    if (kind && value) return this.prefer(kind, value);
    const [term, means] = words.split(' means ');
    if (!term || !means) throw new Fault('invalid', 'That does not say what a word means.');
    const before = this.corrections.find((one) => one.term === term);
    this.counter++;
    const correction = made(`c${this.counter}`, term, means, words);
    this.corrections = [...this.corrections.filter((one) => one !== before), correction];
    if (before) this.replaced.set(correction.id, before);
    const said = `From now on ${words} in your questions.`;
    return { correction, preference: null, before: before ?? null, scope: 'questions', words: said };
  }

  async change(id: string, to: { term: string; means: string }): Promise<Taught> {
    const before = this.corrections.find((one) => one.id === id);
    if (!before) throw new Fault('not_found', 'You taught nothing that is called so.');
    const correction = { ...before, ...to };
    this.corrections = this.corrections.map((one) => (one === before ? correction : one));
    return { correction, preference: null, before, scope: 'questions', words: '' };
  }

  async narrow(id: string): Promise<Taught> {
    const narrowed = this.corrections.find((one) => one.id === id);
    if (!narrowed) throw new Fault('not_found', 'You taught nothing that is called so.');
    const back = this.replaced.get(id) ?? null;
    this.corrections = [...this.corrections.filter((one) => one !== narrowed), ...(back ? [back] : [])];
    return { correction: back, preference: null, before: narrowed, scope: 'answer', words: '' };
  }

  async forget(id: string): Promise<void> {
    if (!this.corrections.some((one) => one.id === id))
      throw new Fault('not_found', 'You taught nothing that is called so.');
    this.corrections = this.corrections.filter((one) => one.id !== id);
  }

  chosen: Preference[] = [];

  preferences = async (): Promise<PreferenceList> => ({ preferences: [...this.chosen], kinds });

  async prefer(kind: string, value: string): Promise<Taught> {
    const known = kinds.find((one) => one.kind === kind)?.values.find((one) => one.value === value);
    if (!known) throw new Fault('invalid', `“${value}” cannot be chosen.`);
    const before = this.chosen.find((one) => one.kind === kind);
    this.counter++;
    const preference: Preference = {
      id: before?.id ?? `p${this.counter}`,
      kind: kind as Preference['kind'],
      value,
      quote: '',
      created: '2026-01-15T09:00:00Z',
      changed: '2026-01-15T09:00:00Z',
    };
    this.chosen = [...this.chosen.filter((one) => one !== before), preference];
    return { correction: null, preference, before: null, words: `Noted for you: ${known.words}.` };
  }

  async forgetPreference(id: string): Promise<void> {
    if (!this.chosen.some((one) => one.id === id))
      throw new Fault('not_found', 'You taught nothing that is called so.');
    this.chosen = this.chosen.filter((one) => one.id !== id);
  }
}

const kinds: PreferenceKind[] = [
  {
    kind: 'scale',
    subject: 'numbers',
    values: [
      { value: 'as_is', words: 'in full' },
      { value: 'millions', words: 'in millions' },
    ],
  },
  { kind: 'decimals', subject: 'decimals', values: [{ value: '0', words: '0 decimals' }] },
];

const made = (id: string, term: string, means: string, quote: string): Correction => ({
  id,
  term,
  means,
  quote,
  sort: 'factual',
  domain: '',
  detection: 'definition',
  session_id: '',
  request_id: '',
  read_by: '',
  change: null,
  confirmed: 0,
  created: '2026-01-15T09:00:00Z',
  changed: '2026-01-15T09:00:00Z',
});
