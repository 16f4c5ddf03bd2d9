// Every kind of artifact in its states, as the page makes cards and blocks of them.
import type { Desk } from '$components/artifacts/desk';
import type { Answer, Chart, Clarification, Frame, Narration, Refusal, View } from '$lib/api/types';
import type { Made } from '$lib/artifacts';
import { cardsOf, type InlineBlock, type Result } from '$lib/blocks';
import { linear } from '$lib/simulation';
import { storedTurn } from '$lib/turn';
import * as bodies from './bodies';
import { answerOf, arabic, byCountry, chartOf, column, daily, emoji, frameOf, hebrew, lines, long, month, named, number, points } from './frames'; // prettier-ignore

export interface Specimen {
  kind: string;
  state: string;
  card?: Result;
  block?: InlineBlock;
  desk?: Partial<Desk>;
}

function cardsFor(question: string, part: Partial<Answer>, made: Made[] = [], view: View | null = null): Result[] {
  const answer = answerOf(question, part);
  const turn = storedTurn(
    { index: 1, place: 1, chosen: true, request_id: answer.request_id, question, asked: '2026-01-15T12:00:00Z', outcome: 'answer', status: 'completed', frame_ql: '', answer, fault: null, artifacts: [], trace: [], feedback: null, given: null, made_by: null, holding: null },
    0,
  ); // prettier-ignore
  return cardsOf([{ ...turn, made, view }]);
}

function framed(kind: string, state: string, frame: Frame, chart: Partial<Chart> | null, view: View | null = null, part: Partial<Answer> = {}): Specimen {
  const answer = { frame, chart: chart ? chartOf(frame, chart) : null, understood: { reading: state === 'names' ? long : `${kind}, ${state}` } as Answer['understood'], ...part };
  return { kind, state, card: cardsFor(`${kind} ${state}`, answer, [], view)[0] };
} // prettier-ignore

const made = (one: Made, state: string, desk?: Partial<Desk>): Specimen => ({
  kind: one.kind,
  state,
  card: cardsFor(`${one.kind} ${state}`, {}, [one])[0],
  desk,
});

// A body that is not what its kind says it is.
const broken = (kind: string): Specimen =>
  made({ id: `${kind}-broken`, kind, title: `A broken ${kind}`, body: 'no body' } as unknown as Made, 'error');

const each = <Body>(kind: string, all: Record<string, Body>, desk: (state: string) => Partial<Desk> | undefined = () => undefined) =>
  Object.entries(all).map(([state, body]) =>
    made({ id: `${kind}-${state}`, kind, title: state === 'names' ? `${emoji} ${long}` : `${kind.replaceAll('_', ' ')}: ${state}`, body } as unknown as Made, state, desk(state)),
  ); // prettier-ignore

const programs: Record<string, Partial<Desk>> = {
  'by the program': { recompute: async (simulation, levers) => linear(simulation, levers) },
  'by a program that fails': { recompute: () => Promise.reject(new Error('The program could not be reached.')) },
};

const names = [long, arabic, hebrew, emoji, 'ok'];
const compared = () =>
  frameOf(
    [month, number('Revenue'), number('Revenue before', { role: 'comparison', derived: { of: 'Revenue', how: 'previous', with: '' } })],
    [['1997-01-01', 61258.07, 51000], ['1997-02-01', 38483.63, 40210.5], ['1997-03-01', 38547.22, 36100], ['1997-04-01', 53032.95, 49000]],
  ); // prettier-ignore

const narration = (text: string): Narration => ({ text, by: 'template', citations: [{ start: 0, end: 7, frame: 'f', row: 0, column: 'Revenue' }] }); // prettier-ignore
const block = (kind: InlineBlock['kind'], state: string, one: InlineBlock): Specimen => ({ kind, state, block: one });

const clarification = (question: string, labels: string[]): Clarification =>
  ({ question, best_guess: choice(labels[0] ?? ''), options: labels.slice(1).map(choice) }) as unknown as Clarification;
const choice = (label: string) => ({ label, frame_ql: `SELECT revenue WHERE x = "${label.slice(0, 12)}"`, reading: label, would_return: null }); // prettier-ignore

const refusal = (message: string, labels: string[]): Refusal =>
  ({ code: 'NO_PATH', message, all: [], repairs: labels.map((label) => ({ label, frame_ql: `SELECT revenue AT ${label.slice(0, 40)}` })) }) as unknown as Refusal; // prettier-ignore

