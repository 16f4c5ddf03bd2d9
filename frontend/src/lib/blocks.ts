// From a turn to what is shown of it: blocks in the dialogue, cards among the artifacts. Pure, so that a live turn and
// one read from a session look the same.
import type {
  Answer,
  Chart,
  Clarification,
  Explanation,
  Followup,
  Frame,
  Narration,
  Part,
  Refusal,
  Standing,
  Step,
  Understood,
} from './api/types';
import type { Fact, View } from './api/types';
import { recommendationOf, type Bodies, type BodyKind } from './artifacts';
import { readingParts, type ReadingPart } from './reading';
import { waitingOf, waits, type Waiting } from './waiting';
import { narrationOf, tellingSteps, type Problem, type TurnView } from './turn';

/** What is an artifact of the session and stands in the dialogue. */
export type InlineBlock =
  /** Without a narration the title stands in its place. */
  | { kind: 'narration'; narration: Narration | null; title: string; level: string }
  | { kind: 'clarification'; clarification: Clarification }
  | { kind: 'refusal'; refusal: Refusal }
  | { kind: 'followups'; followups: Followup[] }
  /** What left the machine for a question that came to no frame, whose card would say it. */
  | { kind: 'sent'; turn: string; answer: Answer; facts: Fact[] }
  /** What left it for a question that came to no answer at all. */
  | { kind: 'words_sent'; requestId: string };

/** What the dialogue says about the run itself. */
export type RunBlock =
  | { kind: 'steps'; steps: Step[]; running: boolean }
  /** A model is writing; what is shown of it holds. */
  | { kind: 'draft'; narration: Narration }
  /** What would be: nobody observed it. */
  | { kind: 'supposed'; words: string }
  | {
      kind: 'reading';
      parts: ReadingPart[];
      assumptions: string[];
      unread: string[];
      /** What was taken over from the turn before, each with the query that leaves it out. */
      carried: Part[];
      /** What was there before and is not here, each with the query that takes it back. */
      dropped: Part[];
    }
  /** The answer waits for a word or a person, or did. */
  | { kind: 'waiting'; waiting: Waiting }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'halted'; state: 'stopped' | 'interrupted' | 'open' };

export type Block = InlineBlock | RunBlock;

const inlineKinds: Block['kind'][] = ['narration', 'clarification', 'refusal', 'followups', 'sent', 'words_sent'];

/** Says whether a block is an artifact, which has a renderer of its own. */
export const isInline = (block: Block): block is InlineBlock => inlineKinds.includes(block.kind);

/** What a person wants to see beside the answers themselves. */
export interface Shown {
  narration: boolean;
  followups: boolean;
}

const everything: Shown = { narration: true, followups: true };

/** The blocks of a turn under its question, in reading order. */
export function blocksOf(turn: TurnView, shown: Shown = everything): Block[] {
  const blocks: Block[] = [];
  const { answer } = turn;
  if (turn.problem) blocks.push({ kind: 'problem', problem: turn.problem });
  if (answer) blocks.push(...answerBlocks(answer, shown));
  if (answer && !answer.frame && (answer.sent ?? []).length > 0)
    blocks.push({ kind: 'sent', turn: turn.key, answer, facts: turn.facts ?? [] });
  const waiting = answer && waitingOf(answer, turn.stands);
  if (waiting) blocks.push({ kind: 'waiting', waiting });
  if (turn.state === 'stopped' || turn.state === 'interrupted' || turn.state === 'open') {
    blocks.push({ kind: 'halted', state: turn.state });
  }
  const running = turn.state === 'running';
  if (!answer && !running && turn.requestId !== '' && askedModel(turn.steps))
    blocks.push({ kind: 'words_sent', requestId: turn.requestId });
  if (running && turn.draft && shown.narration) blocks.push({ kind: 'draft', narration: turn.draft });
  const steps = tellingSteps(turn.steps, running);
  if (steps.length > 0 || running) {
    blocks.push({ kind: 'steps', steps, running });
  }
  const followups = (shown.followups && answer?.followups) || [];
  if (followups.length > 0) blocks.push({ kind: 'followups', followups });
  return blocks;
}

// A stored turn says how many requests went elsewhere; one that was just stopped says only how far it came: these steps may ask a model.
const askedModel = (steps: Step[]): boolean =>
  steps.some(({ name, facts }) => name === 'think' || name === 'narrate' || Number(facts?.sent_requests ?? 0) > 0);

