// The reasons that can be given for a thumb, in the order in which they are offered. Pure.
import type { Feedback } from './api/types';
import { say, type Key } from './text';
import type { Problem } from './turn';

export type Thumb = Feedback['thumb'];

/** What a person says of an answer, and how that is under way. */
export interface OpinionState {
  /** Null: nothing was said. */
  now: Feedback | null;
  saying: boolean;
  /** Why the last one was not kept. */
  problem: Problem | null;
}

export const noOpinion: OpinionState = { now: null, saying: false, problem: null };

const words: Record<Thumb, readonly (readonly [string, Key])[]> = {
  up: [
    ['right', 'window.feedback.right'],
    ['clear', 'window.feedback.clear'],
    ['useful', 'window.feedback.useful'],
    ['other', 'window.feedback.other'],
  ],
  down: [
    ['wrong', 'window.feedback.wrong'],
    ['misread', 'window.feedback.misread'],
    ['incomplete', 'window.feedback.incomplete'],
    ['unclear', 'window.feedback.unclear'],
    ['slow', 'window.feedback.slow'],
    ['other', 'window.feedback.other'],
  ],
};

export const reasonsFor = (thumb: Thumb): { reason: string; label: string }[] =>
  words[thumb].map(([reason, key]) => ({ reason, label: say(key) }));

/** What was said, in a line. */
export function opinionWords(said: Feedback): string {
  const label = reasonsFor(said.thumb).find(({ reason }) => reason === said.reason)?.label;
  const parts = [label ?? say(said.thumb === 'up' ? 'window.feedback.up_said' : 'window.feedback.down_said')];
  if (said.serious) parts.push(say('window.feedback.serious_said'));
  if (said.words !== '') parts.push(say('window.feedback.quoted', { words: said.words }));
  return parts.join(' · ');
}
