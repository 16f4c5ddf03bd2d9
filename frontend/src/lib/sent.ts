// What was sent to language models elsewhere, as a person reads it: each text where it was sent first. Pure.
import type { Answer, SentTexts } from './api/types';

/** A text, how many of those above were sent once more in its place, or that it was too long to keep. */
export type SentWords = { kind: 'text'; text: string } | { kind: 'again'; n: number } | { kind: 'gone' };

/** One request in the order in which a model reads it. */
export interface SentRequest {
  to: string;
  task: string;
  words: SentWords[];
}

export function sentRequests({ requests, texts }: SentTexts): SentRequest[] {
  const seen = new Set<string>();
  return requests.map(({ to, task, parts }) => {
    const words: SentWords[] = [];
    for (const part of parts) {
      const last = words.at(-1);
      const text = Object.hasOwn(texts, part) ? texts[part] : undefined;
      if (text === undefined) words.push({ kind: 'gone' });
      else if (!seen.has(part)) words.push({ kind: 'text', text });
      else if (last?.kind === 'again') last.n++;
      else words.push({ kind: 'again', n: 1 });
      seen.add(part);
    }
    return { to, task, words };
  });
}

/** Says whether something left the machine for an answer. */
export const wentElsewhere = (answer: Answer): boolean => (answer.sent ?? []).some(({ local }) => !local);