function answerBlocks(answer: Answer, shown: Shown): Block[] {
  const blocks: Block[] = [];
  const { understood } = answer;
  // A session from before has no such sentence.
  if (answer.supposed) blocks.push({ kind: 'supposed', words: answer.supposed });
  const narration = narrationOf(answer);
  if (narration) {
    const title = understood?.reading ?? '';
    const level = answer.verification?.level ?? '';
    if (shown.narration || title === '') blocks.push({ kind: 'narration', narration, title, level });
    else blocks.push({ kind: 'narration', narration: null, title, level });
  }
  if (answer.clarification) blocks.push({ kind: 'clarification', clarification: answer.clarification });
  if (answer.refusal) blocks.push({ kind: 'refusal', refusal: answer.refusal });
  // A question back and a refusal say themselves what was not understood.
  if (understood && !answer.clarification && !answer.refusal) {
    const block = readingBlock(understood, answer);
    if (block) blocks.push(block);
  }
  return blocks;
}

function readingBlock(understood: Understood, answer: Answer): Block | null {
  // What has not run names no columns; it is read as a whole where it says what it waits for.
  const whole = understood.frame_ql === '' || (waits(answer) && !answer.frame && understood.reading !== '');
  const parts = whole ? [] : readingParts(understood, answer.frame?.columns ?? []);
  const assumptions = understood.assumptions ?? [];
  const unread = understood.unread ?? [];
  const carried = understood.carried ?? [];
  const dropped = understood.dropped ?? [];
  if (parts.length + assumptions.length + unread.length + carried.length + dropped.length === 0) return null;
  return { kind: 'reading', parts, assumptions, unread, carried, dropped };
}

/** What a turn puts among the artifacts. */
export type Result = ResultCard | ExplainedCard | MadeCard | UnknownCard;

interface TurnCard {
  key: string;
  /** The key of its turn. */
  turn: string;
  /** What the versions of its turn share. */
  place: string;
  number: number;
  title: string;
  at: string;
  answer: Answer;
  /** How its request stands now, when that was asked for. */
  standing: Standing | null;
}

/** How a query would be computed: nothing was run. */
export interface ExplainedCard extends TurnCard {
  kind: 'explanation';
  explanation: Explanation;
}

/** A frame with its provenance, and a chart of it. */
export interface ResultCard extends TurnCard {
  kind: 'frame';
  frame: Frame;
  chart: Chart | null;
  /** How the person looks at it, as it was kept; null: as the program shows it. */
  view: View | null;
  /** What the provenance artifact says beyond the answer. */
  facts: Fact[];
}

/** An artifact that is a card by itself. */
export type CardOf<K extends BodyKind> = TurnCard & { kind: K; body: Bodies[K] };
export type MadeCard = { [K in BodyKind]: CardOf<K> }[BodyKind];

/** An artifact that this version has no renderer for. */
export interface UnknownCard extends TurnCard {
  kind: 'unknown';
  named: string;
}

/**
 * The cards of all turns, newest first; those of one turn in the order in which they were made. A turn whose answer can't be read has
 * none: its place in the dialogue says so.
 */
export function cardsOf(turns: TurnView[]): Result[] {
  return [...turns].reverse().flatMap((turn) => {
    try {
      return cardsOfTurn(turn);
    } catch {
      return [];
    }
  });
}

function cardsOfTurn(turn: TurnView): Result[] {
  const { answer } = turn;
  if (!answer) return [];
  const title = answer.understood?.reading || turn.question;
  const card: TurnCard = {
    key: turn.key,
    turn: turn.key,
    place: turn.place,
    number: turn.number,
    title,
    at: turn.at,
    answer,
    standing: turn.stands.now,
  };
  const made = turn.made.map(
    ({ id, title: named, ...rest }) => ({ ...card, ...rest, key: id, title: named || title }) as MadeCard | UnknownCard,
  );
  // Who asks what would be sees that first.
  const first = made.filter(({ kind }) => answer.supposed && kind === 'simulation');
  const cards: Result[] = [...first];
  if (answer.explanation) cards.push({ ...card, kind: 'explanation', explanation: answer.explanation });
  else if (answer.frame) cards.push({ ...card, ...framed(answer, answer.frame, turn) });
  const recommendation = recommendationOf(answer);
  const sent = turn.made.some(({ kind }) => kind === 'recommendation');
  if (recommendation && !sent)
    cards.push({ ...card, key: `${turn.key}-recommendation`, kind: 'recommendation', body: recommendation });
  return [...cards, ...made.filter((one) => !first.includes(one))];
}

const framed = (answer: Answer, frame: Frame, turn: TurnView) => ({
  kind: 'frame' as const,
  frame,
  chart: answer.chart && answer.chart.type !== 'none' ? answer.chart : null,
  view: turn.view,
  facts: turn.facts ?? [],
});
