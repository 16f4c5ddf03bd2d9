import type { Column, ReadSpan, Understood } from './api/types';
import { clausesOf, splitTop } from './clauses';
import { say } from './text';

export type Slot =
  | 'definition'
  | 'metric'
  | 'dimension'
  | 'columns'
  | 'rows'
  | 'filter'
  | 'period'
  | 'compare'
  | 'having'
  | 'top'
  | 'other'
  | 'per'
  | 'fill'
  | 'totals'
  | 'order'
  | 'limit'
  | 'option';

/** One part of how a question was read. `method` is the weakest way in which a word of the question filled it. */
export interface ReadingPart {
  slot: Slot;
  text: string;
  /** How the program names the part when it is changed; null: it cannot be. */
  part: string | null;
  method: 'exact' | 'fuzzy' | 'default' | 'query';
}

// The slots of the reader that speak for each part.
const slotsOf: Record<Slot, string[]> = {
  definition: [],
  metric: ['metric', 'aggregate'],
  dimension: ['dimension', 'grain', 'entity'],
  columns: ['dimension', 'entity'],
  rows: ['entity'],
  filter: ['filter', 'value'],
  period: ['time'],
  compare: ['compare'],
  having: ['comparison'],
  top: ['top'],
  other: ['top'],
  per: ['top'],
  fill: [],
  totals: [],
  order: ['top'],
  limit: ['top'],
  option: [],
};

/** How a question was read, as parts that a person can check one by one. */
export function readingParts(understood: Understood, columns: Column[]): ReadingPart[] {
  const clauses = clausesOf(understood.frame_ql);
  const spans = understood.spans ?? [];
  const parts: ReadingPart[] = [];
  const add = (slot: Slot, text: string, part: string | null = null) =>
    parts.push({ slot, text, part, method: methodOf(spans, slot, text) });

  for (const definition of splitTop(clauses.get('WITH') ?? '', ',')) add('definition', plain(definition));
  // What a comparison or a flag adds beside a number is said by the clause that asks for it.
  const metrics = columns.filter(
    (column) => column.role === 'metric' || (column.role === 'comparison' && !column.derived?.of),
  );
  for (const metric of metrics) add('metric', labelOf(metric), metric.name);
  // Without a frame the query says it: canonical text writes every dimension, and nothing else, with its entity.
  if (columns.length === 0)
    for (const item of splitTop(clauses.get('SELECT') ?? '', ','))
      add(/^[\w"]+\.[\w".]+$/.test(item) ? 'dimension' : 'metric', plain(item));

  const dimensions = columns.filter((column) => column.role === 'dimension');
  const grain = splitTop((clauses.get('AT') ?? '').replace(/^\((.*)\)$/, '$1'), ',');
  // An entity stands for its key; the first column of its own that is shown says it better.
  const grouped = grain.map(
    (item) =>
      dimensions.find((column) => shows(column, item)) ??
      dimensions.find((column) => column.dimension?.startsWith(`${item}.`)) ??
      plain(item).replaceAll('_', ' '),
  );
  if (clauses.has('AT')) {
    for (const [index, item] of grouped.entries())
      add('dimension', typeof item === 'string' ? item : labelOf(item), grain[index]);
    const others = dimensions.filter((column) => !grouped.includes(column));
    if (others.length > 0) add('columns', others.map(labelOf).join(', '), others[0]?.name);
  } else for (const dimension of dimensions) add('dimension', labelOf(dimension), dimension.name);

  const facts = clauses.get('FROM');
  if (facts) add('rows', plain(facts).replaceAll('_', ' '));
  for (const filter of splitTop(clauses.get('WHERE') ?? '', 'AND')) add('filter', plain(filter), filter);
  const during = clauses.get('DURING');
  if (during) add('period', plain(during), during);
  const compared = (clauses.get('COMPARE') ?? '').replace(/^TO\s+/, '');
  for (const comparand of splitTop(compared, ','))
    add('compare', plain(comparand.replace(/^DURING\s+/, '')), comparand);
  for (const condition of splitTop(clauses.get('HAVING') ?? '', 'AND')) add('having', plain(condition), condition);
  const top = clauses.get('TOP');
  if (top) for (const [slot, text] of topParts(top)) add(slot, plain(text), top);
  const fill = clauses.get('FILL');
  if (fill) add('fill', fill.toLowerCase(), fill);
  const totals = clauses.get('TOTALS');
  if (totals !== undefined) add('totals', plain(totals.replace(/^BY\s+/, '')) || say('window.reading.all'), 'TOTALS');
  for (const key of splitTop((clauses.get('ORDER') ?? '').replace(/^BY\s+/, ''), ',')) add('order', plain(key), key);
  const limit = clauses.get('LIMIT');
  if (limit) add('limit', plain(limit), limit);
  for (const option of splitTop((clauses.get('OPTIONS') ?? '').replace(/^\((.*)\)$/s, '$1'), ','))
    add('option', plain(option), option.split('=')[0]?.trim());
  return parts;
}

// "5 category BY revenue PER year WITH OTHER" is a choice, its groups, and a row for the rest.
function topParts(top: string): [Slot, string][] {
  const rest = / WITH OTHER$/.test(top);
  const [choice = '', per] = top.replace(/ WITH OTHER$/, '').split(/ PER (?=[^']*$)/);
  return [
    ['top', choice],
    ...(per ? [['per', per] as [Slot, string]] : []),
    ...(rest ? [['other', say('window.reading.rest')] as [Slot, string]] : []),
  ];
}

/** The name of a column as a person reads it. */
export const labelOf = (column: Column): string => column.label || column.name.replaceAll('_', ' ');

// Says whether a column shows the thing that an item of AT names: "category", "customers.city", "order_date.month".
function shows(column: Column, item: string): boolean {
  const name = item.replaceAll('"', '');
  const full = (column.dimension ?? '') + (column.grain ? `.${column.grain}` : '');
  return (
    column.name === name || column.name === name.replaceAll('.', '_') || full === name || full.endsWith(`.${name}`)
  );
}

// Canonical text without what only a machine needs: quotes around values.
const plain = (text: string): string =>
  text.replace(/'((?:[^']|'')*)'/g, (_, inner: string) => inner.replaceAll("''", "'"));

function methodOf(spans: ReadSpan[], slot: Slot, text: string): ReadingPart['method'] {
  if (spans.length === 0) return 'query';
  const words = text.toLowerCase();
  const speaking = spans.filter((span) => slotsOf[slot].includes(span.slot));
  const named = speaking.filter((span) => near(span, words));
  const methods = (named.length > 0 ? named : speaking.length === 1 ? speaking : []).map((span) => span.method);
  if (methods.includes('default')) return 'default';
  if (methods.includes('fuzzy')) return 'fuzzy';
  return 'exact';
}

const near = (span: ReadSpan, words: string): boolean => {
  const target = span.target.toLowerCase().replaceAll('_', ' ').replaceAll("'", '');
  return target !== '' && (words.replaceAll('_', ' ').includes(target) || target.includes(words.replaceAll('_', ' ')));
};
