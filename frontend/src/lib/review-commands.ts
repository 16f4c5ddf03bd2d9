// What the keyboard does in the queue of shared knowledge.
import type { Verdict } from './api/types';
import type { Command } from './controllers/commands.svelte';
import type { ReviewController } from './controllers/review.svelte';
import { verdictKeys, verdictWords } from './review-words';
import { say } from './text';

/** Whether a dialog or a menu lies above the page: it has the keyboard then. */
export const covered = (): boolean => document.querySelector('dialog[open], .menu') !== null;

/** Going through the queue, and deciding. A key that is held down decides once. */
export function reviewCommands(
  review: ReviewController,
  step: (by: 1 | -1) => void,
  begin: (verdict: Verdict) => void,
): Command[] {
  const section = say('window.review.title');
  const moving: Command[] = [
    { id: 'review.next', title: say('window.review.key_next'), section, keys: 'J', act: () => step(1) },
    { id: 'review.before', title: say('window.review.key_before'), section, keys: 'K', act: () => step(-1) },
  ];
  const deciding = (['approve', 'reject', 'revoke', 'endorse'] as const).map((verdict): Command => ({
    id: `review.${verdict}`,
    title: say(verdictWords[verdict]),
    section,
    keys: verdictKeys[verdict],
    when: () => review.item?.may.includes(verdict) ?? false,
    act: (event) => {
      if (!event?.repeat) begin(verdict);
    },
  }));
  return [...moving, ...deciding].map((command) => ({
    ...command,
    act: (event) => {
      if (event?.type !== 'keydown' || !covered()) command.act(event);
    },
  }));
}
