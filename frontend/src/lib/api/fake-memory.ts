import { Fault } from './fault';
import type { Lesson, MemoryApi } from './memory';
import type { Correction, Taught } from './types';

/** The memory for tests: it reads "X means Y" and refuses anything else. */
export class FakeMemory implements MemoryApi {
  corrections: Correction[] = [];
  private counter = 0;

  list = async () => [...this.corrections];

  async teach(lesson: Lesson): Promise<Taught> {
    const words = 'words' in lesson ? lesson.words : `${lesson.term} means ${lesson.means}`;
    const [term, means] = words.split(' means ');
    if (!term || !means) throw new Fault('invalid', 'That does not say what a word means.');
    const before = this.corrections.find((one) => one.term === term);
    this.counter++;
    const correction = made(`c${this.counter}`, term, means, words);
    this.corrections = [...this.corrections.filter((one) => one !== before), correction];
    return { correction, before: before ?? null, words: `Remembered for you: ${words}.` };
  }

  async change(id: string, to: { term: string; means: string }): Promise<Taught> {
    const before = this.corrections.find((one) => one.id === id);
    if (!before) throw new Fault('not_found', 'You taught nothing that is called so.');
    const correction = { ...before, ...to };
    this.corrections = this.corrections.map((one) => (one === before ? correction : one));
    return { correction, before, words: '' };
  }

  async forget(id: string): Promise<void> {
    if (!this.corrections.some((one) => one.id === id))
      throw new Fault('not_found', 'You taught nothing that is called so.');
    this.corrections = this.corrections.filter((one) => one.id !== id);
  }
}

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
  created: '2026-01-15T09:00:00Z',
  changed: '2026-01-15T09:00:00Z',
});
