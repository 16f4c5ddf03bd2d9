import type { Column, ReadSpan, Understood } from './api/types';
import { clausesOf, splitTop } from './clauses';

export type Slot = 'metric' | 'dimension' | 'columns' | 'filter' | 'period' | 'having' | 'top' | 'limit';

/** One part of how a question was read. `method` is the weakest way in which a word of the question filled it. */
export interface ReadingPart {
  slot: Slot;
  text: string;
  method: 'exact' | 'fuzzy' | 'default' | 'query';
}

// The slots of the reader that speak for each part.
const slotsOf: Record<Slot, string[]> = {
  metric: ['metric', 'aggregate'],
  dimension: ['dimension', 'grain', 'entity'],
  columns: ['dimension', 'entity'],
  filter: ['filter', 'value'],
  period: ['time'],
  having: ['comparison'],
  top: ['top'],
  limit: ['top'],
};

/** How a question was read, as parts that a person can check one by one. */
export function readingParts(understood: Understood, columns: Column[]): ReadingPart[] {
  const clauses = clausesOf(understood.frame_ql);
  const spans = understood.spans ?? [];
  const parts: ReadingPart[] = [];
  const add = (slot: Slot, text: string) => parts.push({ slot, text, method: methodOf(spans, slot, text) });

  const metrics = columns.filter((column) => column.role !== 'dimension');
  for (const metric of metrics) add('metric', labelOf(metric));
  if (columns.length === 0) for (const item of splitTop(clauses.get('SELECT') ?? '', ',')) add('metric', plain(item));

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
    for (const item of grouped) add('dimension', typeof item === 'string' ? item : labelOf(item));
    const others = dimensions.filter((column) => !grouped.includes(column));
    if (others.length > 0) add('columns', others.map(labelOf).join(', '));
  } else for (const dimension of dimensions) add('dimension', labelOf(dimension));

  for (const filter of splitTop(clauses.get('WHERE') ?? '', 'AND')) add('filter', plain(filter));
  const during = clauses.get('DURING');
  if (during) add('period', plain(during));
  for (const condition of splitTop(clauses.get('HAVING') ?? '', 'AND')) add('having', plain(condition));
  const top = clauses.get('TOP');
  if (top) add('top', plain(top));
  const limit = clauses.get('LIMIT');
  if (limit) add('limit', plain(limit));
  return parts;
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
