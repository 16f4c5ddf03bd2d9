import { describe, expect, it } from 'vitest';
import { blocksOf, cardsOf, isInline } from '$lib/blocks';
import { storedTurn, tellingSteps, withStep, type TurnView } from '$lib/turn';
import { answers, step, storedTurn as turn } from './fixtures';

const view = (part: Parameters<typeof turn>[0]): TurnView => storedTurn(turn(part), 0);
const kinds = (shown: TurnView) => blocksOf(shown).map((block) => block.kind);

describe('blocksOf', () => {
  it('shows narration, reading, steps and follow-ups of an answer', () => {
    const shown = view({ answer: answers.category, trace: answers.category.trace });
    expect(kinds(shown)).toEqual(['narration', 'reading', 'steps', 'followups']);
    expect(blocksOf(shown).filter(isInline)).toHaveLength(2);
  });

  it('shows a question back and a refusal without a reading', () => {
    expect(kinds(view({ answer: answers.clarify, outcome: 'clarify' }))).toEqual(['clarification']);
    expect(kinds(view({ answer: answers.refuse, outcome: 'refuse' }))).toEqual(['refusal']);
  });

  it('tells how a turn without an answer stands', () => {
    const state = (outcome: string) => view({ outcome }).state;
    expect(['', 'interrupted', 'canceled', 'failed'].map(state)).toEqual(['open', 'interrupted', 'stopped', 'failed']);
    expect(kinds(view({ outcome: 'interrupted' }))).toEqual(['halted']);
    const fault = { code: 'limit', message: 'It took too long.', hint: '' };
    expect(kinds(view({ outcome: 'failed', fault }))).toEqual(['problem']);
  });

  it('says what left the machine where a model was asked and there is no answer', () => {
    const trace = [{ ...step('execute', 'done', 1), facts: { sent_requests: 2 } }];
    expect(kinds(view({ outcome: 'canceled', trace }))).toContain('words_sent');
    expect(kinds(view({ outcome: 'failed', trace: [step('think', 'failed', 1)] }))).toContain('words_sent');
    expect(kinds(view({ outcome: 'canceled', trace: [step('execute', 'done', 1)] }))).not.toContain('words_sent');
    expect(kinds(view({ answer: answers.category, trace }))).not.toContain('words_sent');
  });

  it('shows the steps of a run from its first moment', () => {
    const running: TurnView = { ...view({}), state: 'running', steps: [] };
    expect(kinds(running)).toEqual(['steps']);
  });

  it('shows what would be before what is', () => {
    const supposed = 'Simulated, not observed: revenue would be 2.';
    const answer = { ...answers.category, supposed };
    expect(blocksOf(view({ answer }))[0]).toEqual({ kind: 'supposed', words: supposed });
    expect(kinds(view({ answer })).slice(0, 2)).toEqual(['supposed', 'narration']);
    const body = { type: 'filter', title: 'what would be' };
    const artifacts = [{ id: 'a', kind: 'simulation' as const, turn: 1, title: '', body, created: '' }];
    expect(cardsOf([view({ answer, artifacts })]).map(({ kind }) => kind)).toEqual(['simulation', 'frame']);
    const asked = { ...answer, supposed: '' };
    expect(cardsOf([view({ answer: asked, artifacts })]).map(({ kind }) => kind)).toEqual(['frame', 'simulation']);
  });

  it('shows what a model is writing until the answer is there', () => {
    const draft = { text: 'Revenue by category. ', by: 'model' as const, model: 'm', citations: [] };
    expect(kinds({ ...view({}), state: 'running', draft })).toEqual(['draft', 'steps']);
    expect(kinds({ ...view({ answer: answers.category }), draft })).not.toContain('draft');
    expect(blocksOf({ ...view({}), state: 'running', draft }, { narration: false, followups: true })).toHaveLength(1);
  });
});

describe('steps', () => {
  it('lets the end of a step take the place of its beginning', () => {
    let steps = withStep([], step('interpret', 'started'));
    steps = withStep(steps, step('interpret', 'done', 6));
    steps = withStep(steps, step('execute', 'started'));
    expect(steps.map(({ name, status }) => `${name} ${status}`)).toEqual(['interpret done', 'execute started']);
  });

  it('keeps afterwards what took time, failed or has something to say', () => {
    const steps = [
      step('intake', 'done', 2),
      step('interpret', 'done', 6),
      step('plan', 'failed'),
      step('execute', 'done', 4, '8 rows'),
    ];
    expect(tellingSteps(steps, false).map(({ name }) => name)).toEqual(['interpret', 'plan', 'execute']);
    expect(tellingSteps(steps, true)).toHaveLength(4);
  });
});

describe('cardsOf', () => {
  it('puts the newest first and leaves out turns without a frame', () => {
    const turns = [
      view({ answer: answers.category }),
      view({ answer: answers.refuse, request_id: 'r2' }),
      view({ answer: { ...answers.orders, chart: { ...answers.category.chart!, type: 'none' } }, request_id: 'r3' }),
    ];
    const cards = cardsOf(turns);
    expect(cards.map((card) => card.key)).toEqual(['r3', 'r1']);
    expect(cards.map((card) => card.kind === 'frame' && card.chart?.type)).toEqual([undefined, 'bar']);
    expect(cards[1]?.title).toBe('Revenue by category, 1997');
  });

  it('carries what the provenance artifact says', () => {
    const body = {
      facts: [
        { code: 'definitions', label: 'Definitions', text: '', lines: [{ label: 'Revenue', text: 'x', status: '' }] },
        { code: 'gotchas', label: 'Traps', text: '', lines: [] },
      ],
    };
    const artifacts = [{ id: 'a', kind: 'provenance' as const, turn: 1, title: '', body, created: '' }];
    const [card] = cardsOf([view({ answer: answers.category, artifacts })]);
    expect(card?.kind === 'frame' && card.facts.map((fact) => fact.code)).toEqual(['definitions']);
  });

  it('shows an explanation in place of a frame', () => {
    const { understood } = answers.category;
    const answer = {
      ...answers.category,
      understood,
      frame: null,
      chart: null,
      explanation: answers.explained.explanation,
    };
    const [card] = cardsOf([view({ answer })]);
    expect(card).toMatchObject({ kind: 'explanation', explanation: { dialect: 'duckdb' } });
  });
});

it('asks a query again as a query', () => {
  expect(view({ question: 'SELECT revenue AT ()', frame_ql: 'SELECT revenue AT ()' }).asked).toEqual({
    frame_ql: 'SELECT revenue AT ()',
  });
  expect(view({ question: 'total revenue', frame_ql: 'SELECT revenue AT ()' }).asked).toEqual({
    question: 'total revenue',
  });
});
