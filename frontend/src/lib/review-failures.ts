import { asFault, Fault } from './api/fault';
import { say, type Key } from './text';
import type { Problem } from './turn';

/** What was tried with a piece. */
export type What = 'decision' | 'file' | 'reach' | 'judgment' | 'description' | 'forgetting';

/** What is said where nothing else is known. */
export const failures: Record<What, Key> = {
  decision: 'window.review.not_decided',
  file: 'window.review.not_written',
  reach: 'window.review.not_directed',
  judgment: 'window.review.not_judged',
  description: 'window.review.not_described',
  forgetting: 'window.review.not_forgotten',
};

/** Why something could not be done with a piece of shared knowledge. */
export function problemOf(thrown: unknown, failed: Key): Problem {
  const { code, message, hint } = asFault(thrown, new Fault('internal', say(failed), say('window.review.failed_hint')));
  return { code, message, hint };
}
