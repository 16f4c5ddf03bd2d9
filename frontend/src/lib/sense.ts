/** Which direction of a number is good. */
export type Better = 'up' | 'down' | 'none';

/** What a change means: colour goes by it, beside a sign. */
export type Sense = 'good' | 'bad' | 'even';

/** What a change of a number means. */
export const senseOf = (change: number, better: Better): Sense =>
  change === 0 || better === 'none' ? 'even' : change > 0 === (better === 'up') ? 'good' : 'bad';
