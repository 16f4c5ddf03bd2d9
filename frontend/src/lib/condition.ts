import type { ReadingChange, ReadingForm } from './api/types';
import type { Problem } from './turn';

export type Takes = ReadingForm['operators'][number]['takes'];

/** How many values an operator takes; none where the other side is no value and stays. */
export function takenBy(form: ReadingForm | null, operator: string): Takes {
  if (!form || form.against) return 'none';
  return form.operators.find(({ name }) => name === operator)?.takes ?? 'none';
}

/** The fields of an operator, with what has been written so far. */
export function slotsOf(takes: Takes, written: string[]): string[] {
  const many = { none: 0, one: 1, two: 2, many: Math.max(1, written.length) }[takes];
  return Array.from({ length: many }, (_, index) => written[index] ?? '');
}

/** The field that a problem is about; -1: none of so many. */
export function fieldOf(problem: Problem | null, fields: number): number {
  const named = /^values\.(\d+)$/.exec(problem?.field ?? '')?.[1];
  return named !== undefined && Number(named) < fields ? Number(named) : -1;
}

/** The first value of more characters than are taken; -1: there is none. */
export const firstTooLong = (values: string[], longest: number): number =>
  values.findIndex((value) => value.length > longest && [...value].length > longest);

/** The change that a form asks for. */
export function changeOf(form: ReadingForm | null, operator: string, values: string[]): ReadingChange {
  const { slot, part, leaf, dimension, metric } = form ?? { slot: 'filter' as const };
  return {
    slot,
    operator,
    ...(part ? { part } : {}),
    ...(leaf ? { leaf } : {}),
    ...(dimension ? { dimension } : {}),
    ...(metric ? { metric } : {}),
    ...(values.length > 0 ? { values } : {}),
  };
}
