// Ranges that a person would draw: numbers by steps of 1, 2 and 5, days by weeks, months and years. Each begins where the one before
// ends, and its end is not in it. Pure.
import { compareNumbers, pointed } from '../exact';

export interface Range {
  from: string;
  to: string;
}

const mostNumbers = 20;
const mostTimes = 24;

/** The ranges that numbers from `least` to `most` lie in; none where there are none. Edges are text with every digit. */
export function numberRanges(least: string, most: string, whole: boolean): Range[] {
  const [low, high] = [Number(least), Number(most)];
  if (least === '' || most === '' || !Number.isFinite(low) || !Number.isFinite(high)) return [];
  const rough = high > low ? (high - low) / mostNumbers : Math.abs(low) / mostNumbers || 1;
  let power = Math.floor(Math.log10(rough));
  let digit = [1, 2, 5].find((one) => one * 10 ** power >= rough * (1 - 1e-9)) ?? 0;
  if (digit === 0) [digit, power] = [1, power + 1];
  if (whole && power < 0) [digit, power] = [1, 0];
  if (Math.abs(power) > 250) return [];
  const edge = (n: number): string => {
    const value = BigInt(n) * BigInt(digit);
    return power >= 0 ? String(value * 10n ** BigInt(power)) : pointed(value, -power);
  };
  let first = Math.floor(low / (digit * 10 ** power));
  let last = Math.floor(high / (digit * 10 ** power)) + 1;
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return [];
  while (compareNumbers(edge(first), least) > 0) first--;
  while (compareNumbers(edge(last), most) <= 0) last++;
  return between(last - first, (n) => edge(first + n));
}

type Unit = { months: number } | { ms: number };

const second = 1000;
const day = 86_400_000;
const clock: Unit[] = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200].map((n) => ({ ms: n * second }));
const calendar: Unit[] = [{ ms: day }, { ms: 7 * day }];
const months: Unit[] = [1, 3, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000].map((n) => ({ months: n }));

/** The ranges that days or moments from `least` to `most` lie in, as ISO 8601; none where they cannot be read. */
export function timeRanges(least: string, most: string, moments: boolean): Range[] {
  const [low, high] = [readMoment(least), readMoment(most)];
  if (low === null || high === null) return [];
  const units = [...(moments ? clock : []), ...calendar, ...months];
  for (const unit of units) {
    const first = floor(low, unit);
    const edges = [first];
    for (let n = 1; edges[edges.length - 1]! <= high && n <= mostTimes + 1; n++) edges.push(step(first, unit, n));
    if (edges[edges.length - 1]! <= high || edges.length > mostTimes + 1) continue;
    const withClock = 'ms' in unit && unit.ms < day;
    const text = (at: number) => new Date(at).toISOString().slice(0, withClock ? 19 : 10);
    if (edges.some((at) => !Number.isFinite(at) || Math.abs(at) > 8e15)) return [];
    return between(edges.length - 1, (n) => text(edges[n]!));
  }
  return [];
}

const between = (count: number, edge: (n: number) => string): Range[] =>
  Array.from({ length: count }, (_, n) => ({ from: edge(n), to: edge(n + 1) }));

function readMoment(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?))?/.exec(text);
  if (!match) return null;
  const at = Date.parse(`${match[1]}T${(match[2] ?? '00:00:00').slice(0, 12)}Z`);
  return Number.isNaN(at) ? null : at;
}

// Weeks begin on Mondays; the first of January 1970 was a Thursday.
function floor(at: number, unit: Unit): number {
  if ('ms' in unit) {
    const shift = unit.ms === 7 * day ? 4 * day : 0;
    return Math.floor((at - shift) / unit.ms) * unit.ms + shift;
  }
  const date = new Date(at);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return ofMonth(Math.floor(month / unit.months) * unit.months);
}

function step(first: number, unit: Unit, n: number): number {
  if ('ms' in unit) return first + n * unit.ms;
  const date = new Date(first);
  return ofMonth(date.getUTCFullYear() * 12 + date.getUTCMonth() + n * unit.months);
}

const ofMonth = (month: number): number => {
  const date = new Date(Date.UTC(2000, ((month % 12) + 12) % 12, 1));
  return date.setUTCFullYear(Math.floor(month / 12));
};
