// What an answer waits for, until when, and what became of it. Pure.
import type { Word } from './api/backend';
import type { Answer, PlanCost, Standing } from './api/types';
import { formatAway, formatBytes, formatMoment, formatNumber, formatTook } from './format';
import { count, say, type Key } from './text';
import type { Problem, Stands } from './turn';

/** What an answer can wait for: a word about the result, a word before it runs, or a person who does it. */
export type Awaited = 'acceptance' | 'confirmation' | 'recommendation' | 'person';

const awaited: Record<string, Awaited> = {
  pending_acceptance: 'acceptance',
  needs_confirmation: 'confirmation',
  recommended: 'recommendation',
  human_only: 'person',
};

/** What a person can say here: a word about an answer, or that it is to be kept as an example. */
export type SettlingWord = Word | 'keep';

export interface Waiting {
  what: Awaited;
  /** What it waits for, or what became of it, in a sentence. */
  says: string;
  /** Until when a word counts, ISO 8601; null: without a limit, or there is nothing to wait for any more. */
  until: string | null;
  /** It still waits. */
  open: boolean;
  /** A word is on its way. */
  saying: boolean;
  problem: Problem | null;
  /** What would run, as it was read; empty where it has run. */
  reading: string;
  /** What it would take to run; null where it has run, or will not. */
  plan: PlanCost | null;
  /** The query that would run; empty where it has run. */
  query: string;
  /** The statement that would run; empty where it has run. */
  sql: string;
  reasons: string[];
  /** Whether it may be kept as an example of a right answer. */
  keep: 'no' | 'offered' | 'kept';
}

/** Says whether an answer was given out to wait for a word or for a person. */
export const waits = (answer: Answer): boolean => answer.status in awaited;

/** What an answer waits for; null when it waits for nothing. */
export function waitingOf(answer: Answer, stands: Stands): Waiting | null {
  const what = awaited[answer.status];
  if (!what) return null;
  const { now, saying, problem } = stands;
  const settled = now?.settled ?? '';
  const ran = what === 'acceptance';
  return {
    what,
    says: settled === '' ? sentence(what, answer) : became(settled, now?.how ?? ''),
    until: settled === '' ? (answer.acceptance?.deadline ?? null) : null,
    open: settled === '',
    saying,
    problem,
    reading: ran ? '' : (answer.understood?.reading ?? ''),
    plan: ran || what === 'person' || settled !== '' ? null : (answer.plan ?? null),
    query: ran ? '' : (answer.understood?.frame_ql ?? ''),
    sql: answer.sql,
    // What decided comes first; one reason can lead to several decisions, and is read once.
    reasons: [...new Set([...(answer.risk?.reasons ?? [])].reverse())],
    keep: now?.kept ? 'kept' : now?.may_be_golden ? 'offered' : 'no',
  };
}

function sentence(what: Awaited, answer: Answer): string {
  if (what !== 'person') return say(sentences[what]);
  return answer.escalation?.reason || say('window.waiting.person');
}

const sentences: Record<Exclude<Awaited, 'person'>, Key> = {
  acceptance: 'window.waiting.acceptance',
  confirmation: 'window.waiting.confirmation',
  recommendation: 'window.waiting.recommendation',
};

const ends: Record<string, Key> = {
  accepted: 'window.waiting.accepted',
  rejected: 'window.waiting.rejected',
  revised: 'window.waiting.revised',
  abandoned: 'window.waiting.abandoned',
  confirmed: 'window.waiting.confirmed',
  declined: 'window.waiting.declined',
  expired: 'window.waiting.expired',
  handled: 'window.waiting.handled',
  timed_out: 'window.waiting.timed_out',
  flagged: 'window.waiting.flagged',
};

const uses = ['export', 'copy', 'pin', 'share'];

// A happening that this page does not know is still an end.
function became(settled: string, how: string): string {
  if (settled === 'accepted' && uses.includes(how)) return say('window.waiting.used');
  return say(ends[settled] ?? 'window.waiting.settled');
}

/** Until when a word counts: the moment, and how far away it is. After it has passed, that it has. */
export function untilWords(until: string, now: Date, locale: string): string {
  const values = { moment: formatMoment(until, locale), away: formatAway(until, now, locale) };
  return say(new Date(until) > now ? 'window.waiting.until' : 'window.waiting.over', values);
}

/** What a run would take, in a line. */
export function planWords(plan: PlanCost, locale: string): string {
  const words = say('window.waiting.plan', {
    rows: count('window.frame.rows', plan.rows, { n: formatNumber(plan.rows, 0, locale) }),
    bytes: formatBytes(plan.bytes, locale),
    took: formatTook(plan.ms, locale),
  });
  return plan.basis === '' ? words : `${words} ${say('window.waiting.basis', { basis: plan.basis })}`;
}

/** Says whether using the result of an answer accepts it. Below level 4 that takes a word. */
export const acceptedByUse = (answer: Answer): boolean =>
  answer.status === 'completed' &&
  answer.acceptance !== null &&
  answer.acceptance !== undefined &&
  (answer.risk?.autonomy_level ?? 0) >= 4;

/** How an answer that needs no word is accepted, or was; empty when that is no question. */
export function acceptanceWords(answer: Answer, standing: Standing | null, locale: string): string {
  if (!acceptedByUse(answer)) return '';
  if (standing && standing.settled !== '') return became(standing.settled, standing.how);
  const deadline = answer.acceptance?.deadline;
  return deadline
    ? say('window.waiting.on_use', { moment: formatMoment(deadline, locale) })
    : say('window.waiting.on_use_only');
}
