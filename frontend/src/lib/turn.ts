import type { Answer, Narration, Standing, Step, Taught, Turn } from './api/types';
import type { Elsewhere, Fact, View } from './api/types';
import { madeOf, type Made } from './artifacts';
import { factsOf } from './facts';
import { noOpinion, type OpinionState } from './feedback';
import { viewOf } from './chart/view';
import { say } from './text';

/** What went wrong, for a person. */
export interface Problem {
  code: string;
  message: string;
  hint: string;
  /** The part of the input that is meant: values.1; absent or empty: no single one. */
  field?: string;
}

/** How far a turn has come. `interrupted`: the program ended before the answer; `open`: it runs somewhere else. */
export type TurnState = 'running' | 'done' | 'failed' | 'stopped' | 'interrupted' | 'open';

/** What a person says beside a question: what is at stake, and whether to be asked before it runs. */
export interface Stakes {
  criticality?: 'low' | 'high';
  asking?: 'first' | 'never';
}

/** What each of them is called. */
export const stakesWords = {
  low: 'window.stakes.low',
  high: 'window.stakes.high',
  first: 'window.stakes.first',
  never: 'window.stakes.never',
} as const;

/** What was asked, so that it can be asked again. */
export interface Asked extends Stakes {
  question?: string;
  frame_ql?: string;
  /** The answer whose query that was made from by hand. */
  edited_from?: string;
  sql?: string;
  explain?: boolean;
  /** Who thinks; absent: as the settings say. */
  mind?: string;
}

/** How the request of a turn stands, as far as the page has asked, and the word about it that is under way. */
export interface Stands {
  /** Null until it was asked for: then the answer says how it stood. */
  now: Standing | null;
  /** A word is on its way to the program. */
  saying: boolean;
  /** Why the last word was not taken. */
  problem: Problem | null;
}

/** How a turn stands of which only its answer is known. */
export const asAnswered: Stands = { now: null, saying: false, problem: null };

/** One question with what has come of it so far. */
export interface TurnView {
  key: string;
  /** Of its place in the dialogue, from 1. */
  number: number;
  /** What the versions of one turn share. */
  place: string;
  /** Of these versions it stands in the dialogue. */
  chosen: boolean;
  /** The name that the program gave it; empty until it is known. */
  requestId: string;
  asked: Asked;
  question: string;
  at: string;
  state: TurnState;
  steps: Step[];
  /** What holds of the words that a model is writing; null: none is. */
  draft: Narration | null;
  answer: Answer | null;
  problem: Problem | null;
  /** What the provenance artifact says beyond the answer; null until it is asked for. */
  facts: Fact[] | null;
  stands: Stands;
  /** What the person says of the answer. */
  opinion: OpinionState;
  /** What the words of the opinion taught; null: nothing, or the answer itself says it. */
  learned: Taught | null;
  /** How the person looks at the answer; null: as the program shows it. */
  view: View | null;
  /** The artifacts that the answer does not hold itself. */
  made: Made[];
  /** When it was put away with the conversation that it is of; empty: it stands. */
  away: string;
  /** The file that it came with: nobody verified it since; absent: it was asked here. */
  elsewhere?: Elsewhere | undefined;
}

/** Makes a turn of what a stored session says. One whose parts can't be read says so and keeps its question. */
export function readTurn(turn: Turn, position: number): TurnView {
  try {
    return storedTurn(turn, position);
  } catch {
    const problem = { code: 'invalid', message: say('window.broken.stored'), hint: say('window.broken.stored_hint') };
    const bare = { ...turn, trace: [], artifacts: [], answer: null, feedback: null };
    return { ...storedTurn(bare, position), state: 'failed', problem };
  }
}

/** Makes a turn of what a stored session says. */
export function storedTurn(turn: Turn, position: number): TurnView {
  const answer = isAnswer(turn.answer) ? turn.answer : null;
  return {
    key: turn.request_id,
    place: String(turn.place),
    chosen: turn.chosen,
    requestId: turn.request_id,
    number: position + 1,
    asked: askedBy(turn),
    question: turn.question,
    at: turn.asked,
    state: storedState(turn.outcome, answer),
    steps: turn.trace,
    draft: null,
    answer,
    problem: turn.fault && turn.outcome === 'failed' ? turn.fault : null,
    facts: factsOf(turn),
    stands: asAnswered,
    opinion: { ...noOpinion, now: turn.feedback },
    learned: null,
    view: viewOf(turn),
    made: madeOf(turn.artifacts),
    away: turn.archived ?? '',
    elsewhere: turn.elsewhere,
  };
}

// Only a statement that a person wrote goes by the gate's own step.
function askedBy(turn: Turn): Asked {
  if (turn.trace.some((step) => step.name === 'gate')) return { sql: turn.question };
  if (turn.worded) return { question: turn.question, frame_ql: turn.frame_ql };
  return turn.frame_ql !== '' && turn.frame_ql === turn.question
    ? { frame_ql: turn.question }
    : { question: turn.question };
}

function storedState(outcome: string, answer: Answer | null): TurnState {
  if (answer) return 'done';
  if (outcome === '') return 'open';
  if (outcome === 'canceled') return 'stopped';
  if (outcome === 'failed') return 'failed';
  return 'interrupted';
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && 'outcome' in value && 'request_id' in value;

/** Puts a step among those known: a later word on the same step replaces the earlier one. */
export function withStep(steps: Step[], step: Step): Step[] {
  const index = steps.findLastIndex((known) => known.name === step.name && known.status === 'started');
  return index < 0 ? [...steps, step] : steps.with(index, step);
}

const worthKeeping = new Set(['interpret', 'resolve', 'plan', 'execute']);

/** The steps that tell a person something: while it runs all of them; afterwards what failed, and the main ones that took time. */
export function tellingSteps(steps: Step[], running: boolean): Step[] {
  if (!running)
    return steps.filter((step) => step.status === 'failed' || (worthKeeping.has(step.name) && step.took_ms >= 1));
  const last = steps.at(-1);
  return steps.filter((step) => step.status !== 'started' || step === last);
}

/** The narration of an answer, when there is one with text. */
export const narrationOf = (answer: Answer): Narration | null =>
  answer.narration && answer.narration.text !== '' ? answer.narration : null;

/** Words that were meant to teach, and taught nothing: they say why. */
export const notTaught = (taught: Taught): boolean => !taught.correction && !taught.preference;
