// What is in the queue of shared knowledge, and in which order it is gone through.
import type { Reviewed } from './api/types';
import { contradictionsOf, standOf } from './review-words';

/** Which part of it is listed. */
export type Listed = 'waiting' | 'against' | 'decided' | 'all';

export const waits = (one: Reviewed): boolean => standOf(one) === 'pending';

export const isContradicted = (one: Reviewed): boolean => contradictionsOf(one) > 0;

export const isListed = (one: Reviewed, listed: Listed): boolean =>
  listed === 'against' ? isContradicted(one) : listed === 'all' || waits(one) === (listed === 'waiting');

const isMine = (one: Reviewed): boolean => waits(one) && one.may.some((verdict) => /^(approve|reject)$/.test(verdict));

/** The piece that waits behind another one, or else the first: those that this person decides about go before others. Empty: none waits. */
export function nextAfter(queue: Reviewed[], id: string): string {
  const at = queue.findIndex((one) => one.id === id);
  const round = [...queue.slice(at + 1), ...queue.slice(0, Math.max(at, 0))];
  return (round.find(isMine) ?? round.find(waits))?.id ?? '';
}

/** The pieces that hold all words of a search. */
export function findIn(items: Reviewed[], search: string): Reviewed[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (one: Reviewed) =>
    [
      one.term,
      one.means,
      one.title,
      one.content,
      one.domain,
      ...one.entities,
      ...one.tags,
      ...one.evidence.map(({ quote }) => quote),
    ]
      .join(' ')
      .toLowerCase();
  return words.length === 0 ? items : items.filter((one) => words.every((word) => text(one).includes(word)));
}
