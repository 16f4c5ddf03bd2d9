// What a change is made of: a waterfall that adds up, and a tree of members. Pure.
import type { Column, DriverAnalysis, DriverStep } from './api/types';
import type { Cell } from './cell';
import { minus, plus, relative } from './exact';
import { senseOf, type Sense } from './sense';

/** A bar of the waterfall: from where it begins to where it ends, in the unit of the metric. */
export interface Bar {
  label: string;
  kind: 'baseline' | 'current' | 'step' | 'missing';
  step: DriverStep | null;
  amount: Cell;
  from: number;
  to: number;
  sense: Sense;
}

export interface Waterfall {
  bars: Bar[];
  /** Of the numbers that the bars reach. */
  low: number;
  high: number;
  /** What the steps and the two numbers differ by; zero: they add up. */
  missing: Cell;
}

/** The waterfall of an analysis. What its steps leave out stands in it as a bar of its own. */
export function waterfallOf(analysis: DriverAnalysis): Waterfall {
  const start = analysis.baseline.value as Cell;
  const end = analysis.current.value as Cell;
  const bars: Bar[] = [
    { label: analysis.baseline.label, kind: 'baseline', step: null, amount: start, from: 0, to: Number(start), sense: 'even' },
  ]; // prettier-ignore
  let at: Cell = start;
  for (const step of analysis.steps) {
    const next: Cell = plus(at, step.amount as Cell) ?? at;
    const sense = senseOf(Number(step.amount), analysis.better);
    bars.push({ label: step.label, kind: 'step', step, amount: step.amount as Cell, from: Number(at), to: Number(next), sense }); // prettier-ignore
    at = next;
  }
  const left = minus(end, at) ?? 0;
  // Binary fractions leave less than this behind.
  const size = Math.max(Math.abs(Number(start)), Math.abs(Number(end)), 1e-300);
  const missing = Math.abs(Number(left)) <= size * 1e-9 ? 0 : left;
  if (missing !== 0)
    bars.push({ label: '', kind: 'missing', step: null, amount: missing, from: Number(at), to: Number(end), sense: 'even' }); // prettier-ignore
  bars.push({ label: analysis.current.label, kind: 'current', step: null, amount: end, from: 0, to: Number(end), sense: 'even' }); // prettier-ignore
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  return { bars, low: Math.min(0, ...ends), high: Math.max(0, ...ends), missing };
}

/**
 * Where the axis of the waterfall begins. Steps that are thin beside the two numbers get more room: the axis is broken below them, which
 * is said, and never when a bar reaches zero or below.
 */
export function floorOf({ bars, low }: Waterfall): number {
  if (low < 0) return low;
  const steps = bars.filter(({ kind }) => kind === 'step' || kind === 'missing');
  const least = Math.min(...bars.flatMap(({ kind, from, to }) => (kind === 'step' || kind === 'missing' ? [from, to] : [to]))); // prettier-ignore
  const reach = Math.max(...bars.flatMap(({ from, to }) => [from, to])) - least;
  if (steps.length === 0 || reach <= 0 || least < reach * 2) return 0;
  return least - reach * 0.4;
}

/** The change of an analysis: its amount, and as a fraction of the baseline. */
export const changeOf = ({ baseline, current }: DriverAnalysis): { amount: Cell; share: number | null } => ({
  amount: minus(current.value as Cell, baseline.value as Cell),
  share: relative(baseline.value as Cell, current.value as Cell),
});

/** The metric as a column, by which its numbers are written. */
export const columnOf = ({ metric, label, unit, format }: Pick<DriverAnalysis, 'label' | 'unit' | 'format'> & { metric?: string }): Column => ({
  name: metric || label, label, role: 'metric', type: format === 'percent' ? 'float' : 'decimal', unit: unit || null, format: format || null,
  grain: null, metric: metric || null, dimension: null, additivity: 'additive', served_from: null, derived: null,
}); // prettier-ignore