export const specimens = (): Specimen[] =>
  [
    framed('frame', 'usual', byCountry(), null, { show: 'table' }),
    framed('frame', 'names', named(names, long), null, { show: 'table' }),
    framed('frame', 'empty', frameOf([column('Country'), number('Revenue')], []), null),
    framed('frame', 'truncated', { ...byCountry(), row_count: 8, truncated: { cap: 8, total_rows: 1048576 } as Frame['truncated'] }, null, { show: 'table' }),
    framed('frame', 'contradicted', byCountry(), null, { show: 'table' }, { verification: { level: 'contradicted', checks: [], population: null } as unknown as Answer['verification'] }),
    framed('chart', 'bars', byCountry(), { type: 'bar', x: 'Country', y: ['Revenue'] }),
    framed('chart', 'names', named(names, 'Name'), { type: 'bar', x: 'Name', y: ['Name (sum)'] }),
    framed('chart', 'names as slices', named(names, emoji), { type: 'pie', x: emoji, y: [`${emoji} (sum)`] }),
    framed('chart', 'names upright', named(names, arabic), { type: 'line', x: arabic, y: [`${arabic} (sum)`] }),
    framed('chart', 'names as colors', frameOf([month, column(long), number(arabic)], names.flatMap((name, of) => ['1997-01-01', '1997-02-01', '1997-03-01'].map((at, i) => [at, name, of * 100 + i * 40]))), { type: 'line', x: 'Month', y: [arabic], color: long }),
    framed('chart', 'names as a heat map', frameOf([column(long), column(emoji), number('N')], names.flatMap((a, i) => names.map((b, j) => [a, b, i * j]))), { type: 'heatmap', x: long, y: [emoji], color: 'N' }),
    framed('chart', 'many lines', lines(21), { type: 'line', x: 'Month', y: ['Revenue'], color: 'Country' }),
    framed('chart', 'very many lines', lines(150), { type: 'line', x: 'Month', y: ['Revenue'], color: 'Country' }),
    framed('chart', '100,000 points', points(100_000), { type: 'scatter', x: 'Amount', y: ['Freight'] }),
    framed('chart', '100,000 moments', daily(100_000), { type: 'line', x: 'Moment', y: ['Load'] }),
    framed('chart', 'number', compared(), { type: 'line', x: 'Month', y: ['Revenue'] }, { show: 'number' }),
    framed('chart', 'comparison', compared(), { type: 'line', x: 'Month', y: ['Revenue'] }, { show: 'comparison' }),
    block('narration', 'usual', { kind: 'narration', narration: narration('267,868 USD came from beverages, more than from any other category.'), title: '', level: 'AA' }),
    block('narration', 'names', { kind: 'narration', narration: narration(`267,868 ${arabic} ${long}`), title: '', level: 'none' }),
    block('clarification', 'usual', { kind: 'clarification', clarification: clarification('Which revenue do you mean?', ['Net revenue', 'Gross revenue', 'Invoiced revenue']) }),
    block('clarification', 'names', { kind: 'clarification', clarification: clarification(long, [long, arabic, emoji]) }),
    block('refusal', 'usual', { kind: 'refusal', refusal: refusal('Freight is not known by product: an order has one freight and many products.', ['customer', 'month']) }),
    block('refusal', 'names', { kind: 'refusal', refusal: refusal(long, [arabic, long]) }),
    block('followups', 'usual', { kind: 'followups', followups: [{ title: 'by month', question: 'revenue by month' }, { title: 'the year before', question: 'revenue in 1996' }] }),
    block('followups', 'names', { kind: 'followups', followups: names.map((name) => ({ title: name, question: name })) }),
    ...each('comparison', bodies.comparisons),
    broken('comparison'),
    ...each('simulation', bodies.simulations, (state) => programs[state]),
    broken('simulation'),
    ...each('structure', bodies.structures),
    broken('structure'),
    ...each('qm_card', bodies.qmCards),
    broken('qm_card'),
    ...each('driver_analysis', bodies.driverAnalyses),
    broken('driver_analysis'),
    ...each('recommendation', bodies.recommendations),
    broken('recommendation'),
    made({ id: 'u', kind: 'unknown', title: 'From a newer version', named: 'hologram' }, 'usual'),
  ]; // prettier-ignore
